/**
 * Splits raw text, which no shell has split or unquoted, into the words of its flags, as a shell would give
 * them, and the prompt, which stays unchanged.
 *
 * `--` ends the flags only before the first word of the prompt. After one it is a dash in prose, and stays:
 * in "fix the parser -- it is broken --max-iterations 20" the limit counts. (In a shell, `--` ends the flags
 * anywhere.)
 *
 * Prompts quote other programs: "docker run --name web nginx". We refuse a flag with a value whose name is a
 * plain word between words of one line: it may be prose, which we would lose. At either end of a line it
 * counts.
 */
import { nearest } from '#base/words/did-you-mean.ts';
import { canBeValue, flagName } from './words.ts';
import type { Reading } from './values.ts';
import { flagsIn, type Flag, type FlagTable } from './flag.ts';
import { refuse, type Refusal } from '#base/refusal.ts';

interface FlagSpan {
  readonly start: number;
  readonly end: number;
  /** As a shell would give it, with `=` and the value. */
  readonly word: string;
  /** Undefined: it only looks like a flag. */
  readonly flag: Flag | undefined;
}

export function cutFlags(
  raw: string,
  flags: FlagTable,
): Reading<{ readonly prompt: string; readonly flags: readonly string[] }> {
  const table = flagsIn(flags);
  const spans = flagSpans(raw, table);
  if (!spans.ok) return spans;
  // The parser names a misspelt flag. Its words must not make another flag look as if it stood in prose.
  const doubtful = spans.value.some((span) => isMisspelt(span, table)) ? null : flagInProse(raw, spans.value);
  if (doubtful !== null) return doubtful;
  let prompt = '';
  let from = 0;
  for (const { start, end } of spans.value) {
    prompt = joinParts(prompt, raw.slice(from, start));
    from = end;
  }
  prompt = joinParts(prompt, raw.slice(from)).trim();
  return {
    ok: true,
    value: {
      prompt: isOneQuotedPiece(prompt) ? unquote(prompt) : prompt,
      flags: spans.value.map(({ word }) => word),
    },
  };
}

/**
 * Finds the flags. It refuses only bad quotes; the parser refuses everything else that is wrong with a flag.
 */
function flagSpans(raw: string, table: readonly Flag[]): Reading<FlagSpan[]> {
  const closeOf = quoteCloser(raw);
  const nextFlagWord = flagWordFinder(raw, closeOf);
  const spans: FlagSpan[] = [];
  let hasPrompt = false;
  let from = 0;
  for (let found = nextFlagWord(from); found; found = nextFlagWord(from)) {
    const { start, text } = found;
    hasPrompt ||= /\S/.test(raw.slice(from, start));
    from = start + text.length;
    if (text === '--') {
      if (hasPrompt) continue;
      spans.push({ start, end: from, word: text, flag: undefined });
      break;
    }
    const flag = table.find((one) => one.flag === text);
    const value = readValue(raw, from, flag, closeOf);
    if (!value.ok) return value;
    from = value.value.end;
    spans.push({ start, end: from, word: text + value.value.text, flag });
  }
  return { ok: true, value: spans };
}

function isMisspelt({ word, flag }: FlagSpan, table: readonly Flag[]): boolean {
  const names = table.map((one) => one.flag);
  return flag === undefined && word !== '--' && nearest(word.replace(/=$/, ''), names) !== null;
}

/** Takes the flags out first, then checks whether there are words around each in what is left. */
function flagInProse(raw: string, spans: readonly FlagSpan[]): Refusal | null {
  const doubtful: { readonly flag: Flag; readonly at: number }[] = [];
  let left = '';
  let from = 0;
  for (const { start, end, flag } of spans) {
    left += raw.slice(from, start);
    from = end;
    if (flag !== undefined && isPlainWord(flag)) doubtful.push({ flag, at: left.length });
  }
  left += raw.slice(from);
  const found = doubtful.find(({ at }) => isBetweenWords(left, at));
  if (found === undefined) return null;
  return refuse(
    'flag-in-prose',
    `${found.flag.flag} is between words of the prompt, so it may be part of the text.`,
    'If it is a flag, put it before or after the prompt, and a value of several words in quotes. If not, ' +
      'put that part in quotes, or write -- before the prompt.',
  );
}

function isBetweenWords(text: string, at: number): boolean {
  const between = /(?<=\S[^\S\n]*)(?=[^\S\n]*\S)/y;
  between.lastIndex = at;
  return between.test(text);
}

/** Other programs may have a `--name NAME` too, but hardly a `--max-iterations N`. */
function isPlainWord({ flag, value }: Flag): boolean {
  return value !== null && !flag.includes('-', 2);
}

