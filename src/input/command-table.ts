/**
 * A command as data: what the help says of it and what it takes. And the reader of the words after it.
 */
import { refuse, type Refusal } from '#base/refusal.ts';
import type { CommandName } from './audience.ts';
import { flagsIn, type AllFlagFields, type Flag, type FlagTable } from './flag.ts';
import { parseWords, readAllFlags, splitAtDashes } from './words.ts';

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

/** What the words after a command ask for. */
export type Wish =
  /** `ours`: the words before `--`. */
  | { readonly is: 'run'; readonly given: object; readonly ours: readonly string[] }
  | { readonly is: 'help' | 'version' }
  | { readonly is: 'wrong'; readonly refusal: Refusal };

export function readGiven(command: CommandTable, words: readonly string[]): Wish {
  const { needs = {}, args = {}, flags = {} } = command;
  const { ours } = splitAtDashes(words);
  if (ours.some((word) => word === '--help' || word === '-h')) return { is: 'help' };
  if (ours.some((word) => word === '--version' || word === '-V')) return { is: 'version' };
  if (command.takesPrompt) return { is: 'run', given: {}, ours };
  const line = parseWords(flags, command.passesOn ? ours : words, 'operands');
  if (!line.ok) return { is: 'wrong', refusal: line };
  const operands = line.value.words;
  const refusal = refuseOperands(command, operands);
  if (refusal !== null) return { is: 'wrong', refusal };
  const read = readAllFlags(flags, line.value.given);
  if (!read.ok) return { is: 'wrong', refusal: read };
  const named = Object.keys({ ...needs, ...args }).map((name, at) => [name, operands[at]] as const);
  return { is: 'run', given: { ...Object.fromEntries(named), ...read.value }, ours };
}

function refuseOperands(command: CommandTable, operands: readonly string[]): Refusal | null {
  const { name, needs = {}, args = {} } = command;
  const [missing] = Object.entries(needs).slice(operands.length);
  if (missing !== undefined)
    return refuse(
      'missing-argument',
      `${missing[0].toUpperCase()} is missing (${missing[1]}).`,
      `Write dacapo ${name} ${usageOfArguments(command)}.`,
    );
  const most = Object.keys({ ...needs, ...args }).length;
  const extra = operands[most];
  if (extra === undefined) return null;
  const takes = most === 0 ? 'no argument' : most === 1 ? 'one argument' : `${most} arguments`;
  const typed = JSON.stringify(extra.slice(0, 60));
  return refuse('too-many-arguments', `dacapo ${name} takes ${takes}: ${typed} is one too many.`, '');
}
