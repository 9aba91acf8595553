import { expect, test } from 'vitest';
import { isRefusal, refuse, refuseTooLong } from '#base/refusal.ts';

test('a refusal is known by what it says, whatever else a value holds', () => {
  expect(isRefusal(refuse('no-loop', 'There is none.', 'Start one.'))).toBe(true);
  expect(isRefusal({ ok: true, code: 'x' })).toBe(false);
  expect(isRefusal({ ok: false, why: 'x' })).toBe(false);
  expect(isRefusal({ code: 'x' })).toBe(false);
  expect(isRefusal({})).toBe(false);
});

test('a text that is too long is refused with both figures', () => {
  expect(refuseTooLong('abcd', 3)).toEqual(
    refuse('too-long', 'The text has 4 characters, and at most 3 are read.', 'Send the end of it.'),
  );
});
