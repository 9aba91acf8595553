import { describe, expect, it } from 'vitest';
import { holdsStrayQuote, isOneQuotedPiece, quoteCloser, unquote } from '#input/raw-text.ts';

describe('quotes', () => {
  it.each([
    ['"a b"', 0, 4],
    ['"a" "b"', 0, 2],
    ['"a" "b"', 2, 6],
    ['"a', 0, null],
    ["'don't'", 0, 6],
    ['`a`', 0, 2],
    ['a"b"', 0, null],
  ])('%s: what opens at %i closes at %j', (text, open, close) => {
    expect(quoteCloser(text)(open)).toBe(close);
  });

  it('are found one after the other', () => {
    const closeOf = quoteCloser('"a" "b" "c"');
    expect([0, 2, 4, 8].map(closeOf)).toEqual([2, 6, 6, 10]);
  });

  it.each([
    ['"a"', true],
    ["'a'", true],
    ['"a" b "c"', false],
    ['`a"`', false],
    ['a"b"', false],
    ['', false],
  ])('%s is one quoted piece: %s', (piece, is) => expect(isOneQuotedPiece(piece)).toBe(is));

  it.each([
    ['"a \\"b\\""', 'a "b"'],
    ["'a'", 'a'],
    ['a', 'a'],
    ['5"', '5"'],
    ["boys'", "boys'"],
  ])('%s without its quotes is %s', (piece, inner) => expect(unquote(piece)).toBe(inner));

  it.each([
    ['"say "hi" now"', true],
    ['"say \\"hi\\" now"', false],
    ["'say 'hi' now'", true],
    ["'don't'", false],
    ["don't", false],
    ['x="a"', true],
    ['“ALL', true],
    ["x='a'", true],
    ["say 'hi'", true],
  ])('%s holds a stray quote: %s', (piece, holds) => expect(holdsStrayQuote(piece)).toBe(holds));
});
