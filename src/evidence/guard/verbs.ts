/**
 * Which of its words a command writes: one table from verbs to rules. Only named files count. If `git stash`,
 * `git merge` or a script changes a protected file without naming it, the stop finds that.
 */
import { baseName, type Word } from './plain.ts';

export interface WrittenFile {
  readonly word: Word;
  /**
   * `append`: keeps the content. `restore`: git puts back its version, which may be the baseline. `clean`:
   * removes what git does not track and keeps the rest.
   */
  readonly how: 'write' | 'append' | 'remove' | 'restore' | 'clean';
  /** Whether everything below it is written too. */
  readonly tree: boolean;
}

type Rule = (args: readonly Word[]) => WrittenFile[];

const RULES: readonly (readonly [readonly string[], Rule])[] = [
  [['rm', 'rmdir', 'unlink', 'shred', 'git rm'], removed],
  [['mv', 'git mv'], moved],
  [['cp', 'ln', 'install', 'rsync'], (args) => into(args).written],
  [['touch', 'truncate', 'ed', 'ex'], (args) => asAll(operandsOf(args), 'write')],
  [['chmod', 'chown'], (args) => asAll(operandsOf(args), 'write', has(args, /^-\w*R|^--recursive/))],
  [['tee'], (args) => asAll(operandsOf(args), has(args, /^-\w*a|^--append$/) ? 'append' : 'write')],
  [['dd'], (args) => asAll(outputsOf(args), 'write')],
  [['sed'], inPlace(/^-[A-Za-z]*i|^--in-place/)],
  // `-I`, `-M` and `-m` are followed by the name of a folder or a module.
  [['perl', 'ruby'], inPlace(/^-(?![IMm])\w*i/)],
  [['awk', 'gawk', 'mawk'], inPlace(/^inplace$/)],
  [['sort', 'curl', 'wget'], (args) => asAll(valuesOf(args, /^-\w*[oO]$|^--output(?:-document)?$/), 'write')],
  [['sponge'], (args) => asAll(operandsOf(args), has(args, /^-a$/) ? 'append' : 'write')],
  // Its second word is the patch.
  [['patch'], (args) => asAll(operandsOf(args, /^-[iodprBFDYzVg]$|^--strip$/).slice(0, 1), 'write')],
  [['git checkout'], checkedOut],
  [['git restore'], restored],
  [['git stash'], stashed],
  [['git clean'], cleaned],
];
const VERBS = new Map(RULES.flatMap(([verbs, rule]) => verbs.map((verb) => [verb, rule] as const)));

export function writtenBy(verb: string, args: readonly Word[]): WrittenFile[] | null {
  return VERBS.get(verb)?.(args) ?? null;
}

function asAll(words: readonly Word[], how: WrittenFile['how'], tree = false): WrittenFile[] {
  return words.map((word) => ({ word, how, tree }));
}

function has(args: readonly Word[], flag: RegExp): boolean {
  return args.some(({ text }) => flag.test(text));
}

/** The values of a flag, including those after its `=` or, for a one-letter flag, in the same word. */
function valuesOf(args: readonly Word[], flag: RegExp): Word[] {
  return args.flatMap((word, at) => {
    if (flag.test(args[at - 1]?.text ?? '')) return [word];
    const cut = word.text.startsWith('--') ? word.text.indexOf('=') : 2;
    if (cut === -1 || !word.text.startsWith('-') || !flag.test(word.text.slice(0, cut))) return [];
    const text = word.text.slice(cut).replace(/^=/, '');
    return text === '' ? [] : [{ text, wild: word.wild }];
  });
}

/** Words that are neither an option nor the value of one. After `--` there are no options. */
export function operandsOf(args: readonly Word[], valued?: RegExp): Word[] {
  const end = args.findIndex(({ text }) => text === '--');
  const before = end === -1 ? args : args.slice(0, end);
  const isValue = (at: number): boolean => valued?.test(before[at - 1]?.text ?? '') ?? false;
  return [
    ...before.filter(({ text }, at) => !text.startsWith('-') && !isValue(at)),
    ...(end === -1 ? [] : args.slice(end + 1)),
  ];
}

