/**
 * What a line of shell plainly writes, and where. A speed bump, not a boundary: whoever wants to hide a write from this can,
 * so nothing rests on it alone. Left to the look at each stop: scripts and patches that stand in files, what a loop reads
 * line by line (`while read f`), and what git does to files that nobody names (`shell-git.ts`).
 */
import { DEEPEST, readShell, type Simple } from './shell.ts';
import type { Variables, Word } from './shell-words.ts';
import { deletes, execsOf, found, printed } from './shell-find.ts';
import { writtenBy } from './shell-writers.ts';
import { asAll, baseName, type Written } from './shell-written.ts';

export type ShellAct =
  | (Written & {
      readonly is: 'write';
      /** Where the line has gone by then, `cd` by `cd`. */
      readonly within: readonly string[];
    })
  /** A command of Da Capo's that is a person's to give. */
  | { readonly is: 'command'; readonly command: string };

const PREFIXES = new Set([
  'sudo',
  'doas',
  'command',
  'builtin',
  'exec',
  'nohup',
  'time',
  'nice',
  'stdbuf',
  'env',
  'xargs',
  'timeout',
  'then',
  'do',
  'else',
  'if',
  'while',
  'until',
  '!',
  '{',
  'npx',
  'bunx',
  'pnpx',
]);
/** Of prefixes, those whose value is a word of its own: `sudo -u me`, `xargs -I {}`, `exec -a name`. */
const VALUED = /^-[uagId]$/;
/** Of `xargs`: -I {}, -I%, -i, --replace=%. */
const REPLACES = /^(?:-I|-i|--replace(?:=|$))/;
/** `npm exec dacapo` and its like. */
const PACKAGERS = new Set(['npm', 'pnpm', 'yarn', 'bun']);
const RUNS = new Set(['exec', 'dlx', 'x']);
const SHELLS = new Set(['sh', 'bash', 'zsh', 'dash', 'ksh', 'eval']);
const PERSONS = new Set(['trust', 'approve', 'reject', 'answer']);
/** Of `dacapo hooks`: what changes them. */
const HOOK_CHANGES = new Set(['add', 'enable', 'disable', 'remove']);

/** The longest argument that Linux hands to a program: a longer line never gets to a shell. What is beyond is not read. */
const LONGEST_LINE = 128 * 1024;
/** Lines within lines that are looked into: where each holds two, their number doubles with every level. */
const MOST_LINES = 500;
/** A line that goes further, folder by folder, is no plain line. */
const MOST_STEPS = 100;

export function actsOf(line: string, variables: Variables): ShellAct[] {
  return actsIn(line.slice(0, LONGEST_LINE), variables, [], 0, { lines: 0 });
}

/** How many lines have been looked into. */
interface Read {
  lines: number;
}

function actsIn(
  line: string,
  variables: Variables,
  begun: readonly string[],
  depth: number,
  read: Read,
): ShellAct[] {
  if (depth > DEEPEST || ++read.lines > MOST_LINES) return [];
  const acts: ShellAct[] = [];
  const places = new Places(begun);
  const commands = readShell(line, variables);
  /** The commands of each pipeline whose names no `xargs` has been handed yet. */
  const handing = new Map<number, Simple[]>();
  for (const [index, command] of commands.entries()) {
    const { words, xargs } = bare(command.words);
    const within = places.of(command.subshells);
    acts.push(...writes(outputsOf(command), within));
    const name = baseName(words[0]?.text ?? '');
    if (name === 'cd' || name === 'pushd' || name === 'popd') {
      const texts = words.slice(1).map(({ text }) => text);
      places.go(command.subshells, wentTo(name, texts, within, variables));
      continue;
    }
    const input = command.input + pipedInto(command, commands[index - 1]);
    const at: Surroundings = { variables, within, depth, input, read };
    acts.push(...actsOfCommand(words, at));
    const before = handing.get(command.pipeline) ?? [];
    // What comes through the pipe are names, and nobody knows which: all that was named before it may be meant.
    if (xargs !== null && writesHanded(words, xargs, at))
      acts.push(...before.splice(0).flatMap((one) => writes(namedBy(one.words), within)));
    before.push(command);
    handing.set(command.pipeline, before);
  }
  return acts;
}

/** What a command finds when it is run. */
interface Surroundings {
  readonly variables: Variables;
  readonly within: readonly string[];
  readonly depth: number;
  /** From a here-document, or through a pipe. */
  readonly input: string;
  readonly read: Read;
}

function actsOfCommand(words: readonly Word[], at: Surroundings): ShellAct[] {
  const { variables, within, depth, input, read } = at;
  const [first, ...args] = words;
  const name = baseName(first?.text ?? '');
  const texts = args.map(({ text }) => text);
  const said = personsCommand(name, texts);
  const inner = innerLine(name, texts, input, variables);
  const folder = name === 'git' && texts[0] === '-C' ? (texts[1] ?? '.') : null;
  return [
    ...(said === null ? [] : [{ is: 'command', command: said } as const]),
    ...(inner === null ? [] : actsIn(inner.line, inner.variables, within, depth + 1, read)),
    ...(name === 'find' ? actsOfFind(args, at) : []),
    ...writes(
      writtenBy(name, folder === null ? args : args.slice(2), input, variables),
      folder === null ? within : [...within, folder],
    ),
  ];
}

function writes(written: readonly Written[], within: readonly string[]): ShellAct[] {
  return written.map((one) => ({ is: 'write', ...one, within }));
}

