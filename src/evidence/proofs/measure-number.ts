/**
 * Reads the number of a measure from what its command printed. It must be the only number on the last line
 * that has any, and plain: digits, perhaps a sign, a point and an exponent. Whatever could be read in two
 * ways (`10,5`, `1.1M`, `3/4`) is no measure: it may decide whether a task is done.
 */
import { harmless, oneLine } from '#base/words/sanitize.ts';

export type NumberRead = { readonly value: number } | { readonly value: null; readonly why: string };

/** `bc` prints `.5`, and `awk` prints `1.2e+06`. */
const PLAIN = /^[-+]?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][-+]?\d+)?$/;
/** No number is longer. The end of an output may begin in the middle of one. */
const MAX_NUMBER_CHARS = 40;
const MAX_LINE_CHARS_SHOWN = 60;

/** Null: there is none. */
export function readNumber(output: string): NumberRead | null {
  const lines = harmless(output).split('\n');
  const line = lines.findLast((one) => numbersIn(one).length > 0);
  return line === undefined ? null : readLine(line);
}

function readLine(line: string): NumberRead {
  const [only = '', ...more] = numbersIn(line);
  const shown = JSON.stringify(oneLine(only, MAX_LINE_CHARS_SHOWN));
  if (more.length > 0)
    return unread(
      `its last line with a number has ${more.length + 1} of them: ${oneLine(line, MAX_LINE_CHARS_SHOWN)}`,
    );
  if (!PLAIN.test(only) || only.length > MAX_NUMBER_CHARS)
    return unread(`${shown} is not a plain number: print its digits alone, with a point before a fraction`);
  const value = Number(only);
  return Number.isFinite(value) ? { value } : unread(`${shown} is too large for a number`);
}

function unread(why: string): NumberRead {
  return { value: null, why };
}

/**
 * Words that begin with a digit, a sign or the like. Digits inside of another word, as in `x86`, are no
 * number.
 */
function numbersIn(line: string): string[] {
  // Not declared outside: a Unicode class takes a moment to set up.
  const between = /[\s|;:=()[\]{}<>"`/%*]+|,(?!\p{N})|(?<!\p{N}),/u;
  const isNumber = /^[^\p{L}_]*\p{N}/u;
  return line
    .split(between)
    .map((word) => word.replace(/[.!?]+$/, ''))
    .filter((word) => isNumber.test(word));
}
