/** Journals and folders hold these hashes: they must come out the same in every version. */
import { describe, expect, it } from 'vitest';
import { hash } from '../../src/core/hash.ts';

describe('the hash of a text', () => {
  it.each([
    ['', '0qdhnjbhahb13d9dsz2hd6'],
    ['a', '0se4gfhw1hn28dj7h0cg5w'],
    ['abcd', '10ctl69lv921m6lsf7rbsj'],
    ['abcde', '0tltfl9eu0e0frqf5a83ks'],
    ['é😀', '1ywukq60gb40oeu5a9x1wy'],
    ['The quick brown fox', '23zj0433z111fcjtxrbw1v'],
  ])('%j is the one that older journals hold', (content, known) => {
    expect(hash(content)).toBe(known);
  });

  it('tells a text from the same with zeros behind it', () => {
    expect(hash('a\0')).not.toBe(hash('a'));
  });
});
