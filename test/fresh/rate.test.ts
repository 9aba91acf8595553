import { expect, it } from 'vitest';
import { mayBeginAt } from '../../src/fresh/rate.ts';

const at = (minute: number) =>
  new Date(Date.parse('2026-01-05T10:00:00.000Z') + minute * 60_000).toISOString();

it('without a limit a pass may always begin', () => {
  expect(mayBeginAt([at(0), at(1), at(2)], null, at(3))).toBeNull();
});

it('with one, the pass waits until the oldest of so many is an hour ago', () => {
  expect(mayBeginAt([at(0), at(10)], 3, at(20))).toBeNull();
  expect(mayBeginAt([at(0), at(10), at(20)], 3, at(30))).toBe(at(60));
  expect(mayBeginAt([at(-70), at(0), at(10), at(20)], 3, at(30))).toBe(at(60));
  expect(mayBeginAt([at(0), at(10), at(20)], 3, at(60))).toBeNull();
});
