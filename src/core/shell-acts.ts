/**
 * What a line of shell plainly writes, and where. A speed bump, not a boundary: whoever wants to hide a write from this can,
 * so nothing rests on it alone.
 */
import { readShell, type Simple, type Variables, type Word } from './shell.ts';

export type ShellAct =
  | {
      readonly is: 'write';
      readonly word: Word;
      /** `append`: what is there stays. `restore`: by what git has of it. */
      readonly how: 'write' | 'append' | 'remove' | 'restore';
      /** All that is below it as well. */
      readonly tree: boolean;
      /** Where the line has gone by then, `cd` by `cd`. */
      readonly within: readonly string[];
    }
  /** A command of Da Capo's that is a person's to give. */
  | { readonly is: 'command'; readonly command: string };

type Written = Pick<Extract<ShellAct, { is: 'write' }>, 'word' | 'how' | 'tree'>;

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
  'then',
  'do',
  'else',
  'if',
  'while',
  'until',
  '!',
  '{',
]);
const RUNNERS = new Set(['npx', 'bunx', 'pnpx']);
const SHELLS = new Set(['sh', 'bash', 'zsh', 'dash', 'ksh', 'eval']);
const INTERPRETER = /^(?:python[\d.]*|node|nodejs|deno|bun|ruby|perl|php)$/;
/** Signs, in a one-liner of any of these languages, that it does not only read. */
const WRITES_CODE =
  /(?<!std(?:out|err)\.)write|appendFile|truncat|unlink|rename|rmtree|rmSync|rmdir|os\.(?:remove|replace)|shutil|copyFile|chmod|symlink|open\([^)]*,\s*['"][^'"]*[wax+]|system\(|exec/i;
const PERSONS = new Set(['trust', 'approve', 'reject', 'answer']);
/** Of `dacapo hooks`: what changes them. */
const HOOK_CHANGES = new Set(['add', 'enable', 'disable', 'remove']);

export function actsOf(line: string, variables: Variables): ShellAct[] {
  return actsIn(readShell(line, variables), variables, []);
}

function actsIn(commands: readonly Simple[], variables: Variables, begun: readonly string[]): ShellAct[] {
  const acts: ShellAct[] = [];
  let within = begun;
  for (const [index, command] of commands.entries()) {
    const { words, xargs } = bare(command.words);
    const [name = '', ...args] = words.map(({ text }) => text);
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
    if (name === 'cd' || name === 'pushd') {
      within = [...within, args.find((arg) => !arg.startsWith('-')) ?? variables.get('HOME') ?? '~'];
      continue;
    }
    const said = personsCommand(name, args);
    if (said !== null) acts.push({ is: 'command', command: said });
    const inner = innerLine(name, args, command.input);
    if (inner !== null) acts.push(...actsIn(readShell(inner, variables), variables, within));
    const folder = name === 'git' && args[0] === '-C' ? (args[1] ?? '.') : null;
    write(
      writtenBy(baseName(name), folder === null ? words.slice(1) : words.slice(3), command.input, variables),
      folder === null ? within : [...within, folder],
    );
    // What comes through the pipe are names, and nobody knows which: all that was named before it may be meant.
    if (xargs && isWriter(baseName(name), words))
      write(
        commands
          .slice(0, index)
          .filter(({ pipeline }) => pipeline === command.pipeline)
          .flatMap((before) => before.words.slice(1))
          .map((word) => ({ word, how: 'write', tree: true })),
      );
  }
  return acts;
}

/** Without what stands in front of the command itself: assignments, `sudo` and its like, `xargs`. */
function bare(words: readonly Word[]): { words: readonly Word[]; xargs: boolean } {
  let rest = words;
  let xargs = false;
  for (;;) {
    const name = baseName(rest[0]?.text ?? '');
    if (/^\w+=/.test(rest[0]?.text ?? '') || PREFIXES.has(name) || RUNNERS.has(name)) rest = rest.slice(1);
    else if (name === 'env' || name === 'xargs' || name === 'timeout') {
      xargs ||= name === 'xargs';
      rest = rest.slice(1);
    } else if (rest !== words && /^-|^\d+[smhd]?$/.test(name)) rest = rest.slice(1);
    else return { words: rest, xargs };
  }
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function personsCommand(name: string, args: readonly string[]): string | null {
  if (baseName(name) !== 'dacapo') return null;
  const [command = '', action = ''] = args.filter((arg) => !arg.startsWith('-'));
  const isPersons =
    PERSONS.has(command) ||
    (command === 'resume' && args.includes('--accept-changes')) ||
    (command === 'hooks' && HOOK_CHANGES.has(action));
  return isPersons ? `dacapo ${args.join(' ')}` : null;
}

/** The line that a shell is told to run. */
function innerLine(name: string, args: readonly string[], input: string): string | null {
  if (!SHELLS.has(baseName(name))) return null;
  if (name === 'eval') return args.join(' ');
  const at = args.findIndex((arg) => /^-\w*c$/.test(arg));
  return at === -1 ? input : (args[at + 1] ?? '');
}

function writtenBy(name: string, args: readonly Word[], input: string, variables: Variables): Written[] {
  const operands = args.filter(({ text }) => !text.startsWith('-'));
  const flags = args.map(({ text }) => text).filter((text) => text.startsWith('-'));
  const last = operands.at(-1);
  const all = (how: Written['how'], tree = false): Written[] => operands.map((word) => ({ word, how, tree }));
  switch (name) {
    case 'rm':
    case 'rmdir':
    case 'unlink':
    case 'shred':
      return all('remove', true);
    case 'mv':
      return [...all('remove', true), ...into(operands, args)];
    case 'chmod':
    case 'chown':
      return all(
        'write',
        flags.some((flag) => /R/.test(flag)),
      );
    case 'tee':
      return all(flags.some((flag) => /^-\w*a|^--append$/.test(flag)) ? 'append' : 'write');
    case 'touch':
    case 'truncate':
      return all('write');
    case 'cp':
    case 'ln':
    case 'install':
    case 'rsync':
      return [
        ...(last === undefined ? [] : [{ word: last, how: 'write' as const, tree: false }]),
        ...into(operands, args),
      ];
    case 'dd':
      return operands
        .filter(({ text }) => text.startsWith('of='))
        .map(({ text, wild }) => ({ word: { text: text.slice(3), wild }, how: 'write', tree: false }));
    case 'sed':
      return flags.some((flag) => /^-[A-Za-z]*i|^--in-place/.test(flag)) ? all('write') : [];
    case 'awk':
    case 'gawk':
      return args.some(({ text }) => text === 'inplace') ? all('write') : [];
    case 'sort':
    case 'curl':
    case 'wget':
      return behind(args, /^(?:-o|-O|--output|--output-document)$/);
    case 'patch':
    case 'ed':
    case 'ex':
      return all('write');
    case 'find':
      return isWriter(name, [{ text: name, wild: false }, ...args])
        ? operands.map((word) => ({ word, how: 'write', tree: true }))
        : [];
    case 'git':
      return byGit(args);
    case 'perl':
      if (flags.some((flag) => /^-[A-Za-z]*i/.test(flag))) return all('write');
      return byCode(name, args, input, variables);
    default:
      return byCode(name, args, input, variables);
  }
}

/** A folder as the target: the files under their own names in it. */
function into(operands: readonly Word[], args: readonly Word[]): Written[] {
  const named = behind(args, /^(?:-t|--target-directory)$/)[0]?.word;
  const folder = named ?? operands.at(-1);
  if (folder === undefined) return [];
  return operands
    .filter((word) => word !== folder)
    .map(({ text, wild }) => ({
      word: { text: `${folder.text}/${baseName(text.replace(/\/+$/, ''))}`, wild: wild || folder.wild },
      how: 'write',
      tree: false,
    }));
}

function behind(args: readonly Word[], flag: RegExp): Written[] {
  return args.flatMap(({ text }, at) => {
    const word = args[at + 1];
    return flag.test(text) && word !== undefined ? [{ word, how: 'write' as const, tree: false }] : [];
  });
}

function byGit(args: readonly Word[]): Written[] {
  const [command, ...rest] = args.filter(({ text }) => !text.startsWith('-'));
  const as = (how: Written['how'], tree: boolean): Written[] => rest.map((word) => ({ word, how, tree }));
  switch (command?.text ?? '') {
    case 'checkout':
    case 'restore':
    case 'reset':
      return as('restore', false);
    case 'rm':
    case 'mv':
      return as('remove', true);
    case 'stash':
      return as('write', true);
    case 'clean':
      return as('remove', true);
    default:
      return [];
  }
}

/** Whatever looks like a path in the code, where the code does more than read. */
function byCode(name: string, args: readonly Word[], input: string, variables: Variables): Written[] {
  if (!INTERPRETER.test(name)) return [];
  const at = args.findIndex(({ text }) => /^(?:-\w*[cepr]|--eval|--print|eval)$/.test(text));
  const code =
    at === -1
      ? input
      : args
          .slice(at + 1)
          .map(({ text }) => text)
          .join(' ');
  if (!WRITES_CODE.test(code)) return [];
  const home = variables.get('DACAPO_HOME');
  return code
    .split(/['"`\s(),;=[\]{}+]+/)
    .filter((piece) => /[./\w]/.test(piece))
    .map((piece) => (/(?:^|\.)DACAPO_HOME$/.test(piece) ? (home ?? piece) : piece))
    .map((text) => ({ word: { text, wild: false }, how: 'write', tree: false }));
}

const WRITERS = new Set([
  'rm',
  'rmdir',
  'unlink',
  'shred',
  'mv',
  'cp',
  'tee',
  'touch',
  'truncate',
  'chmod',
  'chown',
  'ln',
  'install',
  'patch',
]);

/** Whether it writes what it is given, whatever that is. */
function isWriter(name: string, words: readonly Word[]): boolean {
  const texts = words.map(({ text }) => text);
  if (name === 'sed' || name === 'perl') return texts.some((text) => /^-[A-Za-z]*i|^--in-place/.test(text));
  if (name !== 'find') return WRITERS.has(name);
  const exec = texts.findIndex((text) => /^-(?:exec|execdir|ok)$/.test(text));
  return (
    texts.includes('-delete') ||
    (exec !== -1 && isWriter(baseName(texts[exec + 1] ?? ''), words.slice(exec + 1)))
  );
}
