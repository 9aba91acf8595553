/** What two marks of a work tree tell about the work between them. */
import { describe, expect, it } from 'vitest';
import { isSameTree, makeMark, modifiedBetween, treeMark, type Identified } from '../../src/core/mark.ts';

function files(count: number, name = 'f'): Identified[] {
  return Array.from({ length: count }, (_, k) => [`${name}${k}`, 'h']);
}

describe('a mark', () => {
  it('names what differs', () => {
    const mark = makeMark('git', 'c1', 'd1', files(2));
    expect(mark).toEqual({ kind: 'git', head: 'c1', digest: 'd1', dirty: files(2), cut: false });
    expect(treeMark(mark)).toBe(true);
    expect(makeMark('folder', null, 'd1', [])).toEqual({
      kind: 'folder',
      head: null,
      digest: 'd1',
      dirty: [],
      cut: false,
    });
  });

  it('names 500 files at most, and says that there were more', () => {
    expect(makeMark('git', null, 'd', files(500))).toMatchObject({ dirty: files(500), cut: false });
    expect(makeMark('git', null, 'd', files(501))).toMatchObject({ dirty: files(500), cut: true });
  });

  it('names 50,000 characters at most', () => {
    const long: Identified = ['n'.repeat(49_990), 'h'.repeat(10)];
    expect(makeMark('git', null, 'd', [long])).toMatchObject({ dirty: [long], cut: false });
    expect(makeMark('git', null, 'd', [long, ['x', '']])).toMatchObject({ dirty: [long], cut: true });
    expect(makeMark('git', null, 'd', [['n'.repeat(50_001), '']])).toMatchObject({ dirty: [], cut: true });
  });

  it.each([[['a']], [['a', 'b', 'c']], [['a', 1]], ['ab'], [null]])(
    'is read from a journal only whole: not with %j',
    (item) => {
      expect(treeMark({ ...makeMark('git', null, 'd', []), dirty: [item] })).toBe(false);
    },
  );

  it('is the same where the content is, whatever was committed', () => {
    const mark = makeMark('git', 'c1', 'd1', []);
    expect(isSameTree(mark, { ...mark, head: 'c2', dirty: files(1) })).toBe(true);
    expect(isSameTree(mark, { ...mark, digest: 'd2' })).toBe(false);
    expect(isSameTree(mark, { ...mark, kind: 'folder' })).toBe(false);
  });
});

describe('what was modified', () => {
  it('is what differs now and did not then, and the other way round, by name', () => {
    expect(
      modifiedBetween(
        [
          ['b', '1'],
          ['same', '1'],
        ],
        [
          ['a', '1'],
          ['same', '1'],
        ],
        [],
      ),
    ).toEqual(['a', 'b']);
    expect(modifiedBetween([['a', '1']], [['a', '2']], [])).toEqual(['a']);
    expect(modifiedBetween([['a', '1']], [['a', '']], [])).toEqual(['a']);
  });

  it('is not what was only committed', () => {
    expect(modifiedBetween([['a', '2']], [], [{ path: 'a', before: '1', after: '2' }])).toEqual([]);
    expect(modifiedBetween([], [['a', '1']], [{ path: 'a', before: '1', after: '2' }])).toEqual([]);
  });

  it('is what a commit brought', () => {
    expect(modifiedBetween([], [], [{ path: 'a', before: '1', after: '2' }])).toEqual(['a']);
    expect(modifiedBetween([['a', '3']], [], [{ path: 'a', before: '1', after: '2' }])).toEqual(['a']);
  });
});
