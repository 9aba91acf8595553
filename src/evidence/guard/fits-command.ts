/**
 * Whether a rule about commands, such as `git push *`, fits a plain command, or a text that something may
 * run.
 */
import { fitsPattern } from '#input/config/approval-rules.ts';
import { programName } from './plain.ts';
import type { RawText } from './raw-text.ts';

/** More options than these between two words of a command are not an honest line. */
const MAX_WORDS_SKIPPED = 20;
/** More places of one program in one command neither. */
const MAX_PLACES_KEPT = 50;
/** Only the shell, or the program that gets it, knows what such a word stands for. */
const UNKNOWN = /[$`*?[{]/;

type Spelling = ReturnType<typeof spellingOf>;

export function spellingOf(words: readonly string[]) {
  const places = new Map<string, number[]>();
  /** Words of which only the beginning is known, such as `gi?`. */
  const halfKnown: { at: number; known: string }[] = [];
  for (const [at, text] of words.entries()) {
    const name = programName(text);
    const before = places.get(name);
    if (before === undefined) places.set(name, [at]);
    else if (before.length < MAX_PLACES_KEPT) before.push(at);
    const known = name.search(UNKNOWN);
    if (known > 0 && halfKnown.length < MAX_PLACES_KEPT) halfKnown.push({ at, known: name.slice(0, known) });
  }
  return { line: words.join(' '), words, places, halfKnown };
}

/**
 * A plain command. Between the words of the rule there may be options (`kubectl -n prod delete`), and before
 * them a program that runs the rest (`poetry run git push`), unless it only `reads`.
 */
export function fitsCommand(pattern: string, spelling: Spelling, reads: boolean): boolean {
  return fitsPattern(pattern, spelling.line) || fitsWords(pattern, spelling, reads);
}

/**
 * A text: all words of the rule are in it, in any order, or a word that only the shell knows follows the
 * program.
 */
export function mentionsCommand(
  pattern: string,
  { text, tokens, names }: RawText,
  spelling: Spelling,
): boolean {
  const isNamed = pattern
    .replace(/:\*$/, ' *')
    .split(/\s+/)
    .every((word, at) =>
      word.includes('*')
        ? word.split('*').every((piece) => text.includes(piece))
        : tokens.has(word) || (at === 0 && names.has(word)),
    );
  return isNamed || fitsCommand(pattern, spelling, false);
}

/** Whether the rule fits the command that begins at one of its words, in the spelling of the rule. */
function fitsWords(pattern: string, { words, places, halfKnown }: Spelling, reads: boolean): boolean {
  const [before = '', ...after] = pattern.replace(/:\*$/, ' *').split('*');
  const [program = '', ...others] = before.split(' ').filter(Boolean);
  // One word alone would also fit names: `npm install stripe`.
  if (others.length === 0) return false;
  const name = programName(program);
  const begins = [
    ...(places.get(name) ?? []),
    ...halfKnown.flatMap(({ at, known }) => (name.startsWith(known) ? [at] : [])),
  ];
  const isOpen = after.length > 0 && !before.endsWith(' ');
  return begins.some((begin) => {
    if (reads && begin > 0) return false;
    const line = [program];
    let at = begin + 1;
    for (const [k, wanted] of others.entries()) {
      const found = findNextWord(wanted, isOpen && k === others.length - 1, words, at);
      if (found === null) return false;
      at = found.at + 1;
      line.push(found.text);
    }
    return fitsPattern(pattern, [...line, ...words.slice(at)].join(' '));
  });
}

/** The next word of the rule. Before it there may be options, each with a value. */
function findNextWord(
  wanted: string,
  isOpen: boolean,
  words: readonly string[],
  from: number,
): { readonly at: number; readonly text: string } | null {
  let isValue = false;
  for (let at = from; at < Math.min(words.length, from + MAX_WORDS_SKIPPED); at++) {
    const text = words[at] ?? '';
    if (text === wanted || (isOpen && text.startsWith(wanted))) return { at, text };
    if (/^[-+]/.test(text)) isValue = !text.includes('=');
    else if (isValue) isValue = false;
    else {
      const known = text.search(UNKNOWN);
      return known !== -1 && wanted.startsWith(text.slice(0, known)) ? { at, text: wanted } : null;
    }
  }
  return null;
}
