/** A command as data: what the help says of it, what it takes, and what runs. And the reader of the words after it. */
import { parseArgs } from 'node:util';
import { plural } from '../core/words/phrases.ts';
import type { Runtime } from '../store/runtime.ts';

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
/** By usage: `--all`, `-o, --output <file>`. A text is the help. */
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
  readonly commands: readonly Command[];
  readonly runtime: Runtime;
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

export type CommandFlag = ReturnType<typeof flagsOf>[number];

export function flagsOf({ flags = {} }: Command) {
  return Object.entries(flags).map(([usage, details]) => {
    const { short, long = '' } = /^(?:-(?<short>\w), )?--(?<long>[\w-]+)/.exec(usage)?.groups ?? {};
    const more: FlagDetails = typeof details === 'string' ? { help: details } : details;
    // `<file...>` takes all words up to the next flag.
    const [takesValue, takesMore] = [usage.includes(' <'), usage.endsWith('...>')];
    return { usage, long, short, takesValue, takesMore, ...more };
  });
}

/** What the words after a command ask for. `flag`: as typed; the command does not have it. */
export type Wish =
  | { readonly is: 'run'; readonly given: object }
  | { readonly is: 'help' | 'version' }
  | { readonly is: 'wrong'; readonly what: string; readonly flag?: string };

const SHOWN = { help: { type: 'boolean', short: 'h' }, version: { type: 'boolean', short: 'V' } } as const;

export function readGiven(command: Command, words: readonly string[]): Wish {
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
  const more: string[] = [];
  let last: CommandFlag | undefined;
  let unknown: string | undefined;
  for (const token of tokens) {
    if (token.kind === 'positional') (last?.takesMore ? more : operands).push(token.value);
    else last = undefined;
    if (token.kind !== 'option') continue;
    const { name, rawName, value } = token;
    last = flags.find(({ long }) => long === name);
    if (last?.takesValue) {
      const what = wrongValue(last, value);
      if (what !== null) return { is: 'wrong', what };
    } else if (value !== undefined) unknown ??= `${rawName}=${value}`;
    else if (last === undefined && !Object.hasOwn(SHOWN, name)) unknown ??= rawName;
  }
  if (values.help) return { is: 'help' };
  if (values.version) return { is: 'version' };
  if (unknown !== undefined) return { is: 'wrong', what: `unknown option '${unknown}'.`, flag: unknown };
  const args = Object.keys(command.args ?? {});
  if (operands.length > args.length) {
    const expected = `Expected ${plural(args.length, 'argument')} but got ${operands.length}.`;
    return { is: 'wrong', what: `too many arguments for '${command.name}'. ${expected}` };
  }
  const fields = args.map((name, at) => [name, operands[at]] as const);
  const given = flags.map((flag) => [fieldOf(flag.long), valueOf(flag, values[flag.long], more)] as const);
  return { is: 'run', given: Object.fromEntries([...fields, ...given]) };
}

function wrongValue({ usage, oneOf }: CommandFlag, value: string | undefined): string | null {
  if (value === undefined) return `option '${usage}' argument missing.`;
  if (oneOf === undefined || oneOf.includes(value)) return null;
  return `option '${usage}' argument '${value}' is invalid. Allowed choices are ${oneOf.join(', ')}.`;
}

function fieldOf(long: string): string {
  return long.replace(/^no-/, '').replaceAll(/-./g, (hyphened) => hyphened.slice(1).toUpperCase());
}

function valueOf(flag: CommandFlag, given: unknown, more: readonly string[]) {
  if (!flag.takesValue) return Boolean(given) !== flag.long.startsWith('no-');
  if (!flag.repeatable) return given ?? flag.otherwise;
  return [...(Array.isArray(given) ? given : []), ...(flag.takesMore ? more : [])];
}
