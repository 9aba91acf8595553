/** Which window of a subscription lets no further pass begin. */
import { expect, test } from 'vitest';
import { endsRun, reachedReserve } from '#law/waiting/reserve.ts';
import { sayReserve } from '#telling/person/reserve.ts';

const NOW = '2026-11-18T12:00:00.000Z';
const fiveHours = (usedPercent: number, resetsAt = '2026-11-18T17:00:00.000Z') => ({
  minutes: 300,
  usedPercent,
  resetsAt,
});
const week = (usedPercent: number) => ({
  minutes: 10_080,
  usedPercent,
  resetsAt: '2026-11-22T09:00:00.000Z',
});

test.each([
  [79.9, null],
  [80, 80],
  [100, 100],
])('a window of which %d %% is used', (used, reached) => {
  expect(reachedReserve([fiveHours(used)], 20, NOW)?.usedPercent ?? null).toBe(reached);
});

test('a window that has reset says nothing', () => {
  expect(reachedReserve([fiveHours(99, NOW)], 20, NOW)).toBeNull();
});

test('of two windows the one that resets last counts', () => {
  const reached = { ...week(81), percent: 20 };
  expect(reachedReserve([week(81), fiveHours(99)], 20, NOW)).toEqual(reached);
  expect(reachedReserve([fiveHours(99), week(81)], 20, NOW)).toEqual(reached);
});

test('only a window of days ends the run', () => {
  const oneDay = { ...week(90), minutes: 24 * 60 };
  expect([fiveHours(90), oneDay, week(90)].map(endsRun)).toEqual([false, false, true]);
});

test('in words', () => {
  expect(sayReserve({ minutes: 300, usedPercent: 83.9, percent: 20 })).toBe(
    '83 % of the five-hour window is used, and 20 % is reserved',
  );
  expect(sayReserve({ minutes: 10_080, usedPercent: 95, percent: 5 })).toContain('the weekly window');
});
