/** Whether other loops work in the files of a run. */
import { expect, test } from 'vitest';
import type { Loop } from '../../../src/core/loop.ts';
import { sayNeighbours } from '../../../src/cli/begin/warnings.ts';
import { running } from '../../core/given.ts';

const own = running();
const other = (changes: Partial<Loop>): Loop => ({ ...own, id: 'RALPH_2', ...changes });

test('one that is at work in the same folder is named, with what keeps them apart', () => {
  expect(sayNeighbours(own, [own, other({ name: 'docs' })])).toEqual([
    '"docs" (RALPH_2) is at work in the same files. --worktree keeps what loops do apart.',
  ]);
  expect(sayNeighbours(own, [other({}), other({ id: 'RALPH_3' })])[0]).toMatch(
    /^RALPH_2, RALPH_3 are at work/,
  );
});

test('itself, one elsewhere, one that stands still and one that nobody has taken up are none', () => {
  const others = [
    own,
    other({ project: '/elsewhere' }),
    other({ status: { is: 'interrupted', why: 'session-end', detail: '' } }),
    other({ owner: null }),
  ];
  expect(sayNeighbours(own, others)).toEqual([]);
});
