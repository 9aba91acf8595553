/** Cuts the flags out of raw text, where no shell has split the words or taken off the quotes. What remains is the prompt. */
import type { Reading } from './values.ts';
import { canBeValue, FLAG_NAME, missingValue, needlessValue } from './words.ts';
import { flagNamed, type Flag, type Given } from './table.ts';
import {
  holdsStrayQuote,
  isOneQuotedPiece,
  OPENING_QUOTE,
  quoteCloser,
  unquote,
  type CloseOf,
} from './quotes.ts';
import { refuse, type Refusal } from '../core/refusal.ts';

export interface Cut {
  readonly prompt: string;
  readonly given: readonly Given[];
}

export function cutFlags(raw: string): Reading<Cut> {
  const closeOf = quoteCloser(raw);
  const nextFlagWord = flagWordFinder(raw, closeOf);
  const given: Given[] = [];
  let prompt = '';
  let from = 0;
  for (let word = nextFlagWord(from); word; word = nextFlagWord(from)) {
    prompt = joinParts(prompt, raw.slice(from, word.start));
    from = word.start + word.text.length;
    if (word.text === '--') break;
    const flag = flagNamed(word.text);
    if (!flag.ok) return flag;
    const read = readValue(raw, from, flag.value, closeOf);
    if (!read.ok) return read;
    given.push({ flag: flag.value, value: read.value.text });
    from = read.value.end;
  }
  const rest = joinParts(prompt, raw.slice(from)).trim();
  return { ok: true, value: { prompt: isOneQuotedPiece(rest) ? unquote(rest) : rest, given } };
}

/** Finds the next word that looks like a flag, from a place on. What stands in quotes is passed over. */
function flagWordFinder(raw: string, closeOf: CloseOf) {
  const landmark = new RegExp(`(?<!\\S)(?<word>--(?!\\S)|${FLAG_NAME.source})|${OPENING_QUOTE.source}`, 'gu');
  return (from: number): { start: number; text: string } | null => {
    landmark.lastIndex = from;
    for (let found = landmark.exec(raw); found; found = landmark.exec(raw)) {
      const word = found.groups?.word;
      if (word !== undefined) return { start: found.index, text: word };
      landmark.lastIndex = (closeOf(found.index) ?? found.index) + 1;
    }
    return null;
  };
}

/** A flag goes with the white space on one side of it: the side that says less, so that paragraphs stay apart. */
function joinParts(before: string, after: string): string {
  const head = before.trimEnd();
  const tail = after.trimStart();
  const left = before.slice(head.length);
  const right = after.slice(0, after.length - tail.length);
  const rightSaysMore = lineBreaks(right) - lineBreaks(left) || right.length - left.length;
  return head + (rightSaysMore > 0 ? right : left) + tail;
}

function lineBreaks(space: string): number {
  return space.split('\n').length - 1;
}

function readValue(
  raw: string,
  at: number,
  flag: Flag,
  closeOf: CloseOf,
): Reading<{ text: string; end: number }> {
  if (flag.value === null)
    return raw.charAt(at) === '=' ? needlessValue(flag) : { ok: true, value: { text: '', end: at } };
  const behind = /(?<gap>=|\s*)(?<word>\S*)/y;
  behind.lastIndex = at;
  const { gap = '', word = '' } = behind.exec(raw)?.groups ?? {};
  if (word === '' || (gap !== '=' && !canBeValue(word))) return missingValue(flag);
  const start = at + gap.length;
  const close = /^["']/.test(word) ? closeOf(start) : start + word.length - 1;
  if (close === null) return badQuote(flag, 'opens a quote that is not closed');
  const piece = raw.slice(start, close + 1);
  if (holdsStrayQuote(piece)) return badQuote(flag, 'has a quote inside its value');
  if (/\S/.test(raw.charAt(close + 1))) return badQuote(flag, 'has text right behind its closing quote');
  return { ok: true, value: { text: unquote(piece), end: close + 1 } };
}

function badQuote({ flag, value }: Flag, what: string): Refusal {
  return refuse(
    'bad-quote',
    `${flag} ${what}.`,
    `Put the whole value in double quotes, with \\" for a quote in it: ${flag} "${value ?? ''}".`,
  );
}
