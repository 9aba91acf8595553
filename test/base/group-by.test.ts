import { expect, it } from 'vitest';
import { groupBy } from '#base/group-by.ts';

it('keeps the order of the keys and of each group', () => {
  const groups = groupBy(['bee', 'ant', 'bat', 'cow', 'ape'], ([first]) => first);
  expect([...groups]).toEqual([
    ['b', ['bee', 'bat']],
    ['a', ['ant', 'ape']],
    ['c', ['cow']],
  ]);
});
