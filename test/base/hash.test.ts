/** Journals and folders hold these hashes: they must come out the same in every version. */
import { describe, expect, it } from 'vitest';
import { hash } from '#base/hash.ts';

describe('the hash of a text', () => {
  it.each([
    ['', '0ihx5zcuufj2b5vv2a7gyi'],
    ['a', '18purz4eed808nf2s502ph'],
    ['abcd', '0fw4b7tj6aj0hj883hqa2j'],
    ['abcde', '1b2qqiwrhsv1is54cx423k'],
    ['é😀', '17p0a9ir6o01ibowvko1qs'],
    ['The quick brown fox', '0dkvvysf1dc183rnupqegy'],
  ])('%j is the one that older journals hold', (content, known) => {
    expect(hash(content)).toBe(known);
  });

  it('tells apart, in either half, texts that differ in any one character', () => {
    const text = 'Sixteen bytes are one turn of the loop. '.repeat(4);
    const changed = Array.from(text, (_, k) => `${text.slice(0, k)}#${text.slice(k + 1)}`);
    for (const half of [(word: string) => word.slice(0, 11), (word: string) => word.slice(11)])
      expect(new Set(changed.map((one) => half(hash(one)))).size).toBe(text.length);
  });

  it('tells a text from the same with zeros behind it', () => {
    expect(hash('a\0')).not.toBe(hash('a'));
  });
});
