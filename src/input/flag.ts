/**
 * The flags of a command as data: how each is written, what the help says of it, and how its value is read.
 * The parser, the help and the completion know nothing else.
 */
import { refuse } from '#base/refusal.ts';
import { nearest, quoteTyped } from '#base/words/did-you-mean.ts';
import type { Reading } from './values.ts';

/**
 * By usage: `--all`, `--note TEXT`, `-o, --output FILE`, `--require all|any`. With `FILE...` a flag also
 * takes the words after its value, up to the next flag. A text is the help.
 */
export type FlagTable = Readonly<Record<string, string | FlagDetails>>;

interface FlagDetails {
  readonly help: string;
  readonly under?: Heading;
  /** Where its value goes, if that is not named as the flag. */
  readonly field?: string;
  readonly repeatable?: true;
  /** The words that it takes, if its usage does not list them. */
  readonly oneOf?: readonly string[];
  /** Read where the flag is not given. */
  readonly otherwise?: string;
  /** What a flag without a value stands for, if that is not true. */
  readonly means?: unknown;
  /** What to do about a missing value, if there is more to say than to write it or leave the flag out. */
  readonly ifMissing?: string;
  /** The message of a refusal follows the flag's name. Of a repeatable flag, lists are joined. */
  readonly read?: (text: string) => Reading<unknown>;
}

/** The parts of a long help, in their order. */
export const HEADINGS = [
  'The task:',
  'When it is done:',
  'Asking you:',
  'How checks run:',
  'Limits:',
  'Lists and nesting:',
  'Sessions:',
  'The agent:',
  'Git:',
  'In a fleet:',
  'What is shown:',
] as const;
export type Heading = (typeof HEADINGS)[number];

/** Puts flags under a heading of the help. */
export function under<const F extends FlagTable>(heading: Heading, flags: F): F;
export function under(heading: Heading, flags: FlagTable): FlagTable {
  const entries = Object.entries(flags).map(([usage, details]) => {
    const own = typeof details === 'string' ? { help: details } : details;
    return [usage, { ...own, under: heading }] as const;
  });
  return Object.fromEntries(entries);
}

/** One flag of a table. */
export interface Flag extends FlagDetails {
  /** With its dashes: `--output`. */
  readonly flag: string;
  readonly field: string;
  /** Its letter: `o` for `-o`. */
  readonly short?: string;
  /** The word that stands for the value in a usage line; null: it takes none. */
  readonly value: string | null;
  readonly takesMore?: true;
}

const USAGE = /^(?:-(?<short>\w), )?(?<flag>--[\w-]+)(?: (?<value>.+?)(?<more>\.\.\.)?)?$/;
const CHOICES = /^[a-z]+(?:\|[a-z]+)+$/;

export function flagsIn(table: FlagTable): Flag[] {
  return Object.entries(table).map(([usage, given]) => {
    const { short, flag = usage, value = null, more } = USAGE.exec(usage)?.groups ?? {};
    return {
      field: fieldOf(flag),
      ...(value !== null && CHOICES.test(value) && { oneOf: value.split('|') }),
      ...(typeof given === 'string' ? { help: given } : given),
      flag,
      value,
      ...(short && { short }),
      ...(more && { takesMore: true }),
    };
  });
}

/** `--dry-run` is `dryRun`, and `--no-open` is `open`. */
function fieldOf(flag: string): string {
  return flag.replace(/^--(no-)?/, '').replaceAll(/-./g, (hyphened) => hyphened.slice(1).toUpperCase());
}

export function usageOf({ flag, short, value, takesMore }: Flag): string {
  const letter = short === undefined ? '' : `-${short}, `;
  return `${letter}${flag}${value === null ? '' : ` ${value}`}${takesMore ? '...' : ''}`;
}

/** What the texts after a flag mean. A flag without a value has none. */
export function readFlag(flag: Flag, texts: readonly string[]): Reading<unknown> {
  const { value, repeatable, means = !flag.flag.startsWith('--no-') } = flag;
  if (value === null) return { ok: true, value: means };
  const values: unknown[] = [];
  for (const text of texts) {
    const read = (flag.read ?? readChoice(flag.oneOf))(text);
    if (!read.ok) return { ...read, message: `${flag.flag} ${read.message}` };
    values.push(read.value);
  }
  return { ok: true, value: repeatable ? values.flat() : values[0] };
}

/** What a flag means that is not given. */
export function readAbsent(flag: Flag): unknown {
  if (flag.value === null) return flag.flag.startsWith('--no-');
  if (flag.otherwise === undefined) return flag.repeatable ? [] : undefined;
  const read = readFlag(flag, [flag.otherwise]);
  return read.ok ? read.value : undefined;
}

function readChoice(oneOf: readonly string[] | undefined): (text: string) => Reading<string> {
  return (text) => {
    if (oneOf === undefined || oneOf.includes(text)) return { ok: true, value: text };
    const choices = `${oneOf.slice(0, -1).join(', ')} or ${oneOf.at(-1)}`;
    const meant = nearest(text, oneOf);
    return refuse(
      'bad-choice',
      `takes ${choices}, not ${quoteTyped(text)}.`,
      meant === null ? 'Give one of these, or leave it out.' : `Did you mean ${meant}?`,
    );
  };
}

/** The values of the flags that are given, by field. */
export type FlagFields<F> = { readonly [K in keyof F as FieldOf<K, F[K]>]: EachValue<F, K> };
/** Flags that share a field are looked at one by one. */
type EachValue<F, K extends keyof F> = K extends K ? ValueOf<K, F[K]> : never;

/** The same, with what is meant by flags that are not given. */
export type AllFlagFields<F> = {
  readonly [K in keyof F as FieldOf<K, F[K]>]:
    | EachValue<F, K>
    | (F[K] extends { readonly repeatable: true } | { readonly otherwise: string } ? never : AbsentOf<K>);
};

type FieldOf<Usage, Details> = Details extends { readonly field: infer Field extends string }
  ? Field
  : Camel<NameOf<Usage>>;
type NameOf<Usage> = Usage extends `${string}--${infer Name} ${string}`
  ? Name
  : Usage extends `--no-${infer Name}`
    ? Name
    : Usage extends `${string}--${infer Name}`
      ? Name
      : never;
type Camel<S extends string> = S extends `${infer A}-${infer B}` ? `${A}${Capitalize<Camel<B>>}` : S;

type WordOf<Usage> = Usage extends `${string}--${string} ${infer Word}` ? Word : null;
type AbsentOf<Usage> = WordOf<Usage> extends null ? boolean : undefined;
type ValueOf<Usage, Details> =
  WordOf<Usage> extends infer Word extends string
    ? Details extends { readonly repeatable: true }
      ? readonly Flat<ReadOf<Word, Details>>[]
      : ReadOf<Word, Details>
    : Details extends { readonly means: infer Meaning }
      ? Meaning
      : boolean;
type Flat<T> = T extends readonly (infer Item)[] ? Item : T;
type ReadOf<Word extends string, Details> = Details extends {
  readonly read: (text: string) => Reading<infer Value>;
}
  ? Value
  : Details extends { readonly oneOf: readonly (infer Choice)[] }
    ? Choice
    : Word extends Lowercase<Word>
      ? ChoiceOf<Word>
      : string;
type ChoiceOf<Word> = Word extends `${infer First}|${infer Others}` ? First | ChoiceOf<Others> : Word;
