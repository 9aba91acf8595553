import fc from 'fast-check';
import { expect, test } from 'vitest';
import { instantOf } from '../../src/store/runtime.ts';

test('gives what toISOString gives, from the year 1000 to the year 9999', () => {
  fc.assert(
    fc.property(
      fc.date({
        min: new Date('1000-01-01T00:00:00.000Z'),
        max: new Date('9999-12-31T23:59:59.999Z'),
        noInvalidDate: true,
      }),
      (date) => {
        expect(instantOf(date.getTime())).toBe(date.toISOString());
      },
    ),
  );
});
