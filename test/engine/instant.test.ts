import fc from 'fast-check';
import { expect, test } from 'vitest';
import { instantOf } from '#engine/process-runtime.ts';

test('an instant is written as toISOString writes it', () => {
  const years = fc.date({ min: new Date('1970-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });
  fc.assert(fc.property(years, (at) => instantOf(at.getTime()) === at.toISOString()));
});

test('a part of a millisecond is cut off', () => {
  expect(instantOf(1_700_000_000_000.9)).toBe('2023-11-14T22:13:20.000Z');
});
