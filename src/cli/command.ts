/** A command as data: what the help says of it, what it takes, and what runs. And the reader of the words after it. */
import { parseArgs } from 'node:util';
import { refuse } from '../core/refusal.ts';
import { plural } from '../core/words/phrases.ts';
import type { Reading } from '../flags/values.ts';

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
  run(given: GivenOf<A, F>, call: Call): Promise<number>;
}

/** Each may be left out. */
type Args = Readonly<Record<string, string>>;
/** By usage: `--all`, `-o, --output <file>`. A text is the help. */
type Flags = Readonly<Record<string, string | FlagDetails>>;

interface FlagDetails {
  readonly help: string;
  readonly oneOf?: readonly string[];
  readonly otherwise?: string;
  readonly repeatable?: true;
}

export interface Group {
  readonly heading: string;
  readonly commands: readonly Command[];
}

interface Call {
  readonly words: readonly string[];
  readonly commands: readonly Command[];
}

/** What a command is given, by field: `--dry-run` is `dryRun`, and `--no-open` makes `open` false. */
type GivenOf<A, F> = { readonly [K in keyof A]: string | undefined } & {
  readonly [K in keyof F as Camel<NameOf<K>>]: ValueOf<K, F[K]>;
};
type NameOf<Usage> = Usage extends `${string}--${infer Name} <${string}`
  ? Name
  : Usage extends `--no-${infer Name}`
    ? Name
    : Usage extends `${string}--${infer Name}`
      ? Name
      : never;
type Camel<S extends string> = S extends `${infer A}-${infer B}` ? `${A}${Capitalize<Camel<B>>}` : S;
type ValueOf<Usage, Details> = Usage extends `${string} <${string}`
  ? Details extends { readonly repeatable: true }
    ? readonly string[]
    : Details extends { readonly oneOf: readonly (infer Word)[] }
      ? Word
      : Details extends { readonly otherwise: string }
        ? string
        : string | undefined
  : boolean;

/** The same, as a command names it: switches, and texts that may be left out. */
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

export interface CommandFlag extends FlagDetails {
  readonly usage: string;
  readonly long: string;
  readonly short: string | undefined;
  readonly takesValue: boolean;
}

export function flagsOf({ flags = {} }: Command): CommandFlag[] {
  return Object.entries(flags).map(([usage, details]) => {
    const { short, long = '' } = /^(?:-(?<short>\w), )?--(?<long>[\w-]+)/.exec(usage)?.groups ?? {};
    const more = typeof details === 'string' ? { help: details } : details;
    return { usage, long, short, takesValue: usage.includes(' <'), ...more };
  });
}

/** What the words after a command ask for. */
export type Wish = { readonly is: 'run'; readonly given: object } | { readonly is: 'help' | 'version' };

const SHOWN = { help: { type: 'boolean', short: 'h' }, version: { type: 'boolean', short: 'V' } } as const;

export function readGiven(command: Command, words: readonly string[]): Reading<Wish> {
  const flags = flagsOf(command);
  const options = flags.map(({ long, short, takesValue, repeatable = false }) => [
    long,
    { type: takesValue ? 'string' : 'boolean', multiple: repeatable, ...(short && { short }) } as const,
  ]);
  const { values, tokens } = parseArgs({
    args: [...words],
    options: { ...Object.fromEntries(options), ...SHOWN },
    strict: false,
    tokens: true,
  });
  const operands: string[] = [];
  /** `<file...>` takes all words up to the next flag. */
  const files: string[] = [];
  let last: CommandFlag | undefined;
  let unknown: string | undefined;
  for (const token of tokens) {
    if (token.kind === 'positional') (last?.usage.endsWith('...>') ? files : operands).push(token.value);
    if (token.kind !== 'option') continue;
    const { name, rawName, value } = token;
    last = flags.find(({ long }) => long === name);
    if (last?.takesValue) {
      const wrong = wrongValue(last, value);
      if (wrong !== null) return refuse('usage', wrong, '');
    } else if (value !== undefined) unknown ??= `${rawName}=${value}`;
    else if (last === undefined && !Object.hasOwn(SHOWN, name)) unknown ??= rawName;
  }
  if (values.help) return { ok: true, value: { is: 'help' } };
  if (values.version) return { ok: true, value: { is: 'version' } };
  if (unknown !== undefined) return refuse('unknown-flag', `unknown option '${unknown}'.`, unknown);
  const args = Object.keys(command.args ?? {});
  if (operands.length > args.length)
    return refuse(
      'usage',
      `too many arguments for '${command.name}'. Expected ${plural(args.length, 'argument')} but got ${operands.length}.`,
      '',
    );
  const given = flags.map((flag) => [fieldOf(flag.long), valueOf(flag, values[flag.long], files)] as const);
  return {
    ok: true,
    value: {
      is: 'run',
      given: Object.fromEntries([...args.map((name, at) => [name, operands[at]] as const), ...given]),
    },
  };
}

function wrongValue({ usage, oneOf }: CommandFlag, value: string | undefined): string | null {
  if (value === undefined) return `option '${usage}' argument missing.`;
  if (oneOf === undefined || oneOf.includes(value)) return null;
  return `option '${usage}' argument '${value}' is invalid. Allowed choices are ${oneOf.join(', ')}.`;
}

function fieldOf(long: string): string {
  return long.replace(/^no-/, '').replaceAll(/-./g, (hyphened) => hyphened.slice(1).toUpperCase());
}

function valueOf({ long, takesValue, otherwise, repeatable }: CommandFlag, given: unknown, more: string[]) {
  if (!takesValue) return Boolean(given) !== long.startsWith('no-');
  return repeatable ? [...(Array.isArray(given) ? given : []), ...more] : (given ?? otherwise);
}
