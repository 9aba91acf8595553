/**
 * A command as data: what the help says of it, what it takes, and what runs. And the reader of the words
 * after it.
 */
import { refuse, type Refusal } from '#base/refusal.ts';
import { named, type FlagShape } from '#input/flag.ts';
import { splitAtDashes, parseWords, type FlagValues } from '#input/words.ts';
import type { Runtime } from '#store/runtime.ts';

export interface Command extends Definition<Args, Flags> {
  readonly name: string;
  readonly summary: string;
  run(given: object, call: Call): Promise<number>;
}

interface Definition<A extends Args, F extends Flags> {
  readonly about: string;
  /** Where it does not follow from the arguments. */
  readonly usage?: string;
  readonly args?: A;
  readonly flags?: F;
  /** It reads its words itself. */
  readonly takesPrompt?: true;
  /** The words behind `--` are not its own: it finds them in the call. */
  readonly passesOn?: true;
  /** The first word after it names one of these. Their names begin with its own. */
  readonly inner?: () => Promise<readonly Command[]>;
  run(given: GivenOf<A, F>, call: Call): Promise<number>;
}

/** Each may be left out. */
type Args = Readonly<Record<string, string>>;
/** By usage: `--all`, `-o, --output FILE`. A text is the help. */
type Flags = Readonly<Record<string, string | FlagDetails>>;

interface FlagDetails {
  readonly help: string;
  readonly oneOf?: readonly string[];
  readonly otherwise?: string;
  readonly repeatable?: true;
}

export interface CommandGroup {
  readonly heading: string;
  readonly commands: readonly Command[];
}

export interface Call {
  readonly words: readonly string[];
  /** The flags among them as they were typed, for what has a table of its own. */
  readonly flags: FlagValues;
  readonly commands: readonly Command[];
  readonly runtime: Runtime;
}

/** What a command is given, by field: `--dry-run` is `dryRun`, and `--no-open` makes `open` false. */
type GivenOf<A, F> = { readonly [K in keyof A]: string | undefined } & {
  readonly [K in keyof F as Camel<NameOf<K>>]: ValueOf<K, F[K]>;
};
type NameOf<Usage> = Usage extends `${string}--${infer Name} ${string}`
  ? Name
  : Usage extends `--no-${infer Name}`
    ? Name
    : Usage extends `${string}--${infer Name}`
      ? Name
      : never;
type Camel<S extends string> = S extends `${infer A}-${infer B}` ? `${A}${Capitalize<Camel<B>>}` : S;
type ValueOf<Usage, Details> = Usage extends `${string}--${string} ${string}`
  ? Details extends { readonly repeatable: true }
    ? readonly string[]
    : Details extends { readonly oneOf: readonly (infer Word)[] }
      ? Word
      : Details extends { readonly otherwise: string }
        ? string
        : string | undefined
  : boolean;

export type Given<Switch extends string, Text extends string = never> = {
  readonly [K in Switch]: boolean;
} & { readonly [K in Text]: string | undefined };

export function command<const A extends Args, const F extends Flags>(
  name: string,
  summary: string,
  definition: Definition<A, F>,
): Command {
  return { name, summary, ...definition };
}

/** A flag with what the help says of it. */
export type CommandFlag = FlagShape & Omit<FlagDetails, 'repeatable'>;

export function flagsOf({ flags = {} }: Command): CommandFlag[] {
  return Object.entries(flags).map(([usage, details]) => ({
    repeatable: false,
    ...named(usage),
    ...(typeof details === 'string' ? { help: details } : details),
  }));
}

/** What the words after a command ask for. */
export type Wish =
  | { readonly is: 'run'; readonly given: object; readonly flags: FlagValues }
  | { readonly is: 'help' | 'version' }
  | { readonly is: 'wrong'; readonly refusal: Refusal };

export function readGiven(command: Command, words: readonly string[]): Wish {
  const { ours } = splitAtDashes(words);
  if (ours.some((word) => word === '--help' || word === '-h')) return { is: 'help' };
  if (ours.some((word) => word === '--version' || word === '-V')) return { is: 'version' };
  const flags = flagsOf(command);
  const line = parseWords(flags, words, 'operands');
  if (!line.ok) return { is: 'wrong', refusal: line };
  const { words: operands, given } = line.value;
  const refusal = refuseChoice(flags, given) ?? refuseOperands(command, operands);
  if (refusal !== null) return { is: 'wrong', refusal };
  const args = Object.keys(command.args ?? {}).map((name, at) => [name, operands[at]] as const);
  const values = flags.map((flag) => [fieldOf(flag), valueOf(flag, given)] as const);
  return { is: 'run', given: Object.fromEntries([...args, ...values]), flags: given };
}

function refuseChoice(flags: readonly CommandFlag[], given: FlagValues): Refusal | null {
  for (const { flag, oneOf } of flags) {
    const wrong = given.get(flag)?.find((value) => oneOf?.includes(value) === false);
    if (oneOf === undefined || wrong === undefined) continue;
    const choices = `${oneOf.slice(0, -1).join(', ')} or ${oneOf.at(-1)}`;
    return refuse('bad-choice', `${flag} takes ${choices}, not ${JSON.stringify(wrong)}.`, '');
  }
  return null;
}

function refuseOperands({ name, args = {} }: Command, operands: readonly string[]): Refusal | null {
  const most = Object.keys(args).length;
  const extra = operands[most];
  if (extra === undefined) return null;
  const takes = most === 0 ? 'no argument' : most === 1 ? 'one argument' : `${most} arguments`;
  const typed = JSON.stringify(extra.slice(0, 60));
  return refuse('too-many-arguments', `dacapo ${name} takes ${takes}: ${typed} is one too many.`, '');
}

/** `--dry-run` is `dryRun`, and `--no-open` is `open`. */
function fieldOf({ flag }: FlagShape): string {
  return flag.replace(/^--(no-)?/, '').replaceAll(/-./g, (hyphened) => hyphened.slice(1).toUpperCase());
}

function valueOf({ flag, value, repeatable, otherwise }: CommandFlag, given: FlagValues) {
  const values = given.get(flag) ?? [];
  if (value === null) return values.length > 0 !== flag.startsWith('--no-');
  return repeatable ? values : (values[0] ?? otherwise);
}