function inPlace(flag: RegExp): Rule {
  return (args) => (has(args, flag) ? asAll(operandsOf(args), 'write') : []);
}

function outputsOf(args: readonly Word[]): Word[] {
  return args.flatMap(({ text, wild }) => (text.startsWith('of=') ? [{ text: text.slice(3), wild }] : []));
}

function removed(args: readonly Word[]): WrittenFile[] {
  return has(args, /^(?:--cached|--dry-run|-n)$/) ? [] : asAll(operandsOf(args), 'remove', true);
}

function moved(args: readonly Word[]): WrittenFile[] {
  const { sources, written } = into(args);
  return [...asAll(sources, 'remove', true), ...written];
}

/** The target may be a folder. Then the files keep their names in it. */
function into(args: readonly Word[]): { sources: Word[]; written: WrittenFile[] } {
  const words = operandsOf(args);
  const target = valuesOf(args, /^(?:-t|--target-directory)$/)[0] ?? words.at(-1);
  if (target === undefined) return { sources: [], written: [] };
  const sources = words.filter((word) => word !== target);
  const inside = sources.map(({ text, wild }) => ({
    text: `${target.text}/${lastName(text)}`,
    wild: wild || target.wild,
  }));
  return { sources, written: asAll([target, ...inside], 'write') };
}

/** Without a regular expression: `/\/+$/` would start again at every slash of a long row. */
function lastName(path: string): string {
  let end = path.length;
  while (path.charAt(end - 1) === '/') end--;
  return baseName(path.slice(0, end));
}

/** Git expands wildcards itself, so quotes do not stop them. Words before `--` are commits. */
function gitPaths(args: readonly Word[], valued: RegExp): Word[] {
  const end = args.findIndex(({ text }) => text === '--');
  const words = end === -1 ? operandsOf(args, valued) : args.slice(end + 1);
  return words.map(({ text, wild }) => ({ text, wild: wild || /[*?]/.test(text) }));
}

function checkedOut(args: readonly Word[]): WrittenFile[] {
  const isBranch = has(args, /^(?:-[bBdt]|--orphan|--detach|--track)$/);
  return isBranch ? [] : asAll(gitPaths(args, /^--conflict$/), 'restore', true);
}

function restored(args: readonly Word[]): WrittenFile[] {
  const onlyStaged = has(args, /^(?:-S|--staged)$/) && !has(args, /^(?:-W|--worktree)$/);
  return onlyStaged ? [] : asAll(gitPaths(args, /^(?:-s|--source)$/), 'restore', true);
}

const ALL_UNTRACKED = asAll([{ text: '.', wild: false }], 'clean', true);

/** `--all` also stashes what git does not track. */
function stashed(args: readonly Word[]): WrittenFile[] {
  const pushes = args[0]?.text === 'push';
  if (!pushes && args[0] !== undefined && !args[0].text.startsWith('-')) return [];
  const words = gitPaths(pushes ? args.slice(1) : args, /^(?:-m|--message)$/);
  const isAll = words.length === 0 && has(args, /^(?:-\w*a|--all)$/);
  return isAll ? ALL_UNTRACKED : asAll(words, 'restore', true);
}

/** Without `-x` git keeps ignored files, and so ours. With `--exclude` it may, so it is not refused. */
function cleaned(args: readonly Word[]): WrittenFile[] {
  if (has(args, /^(?:-[a-zA-Z]*n[a-zA-Z]*|--dry-run)$/)) return [];
  const words = gitPaths(args, /^(?:-e|--exclude)$/);
  const isAll = has(args, /^-[a-zA-Z]*[xX]/) && !has(args, /^(?:-[a-zA-Z]*e|--exclude)/);
  return words.length === 0 && isAll ? ALL_UNTRACKED : asAll(words, 'remove', true);
}
