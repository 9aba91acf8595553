/** A command as data: what the help says of it and what it takes. */
import type { CommandName } from './audience.ts';
import { flagsIn, type AllFlagFields, type Flag, type FlagTable } from './flag.ts';

export interface CommandTable<N extends Args = Args, A extends Args = Args, F extends FlagTable = FlagTable> {
  readonly name: CommandName;
  /** For a list of commands. */
  readonly summary: string;
  /** For its own help. */
  readonly about: string;
  /** Where it does not follow from the arguments. */
  readonly usage?: string;
  /** Arguments that have to be given, before those that may be left out. */
  readonly needs?: N;
  readonly args?: A;
  readonly flags?: F;
  /** Flags that it knows only to say why they have no place here. */
  readonly refused?: readonly string[];
  /** The words beside its flags are a prompt, which may look like anything, so it reads them itself. */
  readonly takesPrompt?: true;
  /** The words behind `--` are not its own: it finds them in the call. */
  readonly passesOn?: true;
}

/** What each is, by name. */
export type Args = Readonly<Record<string, string>>;

/** What a command is given, by field: `--dry-run` is `dryRun`, and `--no-open` makes `open` false. */
export type GivenOf<N, A, F> = { readonly [K in keyof N]: string } & {
  readonly [K in keyof A]: string | undefined;
} & AllFlagFields<F>;

/** `ID [WORDS]`: those in brackets may be left out. */
export function usageOfArguments({ needs = {}, args = {} }: CommandTable): string {
  const optional = Object.keys(args).map((name) => `[${name}]`);
  return [...Object.keys(needs), ...optional].join(' ').toUpperCase();
}

/** Those that the help and the completion show. */
export function shownFlags({ flags = {}, refused = [] }: CommandTable): Flag[] {
  return flagsIn(flags).filter(({ flag }) => !refused.includes(flag));
}
