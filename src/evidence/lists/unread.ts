/**
 * Lines that look like open tasks and are not items: in code, in a quote, in a legend, with a mark that
 * nobody knows. A person is told about each of them, because a loop completes without them.
 */
import { groupBy } from '#base/group-by.ts';
import { few } from '#law/words/phrases.ts';
import { isTick, stateOf } from './states.ts';
import { NOT_SIGNS, OPEN_SIGNS, SIGN } from './tables.ts';

export interface Unread {
  readonly line: number;
  /** Where it is, or what is odd about it: "in code". */
  readonly why: string;
}

const BULLET = String.raw`(?:[-*+•◦‣▪●○–—]|\d{1,9}[.)])`;
/**
 * Whatever may stand before a box at the beginning of a line: bullets, numbers, signs of a quote, heading or
 * comment.
 */
const LEAD = /^(?:[\s>#|*+•◦‣▪●○–—/~_(-]|\d{1,4}(?:\.\d{1,4}){0,4}[.):]?\s|[A-Za-z][.)]\s){0,12}/u;
const QUOTED = /^[ \t]*(?:>[ \t]?)+/;
const ROUND = new RegExp(String.raw`^[ \t]*${BULLET}[ \t]+\([ \t]?\)[ \t]+\S`, 'u');
const EMOJI = new RegExp(String.raw`^[ \t]*${BULLET}[ \t]+(${OPEN_SIGNS}|${NOT_SIGNS})`, 'u');
const SIGN_ALONE = new RegExp(String.raw`^[ \t]*(?:\*\*|__)?${SIGN}`, 'su');
const WORD = new RegExp(String.raw`^[ \t]*${BULLET}[ \t]+\[([^[\]\n]{1,20})\](?=[ \t])`, 'u');
const GLYPH = /[☐⬜🔲]/u;
const STATUS_LINE = /\bstatus\b[^:\n]{0,6}:[*_\s]*([^\n.,;:(|–—]{1,30})/iu;
const HTML = /<input\b[^>]*\btype=["']?checkbox(?![^>]*\bchecked)|^[ \t]*<li>[ \t]*\[[ ]?\]/i;

/** A line in code or in a comment that begins like an open task. */
export function hiddenTask(line: string): boolean {
  const words = unescaped(line.replace(/^\s*(?:<!--|<li>)/i, '')).replace(LEAD, '');
  return /^`?\[[ ~/-]?\](?![(:[])/.test(words) || /^[☐⬜🔲]/u.test(words);
}

/** An open box anywhere in a line. What is in backticks is only mentioned, and `x[ ]` is code. */
export function hasOpenBox(line: string): boolean {
  const plain = unescaped(line).replace(/`[^`]*`/g, '');
  return hiddenTask(line) || /(?:^|[^\w\])!])\[ \](?![([:])/.test(plain) || GLYPH.test(plain);
}

function unescaped(line: string): string {
  return line.replace(/\\([[\]])/g, '$1');
}

/** A line that is not an item, outside of code and comments; null: nothing about it looks like a task. */
export function whyUnread(line: string): string | null {
  if (QUOTED.test(line)) return hasOpenBox(line) ? 'in a quote' : null;
  if (/^[ \t]*<!--.*-->/.test(line)) return hiddenTask(line) ? 'in a comment' : null;
  if (HTML.test(line)) return 'in HTML';
  if (/^[ \t]*\|/.test(line)) return whyRow(line);
  if (ROUND.test(line)) return 'in round brackets';
  const [, emoji] = EMOJI.exec(line) ?? [];
  if (emoji !== undefined) return `marked ${emoji} without a box`;
  const [, word = ''] = WORD.exec(line) ?? [];
  if (isOddMark(word)) return `marked [${word}]`;
  if (isStatusAlone(line) || isUndone(STATUS_LINE.exec(line)?.[1] ?? 'done')) return 'a status without a box';
  return hasOpenBox(line) ? 'a box inside a line' : null;
}

/** `🟡 In progress` outside a list: it says how the whole file or section stands. */
export function isStatusAlone(line: string): boolean {
  const [, , words = ''] = SIGN_ALONE.exec(line) ?? [];
  return words !== '' && isUndone(words);
}

function isUndone(status: string): boolean {
  return ['open', 'held'].includes(stateOf(status.replace(/[*_]+$/, '')));
}

/** A row without exactly one box. */
function whyRow(row: string): string | null {
  if (/\|[ \t]*`?\[ ?\](?!\w)/.test(row)) return 'a row with several boxes';
  return hasOpenBox(row) ? 'a box inside a line' : null;
}

/**
 * A heading whose word in brackets is not a mark here. `done`: other headings say done, so a word that is not
 * a state (`[HIGH]`) probably means work.
 */
export function whyHeading(heading: string, done: boolean): string | null {
  const words = [...heading.matchAll(/(?:^|\s)\[([^[\]\n]{2,20})\](?=\s|$)/g)].map(([, word = '']) => word);
  const odd = words.find((word) => isUndone(word) || (done && isOddMark(word)));
  return odd === undefined ? null : `marked [${odd}]`;
}

/**
 * `[PARKED]`, `[50%]`, `[P]`: in capitals, a letter or with a figure, and no state. `[1]` and `[P1]` are
 * references.
 */
function isOddMark(word: string): boolean {
  if (/^\d{1,3}\s*%$|^\d{1,3}\/\d{1,3}$|^[^\p{L}\d\s]{2,3}$|^\p{L}$/u.test(word)) return true;
  return /^[A-Z][A-Z _-]+$/.test(word) && !isTick(word) && stateOf(word) === 'unknown';
}

/** For a note: "line 3 (in code), lines 8 and 9 (in a quote)". */
export function sayUnreadLines(unread: readonly Unread[]): string {
  const lines = groupBy(unread, ({ why }) => why);
  const said = few(
    [...lines],
    ([why, at]) =>
      `${at.length === 1 ? 'line' : 'lines'} ${few(at, ({ line }) => String(line), 4).join(', ')} (${why})`,
    5,
  );
  return `does not count ${said.join(', ')}`;
}
