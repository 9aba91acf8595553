/** What `find` comes upon, and what it runs on that. */
import type { Word } from './shell-words.ts';
import { behind, hasAny, type Written } from './shell-written.ts';

const NAMES = new Set(['-name', '-iname']);
const PATHS = new Set(['-path', '-wholename']);
const NOT = new Set(['!', '-not']);
const ORS = new Set(['-o', '-or', ',']);
const EXEC = new Set(['-exec', '-execdir', '-ok', '-okdir']);
const ENDS = new Set([';', '+']);
const PRINTS = new Set(['-fprint', '-fprint0', '-fprintf', '-fls']);

/** Whatever bears a name that it looks for, or all that is below where it begins. */
export function found(args: readonly Word[]): Written[] {
  const end = args.findIndex(({ text }) => /^[-(!]/.test(text));
  const given = end === -1 ? args : args.slice(0, end);
  const starts = given.length === 0 ? [{ text: '.', wild: false }] : given;
  const wanted = args.flatMap((word, at) =>
    NOT.has(args[at - 2]?.text ?? '') ? [] : asked(args[at - 1]?.text ?? '', word.text, starts),
  );
  const ors = args.filter(({ text }) => ORS.has(text)).length;
  // A name that it is not to bear only narrows the search; a group that it is not to fit may deny the names in it.
  const denies = args.some(({ text }, at) => NOT.has(text) && args[at + 1]?.text === '(');
  const words = wanted.length <= ors || denies ? starts : wanted.flat();
  return words.map((word) => ({ word, how: 'write', tree: true }));
}

/** What one of its tests leaves of what is below `starts`; none: it is no test of names. */
function asked(flag: string, text: string, starts: readonly Word[]): Word[][] {
  if (NAMES.has(flag)) return [starts.map((start) => ({ text: `${start.text}/**/${text}`, wild: true }))];
  if (!PATHS.has(flag)) return [];
  // To `find` a `*` goes through folders, to us it does not: what is plain is the folder in front of it.
  const plain = text.slice(0, Math.max(0, text.search(/[*?[]|$/)));
  const folder = plain === text ? text : plain.slice(0, Math.max(0, plain.lastIndexOf('/')));
  return [folder === '' ? [...starts] : [{ text: folder, wild: false }]];
}

/** The commands that it runs, each with `{}` for what was found. */
export function execsOf(args: readonly Word[]): Word[][] {
  const commands: Word[][] = [];
  let open: Word[] | null = null;
  for (const arg of args) {
    if (open === null) {
      if (EXEC.has(arg.text)) commands.push((open = []));
    } else if (ENDS.has(arg.text)) open = null;
    else open.push(arg);
  }
  return commands;
}

export function deletes(args: readonly Word[]): boolean {
  return hasAny(args, '-delete');
}

/** What it prints into files of its own. */
export function printed(args: readonly Word[]): Written[] {
  return behind(args, (flag) => PRINTS.has(flag)).map((word) => ({ word, how: 'write', tree: false }));
}
