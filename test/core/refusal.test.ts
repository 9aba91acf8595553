import { expect, test } from 'vitest';
import { isRefusal, refuse } from '../../src/core/refusal.ts';

test('a refusal is known by what it says, whatever else a value holds', () => {
  expect(isRefusal(refuse('no-loop', 'There is none.', 'Start one.'))).toBe(true);
  expect(isRefusal({ ok: true, code: 'x' })).toBe(false);
  expect(isRefusal({ ok: false, why: 'x' })).toBe(false);
  expect(isRefusal({ code: 'x' })).toBe(false);
  expect(isRefusal({})).toBe(false);
});
