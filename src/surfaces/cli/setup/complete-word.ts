/** What may stand at the cursor of a command line, from the parser's own tables. Pure. */

export interface CompletedCommand {
  /** Of an inner command both words, such as `fleet submit`. */
  readonly name: string;
  readonly help: string;
  readonly flags: readonly CompletedFlag[];
  /** What its first argument may be. */
  readonly values: CompletedValues;
  readonly inner: readonly CompletedCommand[] | null;
}

/** Empty: nobody knows. */
export type CompletedValues = readonly string[] | 'loops';

interface CompletedFlag {
  readonly flag: string;
  readonly help: string;
  /** Null: it takes none. */
  readonly values: CompletedValues | null;
  readonly repeatable?: true;
}

export interface Completion {
  readonly word: string;
  readonly help?: string;
}

type Ids = () => readonly string[];

const HELP: CompletedFlag = { flag: '--help', help: 'show what it takes', values: null };
const HELP_COMMAND: Completion = { word: 'help', help: 'show what a command takes' };

/** `typed`: the words behind `dacapo`; the last one is at the cursor. Nothing: the shell offers files. */
export function completeWord(
  commands: readonly CompletedCommand[],
  typed: readonly string[],
  ids: Ids,
): readonly Completion[] {
  // bash makes three words of --flag=value.
  const words = typed.filter((word, at) => word !== '=' || at === typed.length - 1);
  const current = words.at(-1) === '=' ? '' : (words.at(-1) ?? '');
  const before = words.slice(0, -1);
  const fits = offered(commands, before, current, ids).filter(({ word }) => word.startsWith(current));
  return fits.filter(({ word }, at) => fits.findIndex((one) => one.word === word) === at);
}

function offered(
  commands: readonly CompletedCommand[],
  before: readonly string[],
  current: string,
  ids: Ids,
): readonly Completion[] {
  const [first, ...rest] = before;
  if (first === undefined) return [...commands.map(named), HELP_COMMAND];
  if (first === 'help') return rest.length === 0 ? commands.map(named) : offeredInner(commands, rest);
  const outer = commands.find(({ name }) => name === first);
  if (outer === undefined) return [];
  if (outer.inner === null) return offeredBy(outer, rest, current, ids);
  const [second, ...others] = rest;
  if (second === undefined) return [...outer.inner.map(lastNamed), HELP_COMMAND];
  const command = outer.inner.find(({ name }) => name === `${first} ${second}`);
  return command === undefined ? [] : offeredBy(command, others, current, ids);
}

function offeredInner(
  commands: readonly CompletedCommand[],
  [first]: readonly string[],
): readonly Completion[] {
  return commands.find(({ name }) => name === first)?.inner?.map(lastNamed) ?? [];
}

/** `words`: between the command and the cursor. */
function offeredBy(
  { flags: own, values }: CompletedCommand,
  words: readonly string[],
  current: string,
  ids: Ids,
): readonly Completion[] {
  // The rest is the agent's.
  if (words.includes('--')) return [];
  const flags = [...own, HELP];
  const [, inFlag] = /^(--[\w-]+)=/.exec(current) ?? [];
  const flag = flags.find((one) => one.flag === (inFlag ?? words.at(-1)));
  if (flag !== undefined && flag.values !== null)
    return listed(flag.values, ids).map((value) => ({
      word: inFlag === undefined ? value : `${inFlag}=${value}`,
    }));
  if (current.startsWith('-'))
    return flags
      .filter(({ flag: name, repeatable }) => repeatable || !words.includes(name))
      .map(({ flag: word, help }) => ({ word, help }));
  const isFirst = !words.some((word, at) => !word.startsWith('-') && !takesNext(flags, words[at - 1]));
  return isFirst ? listed(values, ids).map((word) => ({ word })) : [];
}

function takesNext(flags: readonly CompletedFlag[], word: string | undefined): boolean {
  return flags.some(({ flag, values }) => flag === word && values !== null);
}

function listed(values: CompletedValues, ids: Ids): readonly string[] {
  // The newest first.
  return values === 'loops' ? ids().toReversed() : values;
}

function named({ name, help }: CompletedCommand): Completion {
  return { word: name, help };
}

function lastNamed({ name, help }: CompletedCommand): Completion {
  return { word: name.replace(/^.* /, ''), help };
}