/** Finds the next word that looks like a flag, from a position on. It skips quoted text. */
function flagWordFinder(raw: string, closeOf: CloseOf) {
  const landmark = new RegExp(
    `(?<!\\S)(?<word>--(?!\\S)|${flagName().source})|${OPENING_QUOTE.source}`,
    'gu',
  );
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

/** Removes a flag with the white space on one side: the smaller one, so that paragraphs stay separate. */
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

/** The value of a flag, with `=` before it, and where it ends. The text is empty without a value. */
function readValue(
  raw: string,
  at: number,
  flag: Flag | undefined,
  closeOf: CloseOf,
): Reading<{ text: string; end: number }> {
  const none = { ok: true, value: { text: '', end: at } } as const;
  if (flag === undefined || flag.value === null)
    return raw.charAt(at) === '=' ? { ok: true, value: { text: '=', end: at + 1 } } : none;
  const behind = /(?<gap>=|\s*)(?<word>\S*)/y;
  behind.lastIndex = at;
  const { gap = '', word = '' } = behind.exec(raw)?.groups ?? {};
  if (word === '' || (gap !== '=' && !canBeValue(word))) return none;
  const start = at + gap.length;
  const close = /^["']/.test(word) ? closeOf(start) : start + word.length - 1;
  if (close === null) return badQuote(flag, 'opens a quote that is not closed');
  const piece = raw.slice(start, close + 1);
  if (holdsStrayQuote(piece)) return badQuote(flag, 'has a quote inside its value');
  if (/\S/.test(raw.charAt(close + 1))) return badQuote(flag, 'has text right behind its closing quote');
  return { ok: true, value: { text: `=${unquote(piece)}`, end: close + 1 } };
}

function badQuote(flag: Flag, what: string): Refusal {
  return refuse(
    'bad-quote',
    `${flag.flag} ${what}.`,
    `Put the whole value in double quotes, with \\" for a quote in it: ${flag.flag} "${flag.value}".`,
  );
}

// A quote opens a quoted piece if no letter or digit precedes it, and closes it if none follows, so that
// apostrophes (don't, 'tis) and inch marks (5") are plain text. Backticks enclose a piece too, since prompts
// are full of code.

/** The position where the quote that opens at `open` closes, or null. Call it with ascending positions. */
type CloseOf = (open: number) => number | null;

const OPENING_QUOTE = /(?<![\p{L}\p{N}])["'`]/u;

const CLOSING_QUOTE = {
  '"': /(?<!\\)"(?![\p{L}\p{N}])/gu,
  "'": /'(?![\p{L}\p{N}])/gu,
  '`': /`(?![\p{L}\p{N}])/gu,
};

/** A quote mark of any kind, other than an apostrophe within a word. */
const STRAY_QUOTE = /["`“”„‘«»]|(?<![\p{L}\p{N}])['’]|['’](?![\p{L}\p{N}])/u;

/**
 * It remembers how far it has searched. Otherwise a long text full of lone quotes would take quadratic time.
 */
export function quoteCloser(text: string): CloseOf {
  const found = new Map<string, number>();
  return (open) => {
    const quote = text.charAt(open);
    if (!isQuote(quote)) return null;
    let close = found.get(quote) ?? -1;
    if (close <= open) {
      const closing = new RegExp(CLOSING_QUOTE[quote]);
      closing.lastIndex = open + 1;
      close = closing.exec(text)?.index ?? Infinity;
      found.set(quote, close);
    }
    return close === Infinity ? null : close;
  };
}

export function isOneQuotedPiece(text: string): boolean {
  return /^["']/.test(text) && quoteCloser(text)(0) === text.length - 1;
}

/** In double quotes `\"` means `"`; there are no other escapes. An unquoted piece stays unchanged. */
export function unquote(piece: string): string {
  if (piece.startsWith('"')) return piece.slice(1, -1).replaceAll('\\"', '"');
  return piece.startsWith("'") ? piece.slice(1, -1) : piece;
}

/** `"say "hi" now"` closes earlier than intended; `“ALL` and `x="a` lack their other quote. */
export function holdsStrayQuote(piece: string): boolean {
  if (piece.startsWith('"')) return /(?<!\\)"/.test(piece.slice(1, -1));
  return piece.startsWith("'") ? /(?<![\p{L}\p{N}])'/u.test(piece.slice(1, -1)) : STRAY_QUOTE.test(piece);
}

function isQuote(character: string): character is keyof typeof CLOSING_QUOTE {
  return character in CLOSING_QUOTE;
}
