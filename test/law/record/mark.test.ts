/** What two marks of a work tree tell about the work between them. */
import { describe, expect, it } from 'vitest';
import { contentOf, isSameTree, treeMark } from '#law/record/mark.ts';

describe('a mark', () => {
  it('is a tree or the digest of a folder', () => {
    expect(treeMark({ tree: 't1', head: 'c1' })).toBe(true);
    expect(treeMark({ tree: 't1', head: null })).toBe(true);
    expect(treeMark({ folder: 'd1' })).toBe(true);
    expect(contentOf({ tree: 't1', head: null })).toBe('t1');
    expect(contentOf({ folder: 'd1' })).toBe('d1');
  });

  it.each([[{}], [{ tree: 1, head: null }], [{ tree: 't1' }], [{ folder: null }], ['t1'], [null]])(
    'is read from a journal only whole: not %j',
    (value) => {
      expect(treeMark(value)).toBe(false);
    },
  );

  it('of an earlier version reads, and stands for no content', () => {
    const old = { kind: 'git', head: 'c1', digest: 'd1', dirty: [['a', 'h']], cut: false };
    expect(treeMark(old)).toBe(true);
    expect(contentOf(old)).toBeNull();
    expect(isSameTree(old, old)).toBe(false);
  });

  it('is the same where the content is, whatever was committed', () => {
    const mark = { tree: 't1', head: 'c1' };
    expect(isSameTree(mark, { ...mark, head: 'c2' })).toBe(true);
    expect(isSameTree(mark, { ...mark, tree: 't2' })).toBe(false);
    expect(isSameTree(mark, { folder: 'd1' })).toBe(false);
  });
});
