/** What a command writes, and the looks into its words by which that is told. */
import type { Word } from './shell-words.ts';

export interface Written {
  readonly word: Word;
  /**
   * `append`: what is there stays. `restore`: by what git has of it, which may be what it was. `clean`: what git does not
   * keep goes, and what it keeps stays.
   */
  readonly how: 'write' | 'append' | 'remove' | 'restore' | 'clean';
  /** All that is below it as well. */
  readonly tree: boolean;
}

export function asAll(words: readonly Word[], how: Written['how'], tree = false): Written[] {
  return words.map((word) => ({ word, how, tree }));
}

export function hasFlag(args: readonly Word[], flag: RegExp): boolean {
  return args.some(({ text }) => flag.test(text));
}

export function hasAny(args: readonly Word[], ...flags: readonly string[]): boolean {
  return args.some(({ text }) => flags.includes(text));
}

/** The words that stand behind a flag. */
export function behind(args: readonly Word[], isFlag: (text: string) => boolean): Word[] {
  return args.filter((_, at) => isFlag(args[at - 1]?.text ?? ''));
}

/** What is neither an option nor the value of one. Behind `--` there are no options. */
export function operandsOf(args: readonly Word[], valued: ReadonlySet<string> = new Set()): Word[] {
  const end = args.findIndex(({ text }) => text === '--');
  const before = end === -1 ? args : args.slice(0, end);
  return [
    ...before.filter(({ text }, at) => !text.startsWith('-') && !valued.has(before[at - 1]?.text ?? '')),
    ...(end === -1 ? [] : args.slice(end + 1)),
  ];
}

const TARGET = new Set(['-t', '--target-directory']);

/** The target, which may be a folder: then the files under their own names in it. */
export function into(
  operands: readonly Word[],
  args: readonly Word[],
): { written: Written[]; sources: Word[] } {
  const target = behind(args, (flag) => TARGET.has(flag))[0] ?? operands.at(-1);
  if (target === undefined) return { written: [], sources: [] };
  const sources = operands.filter((word) => word !== target);
  const inside = sources.map(({ text, wild }) => ({
    text: `${target.text}/${baseName(text.slice(0, endOf(text)))}`,
    wild: wild || target.wild,
  }));
  return { written: asAll([target, ...inside], 'write'), sources };
}

/** Without the slashes at its end. By hand, as `/\/+$/` begins anew at every slash of a long row. */
function endOf(path: string): number {
  let end = path.length;
  while (path.charAt(end - 1) === '/') end--;
  return end;
}

export function moved(operands: readonly Word[], args: readonly Word[]): Written[] {
  const { written, sources } = into(operands, args);
  return [...asAll(sources, 'remove', true), ...written];
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
