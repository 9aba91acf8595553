import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { foldOutput } from '#surfaces/screen/terminal/clean-text.ts';

const SHAPE = { head: 2, tail: 3, line: 100 };
const numbered = (count: number) => Array.from({ length: count }, (_, n) => `line ${n + 1}`).join('\n');

describe('folding an output', () => {
  test('keeps head and tail, and counts what is between', () => {
    expect(foldOutput(numbered(219), SHAPE)).toEqual({
      head: ['line 1', 'line 2'],
      hidden: 214,
      tail: ['line 217', 'line 218', 'line 219'],
    });
  });

  test('a mark that would hide a single line is not worth it', () => {
    expect(foldOutput(numbered(6), SHAPE)).toEqual({ head: numbered(6).split('\n'), hidden: 0, tail: [] });
    expect(foldOutput(numbered(7), SHAPE).hidden).toBe(2);
    // What comes in was cut before: the lines that were lost then are hidden too.
    expect(foldOutput(numbered(7), SHAPE, 1_005).hidden).toBe(1_000);
  });

  test('empty lines around it are nothing', () => {
    expect(foldOutput(' \n\n  one\ntwo\n\n', SHAPE).head).toEqual(['  one', 'two']);
    expect(foldOutput('\n \n', SHAPE)).toEqual({ head: [], hidden: 0, tail: [] });
  });

  test('of a bar of progress the last state counts', () => {
    expect(foldOutput('10 %\r50 %\r100 %\r\ndone\r\n', SHAPE).head).toEqual(['100 %', 'done']);
  });

  test('a long line is bounded', () => {
    expect(foldOutput('x'.repeat(10_000_000), SHAPE).head).toEqual(['x'.repeat(100)]);
    expect(foldOutput(`${'x\r'.repeat(1_000)}end`, SHAPE).head).toEqual(['end']);
  });

  test('every line is shown or counted', () => {
    const lines = fc.array(fc.stringMatching(/^[a-z]{1,5}$/), { minLength: 1, maxLength: 40 });
    const shape = fc.record({ head: fc.integer({ min: 1, max: 9 }), tail: fc.integer({ min: 1, max: 9 }) });
    fc.assert(
      fc.property(lines, shape, (all, { head: first, tail: last }) => {
        const { head, hidden, tail } = foldOutput(all.join('\n'), { head: first, tail: last, line: 100 });
        expect(head).toEqual(all.slice(0, head.length));
        expect(tail).toEqual(tail.length === 0 ? [] : all.slice(-tail.length));
        expect(head.length + hidden + tail.length).toBe(all.length);
      }),
    );
  });
});
