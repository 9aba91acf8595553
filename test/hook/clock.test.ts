import fc from 'fast-check';
import { expect, it } from 'vitest';
import { instantAt } from '../../src/hook/clock.ts';

it('says what toISOString says', () => {
  const times = fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true });
  fc.assert(
    fc.property(times, (date) => {
      expect(instantAt(date.getTime())).toBe(date.toISOString());
    }),
  );
});

it('takes the fraction of a millisecond that a start time may have', () => {
  expect(instantAt(1_767_600_000_123.75)).toBe('2026-01-05T08:00:00.123Z');
});
