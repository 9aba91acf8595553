import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clip, expandTabs, widthOf, wrapLine } from '#surfaces/screen/terminal/width.ts';

const anyText = fc.oneof(
  fc.string(),
  fc.string({ unit: 'grapheme', maxLength: 80 }),
  fc.lorem({ maxCount: 20 }),
  fc
    .array(fc.constantFrom('漢', '字', ' ', 'a', '👨‍👩‍👧', 'e\u0301', '🇩🇪'), { maxLength: 60 })
    .map((all) => all.join('')),
);

describe('the width of a text', () => {
  test.each([
    ['', 0],
    ['abc', 3],
    ['漢字', 4],
    ['한글', 4],
    ['ｆｕｌｌ', 8],
    ['e\u0301', 1],
    ['\u200B\uFEFF', 0],
    ['👍', 2],
    ['👍🏽', 2],
    ['👨‍👩‍👧', 2],
    ['❤️', 2],
    ['🇩🇪', 2],
    ['1️⃣', 2],
    ['✓ … ·', 5],
    ['Ünïcödé', 7],
    ['\u1112\u1161\u11AB', 2],
    ['नमस्ते', 4],
    // Wide since Unicode 16 and 17: trigrams, digrams, hexagrams, tetragrams, counting rods, Tangut.
    ['☰☷', 4],
    ['⚊⚏', 4],
    ['䷀䷿', 4],
    ['𝌀𝍖', 4],
    ['𝍠𝍶', 4],
    ['\u{18D09}\u{18D1E}\u{18D80}\u{18DF2}', 8],
    // Their neighbours are not.
    ['☯☸⚉⚐', 4],
  ])('%j takes %i columns', (text, width) => {
    expect(widthOf(text)).toBe(width);
  });
});

describe('clip', () => {
  test('cuts by columns, never in the middle of a character', () => {
    expect(clip('short', 5, '…')).toBe('short');
    expect(clip('longer', 5, '…')).toBe('long…');
    expect(clip('漢字漢字', 6, '…')).toBe('漢字…');
    expect(clip('👨‍👩‍👧👨‍👩‍👧', 3, '…')).toBe('👨‍👩‍👧…');
    expect(clip('longer', 5, '...')).toBe('lo...');
    expect(clip('longer', 2, '...')).toBe('');
  });

  test('never exceeds its width', () => {
    fc.assert(
      fc.property(anyText, fc.nat(40), (text, width) => {
        expect(widthOf(clip(text, width, '…'))).toBeLessThanOrEqual(width);
      }),
    );
  });
});

describe('wrap', () => {
  test.each([
    ['', 10, ['']],
    ['one two three', 8, ['one two', 'three']],
    ['one  two', 8, ['one  two']],
    ['unbreakable', 4, ['unbr', 'eaka', 'ble']],
    ['a unbreakable', 4, ['a un', 'brea', 'kabl', 'e']],
    ['- an item of a list', 10, ['- an item', '  of a', '  list']],
    ['12. an item of a list', 12, ['12. an item', '    of a', '    list']],
    ['    indented code here', 14, ['    indented', '    code here']],
    ['漢字漢字漢字', 5, ['漢字', '漢字', '漢字']],
    ['one two ', 3, ['one', 'two']],
  ])('%j in %i columns', (line, width, lines) => {
    expect(wrapLine(line, width)).toEqual(lines);
  });

  test('keeps every character that is not space, and every line within the width', () => {
    fc.assert(
      // Narrower, and a single character of some scripts is too wide.
      fc.property(anyText, fc.integer({ min: 8, max: 50 }), (text, width) => {
        const lines = wrapLine(text, width);
        for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(width);
        const bare = (words: string) => words.replace(/\s/g, '');
        expect(bare(lines.join(''))).toBe(bare(text));
      }),
    );
  });
});

test('tabs go to the next of four columns', () => {
  expect(expandTabs('a\tb\tlonger\tc')).toBe('a   b   longer  c');
  expect(expandTabs('漢\tx')).toBe('漢  x');
});
