/** A command of the command line: its table, and what runs. */
import type { FlagTable } from '#input/flag.ts';
import type { Args, CommandTable, GivenOf } from '#input/command-table.ts';
import type { Runtime } from '#store/runtime.ts';

export interface Command extends CommandTable {
  /** The first word after it names one of these. Their names begin with its own. */
  readonly inner?: () => Promise<readonly Command[]>;
  run(given: object, call: CommandCall): Promise<number>;
}

interface CommandDefinition<N extends Args, A extends Args, F extends FlagTable>
  extends Omit<CommandTable<N, A, F>, 'name' | 'summary'>, Pick<Command, 'inner'> {
  run(given: GivenOf<N, A, F>, call: CommandCall): Promise<number>;
}

export interface CommandGroup {
  readonly heading: string;
  readonly commands: readonly Command[];
}

export interface CommandCall {
  readonly words: readonly string[];
  readonly commands: readonly Command[];
  readonly runtime: Runtime;
}

export type GivenFlags<Switch extends string, Text extends string = never> = {
  readonly [K in Switch]: boolean;
} & { readonly [K in Text]: string | undefined };

type NoArgs = Readonly<Record<never, string>>;

/** A definition may have its flags as a getter. They are read for the command that was asked for. */
export function command<
  const N extends Args = NoArgs,
  const A extends Args = NoArgs,
  const F extends FlagTable = NoArgs,
>(name: Command['name'], summary: string, definition: CommandDefinition<N, A, F>): Command {
  return Object.assign(definition, { name, summary });
}
