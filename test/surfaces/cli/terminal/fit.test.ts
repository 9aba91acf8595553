/** Text on a narrow terminal: broken between words, never in one. */
import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { fitLine, hanging, shownWidth } from '#surfaces/cli/terminal/terminal.ts';

describe('a line that is too long', () => {
  it('is broken at spaces, and hangs under its first word', () => {
    expect(fitLine('  one two three four', 12)).toEqual(['  one two', '  three four']);
    expect(fitLine('✓ the hook is called by the host here', 34)).toEqual([
      '✓ the hook is called by the host',
      '  here',
    ]);
  });

  it('keeps an id whole, whatever the width', () => {
    const id = 'RALPH_20261115_hy37yx';
    expect(fitLine(`Da Capo: loop ${id} is paused.`, 18)).toEqual(['Da Capo: loop', id, 'is paused.']);
  });

  it('does not count colours', () => {
    const [first = '', ...rest] = fitLine(`\u001B[1mone\u001B[22m two three`, 8);
    expect([stripVTControlCharacters(first), ...rest]).toEqual(['one two', 'three']);
  });

  test('hangs in its column, or a little where no room is left for one', () => {
    expect(hanging('  reason     ', 'stopped after three iterations', 40)).toBe(
      '  reason     stopped after three\n             iterations',
    );
    expect(hanging('  reason     ', 'stopped after three iterations', 30)).toBe(
      '  reason     stopped after\n    three iterations',
    );
  });

  test('a path too long for its column stays beside its name, or goes further left', () => {
    const path = '/home/ada/.local/state/evidence/stop-1.txt';
    expect(hanging('  details  ', path, 40)).toBe(`  details  ${path}`);
    expect(hanging('  proofs     ', `  its output: ${path}`, 48)).toBe(
      `  proofs       its output:\n    ${path}`,
    );
  });

  test('loses no word, and no line is wider than the screen but for a word that is', () => {
    const word = fc.stringMatching(/^[a-z<>_/]{1,30}$/);
    fc.assert(
      fc.property(fc.array(word, { minLength: 1 }), fc.integer({ min: 10, max: 100 }), (words, width) => {
        const lines = fitLine(words.join(' '), width);
        expect(lines.flatMap((line) => line.split(' '))).toEqual(words);
        for (const line of lines) expect(shownWidth(line) <= width || !line.includes(' ')).toBe(true);
      }),
    );
  });
});
