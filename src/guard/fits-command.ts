/**
 * Whether a rule fits a command that is spelled in another way: with options between its words (`kubectl -n prod delete`),
 * behind a program that runs it (`poetry run git push`), or with words that only the shell knows (`git $x`).
 */
import { fitsPattern } from '../flags/approval-rules.ts';
import { baseName, type Word } from './shell.ts';

/** More options than these between two words is no plain line. */
const MOST_SKIPPED = 20;
const MOST_PLACES = 50;

interface Head {
  readonly words: readonly string[];
  /** The last word may go on: `npm run deploy*`. */
  readonly isOpen: boolean;
}

/** The words of a command, and where each name of a program stands among them. */
export interface Spelling {
  readonly words: readonly Word[];
  readonly places: ReadonlyMap<string, readonly number[]>;
}

export function spellingOf(given: readonly Word[]): Spelling {
  const words = withoutDashes(given);
  const places = new Map<string, number[]>();
  for (const [at, { text }] of words.entries()) {
    const name = programName(text);
    const known = places.get(name);
    if (known === undefined) places.set(name, [at]);
    else if (known.length < MOST_PLACES) known.push(at);
  }
  return { words, places };
}

/** `anywhere`: the program may run a command that is among its words. */
export function fitsCommand(pattern: string, { words, places }: Spelling, anywhere: boolean): boolean {
  const head = headOf(pattern);
  // One word alone would also fit names: `npm install stripe`.
  if (head.words.length < 2) return false;
  const named = anywhere ? (places.get(programName(head.words[0] ?? '')) ?? []) : [];
  return [0, ...named].some((at) => {
    const line = spelled(head, words, at);
    return line !== null && fitsPattern(pattern, line);
  });
}

function headOf(pattern: string): Head {
  const [before = '', ...after] = pattern.replace(/:\*$/, ' *').split('*');
  return { words: before.split(' ').filter(Boolean), isOpen: after.length > 0 && !before.endsWith(' ') };
}

/** `git-push` is `git push`. */
function withoutDashes(words: readonly Word[]): readonly Word[] {
  const [first, ...rest] = words;
  const name = /^git-([a-z-]+)$/.exec(programName(first?.text ?? ''))?.[1];
  const plain = (text: string): Word => ({ text, wild: false });
  return name === undefined ? words : [plain('git'), plain(name), ...rest];
}

function programName(text: string): string {
  return baseName(text)
    .replace(/\.exe$/i, '')
    .toLowerCase();
}

/** The command that begins at this word, in the spelling of the rule; null: it is another one. */
function spelled({ words: wanted, isOpen }: Head, words: readonly Word[], begin: number): string | null {
  const first = words[begin];
  if (first === undefined) return null;
  const isNamed = programName(first.text) === programName(wanted[0] ?? '');
  // A word that nobody knows is taken for the program only where a program stands.
  if (!isNamed && !(begin === 0 && isUnknown(first))) return null;
  let known = isNamed ? 1 : 0;
  let at = begin + 1;
  const line = [wanted[0] ?? ''];
  for (const [k, word] of wanted.entries()) {
    if (k === 0) continue;
    const found = find(word, isOpen && k === wanted.length - 1, words, at);
    if (found === null) return null;
    if (found.isKnown) known++;
    at = found.at + 1;
    line.push(found.text);
  }
  return known === 0 ? null : [...line, ...words.slice(at).map(({ text }) => text)].join(' ');
}

/** The next word of the rule. Before it there may be options, each with a value. */
function find(
  wanted: string,
  isOpen: boolean,
  words: readonly Word[],
  from: number,
): { readonly at: number; readonly text: string; readonly isKnown: boolean } | null {
  let isValue = false;
  for (let at = from; at < Math.min(words.length, from + MOST_SKIPPED); at++) {
    const word = words[at];
    if (word === undefined) return null;
    const { text } = word;
    if (text === wanted || (isOpen && text.startsWith(wanted))) return { at, text, isKnown: true };
    if (/^[-+]/.test(text)) isValue = !text.includes('=');
    else if (isValue) isValue = false;
    else return isUnknown(word) ? { at, text: wanted, isKnown: false } : null;
  }
  return null;
}

/** Only the shell, or the program that gets it, knows what it stands for. */
function isUnknown({ text, wild }: Word): boolean {
  return wild || text.includes('$') || text === '{}';
}
