/** Which of its words a command writes to: what each of the usual programs does with what it is given. */
import { byCode } from './shell-code.ts';
import type { Variables } from './shell.ts';
import type { Word } from './shell-words.ts';

export interface Written {
  readonly word: Word;
  /** `append`: what is there stays. `restore`: by what git has of it. */
  readonly how: 'write' | 'append' | 'remove' | 'restore';
  /** All that is below it as well. */
  readonly tree: boolean;
}

/** `input`: what comes to it from a here-document. */
export function writtenBy(
  name: string,
  args: readonly Word[],
  input: string,
  variables: Variables,
): Written[] {
  const operands = args.filter(({ text }) => !text.startsWith('-'));
  switch (name) {
    case 'rm':
    case 'rmdir':
    case 'unlink':
    case 'shred':
      return asAll(operands, 'remove', true);
    case 'mv':
      return moved(operands, args);
    case 'chmod':
    case 'chown':
      return asAll(operands, 'write', hasFlag(args, /^-\w*R|^--recursive/));
    case 'tee':
      return asAll(operands, hasFlag(args, /^-\w*a|^--append$/) ? 'append' : 'write');
    case 'touch':
    case 'truncate':
    case 'patch':
    case 'ed':
    case 'ex':
      return asAll(operands, 'write');
    case 'cp':
    case 'ln':
    case 'install':
    case 'rsync':
      return into(operands, args).written;
    case 'dd':
      return operands
        .filter(({ text }) => text.startsWith('of='))
        .map(({ text, wild }) => ({ word: { text: text.slice(3), wild }, how: 'write', tree: false }));
    case 'sed':
      return hasFlag(args, SED_IN_PLACE) ? asAll(operands, 'write') : [];
    case 'awk':
    case 'gawk':
      return isAmong(args, 'inplace') ? asAll(operands, 'write') : [];
    case 'sort':
    case 'curl':
    case 'wget':
      return asAll(
        behind(args, (flag) => /^-\w*[oO]$/.test(flag) || OUTPUT.has(flag)),
        'write',
      );
    case 'find':
      return findWrites(args) ? found(args) : [];
    case 'git':
      return byGit(args);
    case 'perl':
    case 'ruby':
      if (hasFlag(args, PERL_IN_PLACE)) return asAll(operands, 'write');
  }
  return asAll(byCode(name, args, input, variables), 'write');
}

const SED_IN_PLACE = /^-[A-Za-z]*i|^--in-place/;
/** `-0pi`, `-i.bak`; what stands behind `-I`, `-M` and `-m` is the name of a folder or a module. */
const PERL_IN_PLACE = /^-(?![IMm])\w*i/;

function hasFlag(args: readonly Word[], flag: RegExp): boolean {
  return args.some(({ text }) => flag.test(text));
}

function asAll(words: readonly Word[], how: Written['how'], tree = false): Written[] {
  return words.map((word) => ({ word, how, tree }));
}

const OUTPUT = new Set(['--output', '--output-document']);
const TARGET = new Set(['-t', '--target-directory']);

function isAmong(args: readonly Word[], ...flags: readonly string[]): boolean {
  return args.some(({ text }) => flags.includes(text));
}

/** The words that stand behind a flag. */
function behind(args: readonly Word[], isFlag: (text: string) => boolean): Word[] {
  return args.filter((_, at) => isFlag(args[at - 1]?.text ?? ''));
}

/** The target, which may be a folder: then the files under their own names in it. */
function into(operands: readonly Word[], args: readonly Word[]): { written: Written[]; sources: Word[] } {
  const target = behind(args, (flag) => TARGET.has(flag))[0] ?? operands.at(-1);
  if (target === undefined) return { written: [], sources: [] };
  const sources = operands.filter((word) => word !== target);
  const inside = sources.map(({ text, wild }) => ({
    text: `${target.text}/${baseName(text.replace(/\/+$/, ''))}`,
    wild: wild || target.wild,
  }));
  return { written: asAll([target, ...inside], 'write'), sources };
}

function moved(operands: readonly Word[], args: readonly Word[]): Written[] {
  const { written, sources } = into(operands, args);
  return [...asAll(sources, 'remove', true), ...written];
}

function byGit(args: readonly Word[]): Written[] {
  const [command, ...rest] = args.filter(({ text }) => !text.startsWith('-'));
  switch (command?.text ?? '') {
    case 'checkout':
    case 'restore':
      // What is staged alone is in no file.
      return isAmong(args, '-S', '--staged') && !isAmong(args, '-W', '--worktree')
        ? []
        : asAll(rest, 'restore');
    case 'rm':
      return isAmong(args, '--cached') ? [] : asAll(rest, 'remove', true);
    case 'mv':
      return moved(rest, args);
    case 'stash':
      return asAll(rest, 'write', true);
    case 'clean':
      return asAll(rest, 'remove', true);
    default:
      return [];
  }
}

/** What `find` may come upon: whatever bears a name that it looks for, or all that is below where it begins. */
export function found(args: readonly Word[]): Written[] {
  const end = args.findIndex(({ text }) => /^[-(!]/.test(text));
  const given = end === -1 ? args : args.slice(0, end);
  const starts = given.length === 0 ? [{ text: '.', wild: false }] : given;
  const names = behind(args, (flag) => flag === '-name');
  const ors = args.filter(({ text }) => text === '-o').length;
  if (names.length <= ors || isAmong(args, '!', '-not')) return asAll(starts, 'write', true);
  const patterns = starts.flatMap((start) =>
    names.map((name) => ({ text: `${start.text}/**/${name.text}`, wild: true })),
  );
  return asAll(patterns, 'write', true);
}

const EXEC = new Set(['-exec', '-execdir', '-ok']);

function findWrites(args: readonly Word[]): boolean {
  const [, program, ...given] = args.slice(args.findIndex(({ text }) => EXEC.has(text)));
  return isAmong(args, '-delete') || (program !== undefined && isWriter(baseName(program.text), given));
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
export function isWriter(name: string, args: readonly Word[]): boolean {
  if (name === 'sed') return hasFlag(args, SED_IN_PLACE);
  return name === 'perl' ? hasFlag(args, PERL_IN_PLACE) : WRITERS.has(name);
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