function outputsOf({ outputs }: Simple): Written[] {
  return outputs.map(({ appends, ...word }) => ({ word, how: appends ? 'append' : 'write', tree: false }));
}

/** Stands for a name that a command is handed. */
const HANDED = '{}';

function actsOfFind(args: readonly Word[], at: Surroundings): ShellAct[] {
  const { within, depth } = at;
  if (depth > DEEPEST) return [];
  const run = execsOf(args).flatMap((command) =>
    actsOfCommand(bare(command).words, { ...at, input: '', depth: depth + 1 }),
  );
  const meant = deletes(args) || run.some((act) => isOn(act, HANDED)) ? found(args) : [];
  return [
    ...run.filter((act) => act.is === 'command' || !act.word.text.includes(HANDED)),
    ...writes([...meant, ...printed(args)], within),
  ];
}

/** Whether it writes to the names that `xargs` hands it: behind its words, or in the place of `replaces`. */
function writesHanded(words: readonly Word[], { replaces }: Xargs, at: Surroundings): boolean {
  const handed = replaces === null ? [...words, { text: HANDED, wild: false }] : words;
  return actsOfCommand(handed, at).some((act) => isOn(act, replaces ?? HANDED));
}

function isOn(act: ShellAct, text: string): boolean {
  return act.is === 'write' && act.word.text === text;
}

/** Where each subshell has gone to. It begins where the one around it was. */
class Places {
  private readonly places = new Map<number, readonly string[]>();

  constructor(begun: readonly string[]) {
    this.places.set(OUTERMOST, begun);
  }

  of(subshells: readonly number[]): readonly string[] {
    let place = this.places.get(OUTERMOST) ?? [];
    for (const id of subshells) {
      place = this.places.get(id) ?? place;
      this.places.set(id, place);
    }
    return place;
  }

  go(subshells: readonly number[], place: readonly string[]): void {
    this.places.set(subshells.at(-1) ?? OUTERMOST, place);
  }
}

const OUTERMOST = 0;

function wentTo(
  name: string,
  args: readonly string[],
  within: readonly string[],
  variables: Variables,
): readonly string[] {
  if (name === 'popd' || args[0] === '-') return within.slice(0, -1);
  if (within.length === MOST_STEPS) return within;
  return [...within, args.find((arg) => !arg.startsWith('-')) ?? variables.get('HOME') ?? '~'];
}

interface Xargs {
  /** The word that stands for each name; null: names come last. */
  readonly replaces: string | null;
}

/** Without what stands in front of the command itself: assignments, `sudo` and its like, `xargs`. */
function bare(words: readonly Word[]): { words: readonly Word[]; xargs: Xargs | null } {
  let at = 0;
  let xargs: Xargs | null = null;
  for (;;) {
    const text = words[at]?.text ?? '';
    const name = baseName(text);
    if (xargs !== null && REPLACES.test(text))
      xargs = { replaces: text.replace(REPLACES, '') || (text === '-I' && words[at + 1]?.text) || HANDED };
    if (PREFIXES.has(name)) xargs = name === 'xargs' ? { replaces: null } : xargs;
    else if (PACKAGERS.has(name) && RUNS.has(words[at + 1]?.text ?? '')) at++;
    else if (VALUED.test(text)) at++;
    else if (!/^\w+=/.test(text) && !(at > 0 && /^-|^\d+[smhd]?$/.test(text)))
      return { words: words.slice(at), xargs };
    at++;
  }
}

function personsCommand(name: string, args: readonly string[]): string | null {
  if (!/^dacapo(?:@|$)/.test(name)) return null;
  const [command = '', action = ''] = args.filter((arg) => !arg.startsWith('-'));
  const isPersons =
    PERSONS.has(command) ||
    (command === 'resume' && args.includes('--accept-changes')) ||
    (command === 'hooks' && HOOK_CHANGES.has(action));
  return isPersons ? `dacapo ${args.join(' ')}` : null;
}

/** What the command before it prints for it, where that is plain. */
function pipedInto({ pipeline }: Simple, before: Simple | undefined): string {
  if (before?.pipeline !== pipeline) return '';
  const [name, ...args] = bare(before.words).words.map(({ text }) => text);
  if (name === 'cat') return before.input;
  return name === 'echo' || name === 'printf' ? args.join(' ') : '';
}

/** The line that a shell is told to run, and what it knows: words behind the line are its `$0`, `$1`… */
function innerLine(
  name: string,
  args: readonly string[],
  input: string,
  variables: Variables,
): { line: string; variables: Variables } | null {
  if (!SHELLS.has(name)) return null;
  if (name === 'eval') return { line: args.join(' '), variables };
  const at = args.findIndex((arg) => /^-\w*c/.test(arg));
  if (at === -1) return { line: input, variables };
  const [line = '', ...given] = args.slice(at + 1);
  const all = given.length === 2 ? given.slice(1).join() : `{${given.slice(1).join(',')}}`;
  const named = given.map((value, k): [string, string] => [String(k), value]);
  const known = given.length < 2 ? named : [...named, ['@', all] as const, ['*', all] as const];
  return { line, variables: new Map([...variables, ...known]) };
}

function namedBy(words: readonly Word[]): Written[] {
  const {
    words: [first, ...args],
  } = bare(words);
  if (baseName(first?.text ?? '') === 'find') return found(args);
  return asAll(args, 'write', true);
}
