/**
 * Quotes as people type them. A quote opens a quoted piece if no letter or digit precedes it, and closes it if none
 * follows, so that apostrophes (don't, 'tis) and inch marks (5") are plain text.
 * Backticks enclose a piece too, since prompts are full of code.
 */

/** The position where the quote that opens at `open` closes, or null. Call it with ascending positions. */
export type CloseOf = (open: number) => number | null;

export const OPENING_QUOTE = /(?<![\p{L}\p{N}])["'`]/u;

const CLOSING_QUOTE = {
  '"': /(?<!\\)"(?![\p{L}\p{N}])/gu,
  "'": /'(?![\p{L}\p{N}])/gu,
  '`': /`(?![\p{L}\p{N}])/gu,
};

/** A quote mark of any kind, other than an apostrophe within a word. */
const STRAY_QUOTE = /["`“”„‘«»]|(?<![\p{L}\p{N}])['’]|['’](?![\p{L}\p{N}])/u;

/** It remembers how far it has searched. Otherwise a long text full of lone quotes would take quadratic time. */
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

/** One piece in single or double quotes, from the first character to the last. */
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
