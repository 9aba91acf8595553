/**
 * What a line of shell plainly writes, and where. A speed bump, not a boundary: whoever wants to hide a write from this can,
 * so nothing rests on it alone.
 */
import { DEEPEST, readShell, type Simple, type Variables } from './shell.ts';
import type { Word } from './shell-words.ts';
import { baseName, found, isWriter, writtenBy, type Written } from './shell-writers.ts';

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
/** `npm exec dacapo` and its like. */
const PACKAGERS = new Set(['npm', 'pnpm', 'yarn', 'bun']);
const RUNS = new Set(['exec', 'dlx', 'x']);
const SHELLS = new Set(['sh', 'bash', 'zsh', 'dash', 'ksh', 'eval']);
const PERSONS = new Set(['trust', 'approve', 'reject', 'answer']);
/** Of `dacapo hooks`: what changes them. */
const HOOK_CHANGES = new Set(['add', 'enable', 'disable', 'remove']);

export function actsOf(line: string, variables: Variables): ShellAct[] {
  return actsIn(line, variables, [], 0);
}

function actsIn(line: string, variables: Variables, begun: readonly string[], depth: number): ShellAct[] {
  if (depth > DEEPEST) return [];
  const acts: ShellAct[] = [];
  const places = new Places(begun);
  const commands = readShell(line, variables);
  for (const [index, command] of commands.entries()) {
    const { words, xargs } = bare(command.words);
    const [first, ...args] = words;
    const name = baseName(first?.text ?? '');
    const texts = args.map(({ text }) => text);
    const within = places.of(command.subshells);
    const write = (written: readonly Written[], at = within): void => {
      for (const one of written) acts.push({ is: 'write', ...one, within: at });
    };
    write(
      command.outputs.map(({ appends, ...word }) => ({
        word,
        how: appends ? 'append' : 'write',
        tree: false,
      })),
    );
    if (name === 'cd' || name === 'pushd' || name === 'popd') {
      places.go(command.subshells, wentTo(name, texts, within, variables));
      continue;
    }
    const said = personsCommand(name, texts);
    if (said !== null) acts.push({ is: 'command', command: said });
    const input = command.input + pipedInto(command, commands[index - 1]);
    const inner = innerLine(name, texts, input);
    if (inner !== null) acts.push(...actsIn(inner, variables, within, depth + 1));
    const folder = name === 'git' && texts[0] === '-C' ? (texts[1] ?? '.') : null;
    write(
      writtenBy(name, folder === null ? args : args.slice(2), input, variables),
      folder === null ? within : [...within, folder],
    );
    // What comes through the pipe are names, and nobody knows which: all that was named before it may be meant.
    if (xargs && isWriter(name, args))
      write(
        commands
          .slice(0, index)
          .filter(({ pipeline }) => pipeline === command.pipeline)
          .flatMap((before) => namedBy(before.words)),
      );
  }
  return acts;
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
  return [...within, args.find((arg) => !arg.startsWith('-')) ?? variables.get('HOME') ?? '~'];
}

/** Without what stands in front of the command itself: assignments, `sudo` and its like, `xargs`. */
function bare(words: readonly Word[]): { words: readonly Word[]; xargs: boolean } {
  let at = 0;
  let xargs = false;
  for (;;) {
    const text = words[at]?.text ?? '';
    const name = baseName(text);
    if (PREFIXES.has(name)) xargs ||= name === 'xargs';
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

/** The line that a shell is told to run. */
function innerLine(name: string, args: readonly string[], input: string): string | null {
  if (!SHELLS.has(name)) return null;
  if (name === 'eval') return args.join(' ');
  const at = args.findIndex((arg) => /^-\w*c/.test(arg));
  return at === -1 ? input : (args[at + 1] ?? '');
}

function namedBy(words: readonly Word[]): Written[] {
  const {
    words: [first, ...args],
  } = bare(words);
  if (baseName(first?.text ?? '') === 'find') return found(args);
  return args.map((word) => ({ word, how: 'write', tree: true }));
}
