import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inLine, printable } from '#surfaces/cli/terminal/terminal.ts';

const STEERS = /(?![\t\n])\p{Cc}|[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u;
/** Controls, parts of sequences, and plain text. */
const hostile = fc.string({
  unit: fc.constantFrom(
    '\u001B',
    '\u009B',
    '[',
    ']',
    '2',
    'K',
    'm',
    ';',
    '\r',
    '\n',
    '\t',
    '\u202E',
    '\u0007',
    'a',
  ),
});

describe('what is printed', () => {
  it('is left alone where it is plain', () => {
    expect(printable('a\tb\nünï ✓ 中 👩‍👩‍👧', false)).toBe('a\tb\nünï ✓ 中 👩‍👩‍👧');
  });

  it('shows a control character as an escape, and drops the end of a line from elsewhere', () => {
    expect(printable('a\u001B[2K\rb\r\nc\r', false)).toBe('a\\u001b[2K\\u000db\nc');
    expect(inLine('a\nb\u202E')).toBe('a\\u000ab\\u202e');
  });

  it('keeps our colours, and only where there are any', () => {
    expect(printable('\u001B[32m✓\u001B[39m', true)).toBe('\u001B[32m✓\u001B[39m');
    expect(printable('\u001B[32m✓\u001B[39m', false)).toBe('\\u001b[32m✓\\u001b[39m');
    expect(printable('\u001B[8mhidden\u001B[31;8m', true)).toBe('\\u001b[8mhidden\\u001b[31;8m');
  });

  it('never steers a terminal', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(STEERS.test(printable(text, false))).toBe(false);
        // oxlint-disable-next-line no-control-regex -- colours are sequences
        expect(STEERS.test(printable(text, true).replace(/\u001B\[\d+m/g, ''))).toBe(false);
        expect(/[\t\n]/.test(inLine(text))).toBe(false);
      }),
    );
  });

  it('is the same JSON as before', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(JSON.parse(printable(JSON.stringify({ text }), false))).toEqual({ text });
      }),
    );
  });
});
