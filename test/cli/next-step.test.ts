/** What a person is told to do at the end of a run: a command that works as it stands. */
import { expect, test } from 'vitest';
import type { Verdict } from '../../src/core/verdict.ts';
import { nextStep } from '../../src/cli/next-step.ts';
import { after, claim, running, verdict } from '../core/given.ts';

const ID = 'RALPH_20260105_abc123';

function ended(by: Verdict) {
  return nextStep(running({}, claim(1), verdict(1, { verdict: by })));
}

test('a loop that stands still is resumed or cancelled', () => {
  const paused = running({}, { type: 'paused', at: after(1), by: 'terminal', why: 'command' });
  expect(nextStep(paused)).toBe(`dacapo resume ${ID} goes on, dacapo cancel ${ID} ends it`);
});

test('of one that is completed nothing is left to do', () => {
  expect(ended({ is: 'complete' })).toBeNull();
});

test('one that has used up its iterations is given more, by how many is said', () => {
  expect(ended({ is: 'exhaust', limit: 'iterations', missing: [] })).toBe(
    `dacapo resume ${ID} --max-iterations 26 goes on; dacapo explain ${ID} tells why`,
  );
});

test('a bound that can’t be changed is not promised to be', () => {
  const words = ended({ is: 'exhaust', limit: 'time', missing: [] });
  expect(words).toContain('a new dacapo run with a larger --timeout');
  expect(words).not.toContain('resume');
});

test('one that is cancelled can be reopened', () => {
  const cancelled = running({}, { type: 'cancelled', at: after(1), by: 'terminal', prompt: null });
  expect(nextStep(cancelled)).toBe(`dacapo resume ${ID} reopens it`);
});
