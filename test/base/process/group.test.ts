import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { endGently } from '#base/process/family.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function ladder(): { readonly taken: string[]; readonly cancel: () => void } {
  const taken: string[] = [];
  const steps = ['ask', 'terminate', 'kill'].map((step) => () => void taken.push(step));
  return { taken, cancel: endGently(steps, 100) };
}

test('the first step is taken at once, each other one grace later', () => {
  const { taken } = ladder();
  expect(taken).toEqual(['ask']);
  vi.advanceTimersByTime(99);
  expect(taken).toEqual(['ask']);
  vi.advanceTimersByTime(1);
  expect(taken).toEqual(['ask', 'terminate']);
  vi.advanceTimersByTime(100);
  expect(taken).toEqual(['ask', 'terminate', 'kill']);
});

test('what is left is cancelled', () => {
  const { taken, cancel } = ladder();
  vi.advanceTimersByTime(100);
  cancel();
  vi.advanceTimersByTime(1_000);
  expect(taken).toEqual(['ask', 'terminate']);
});
