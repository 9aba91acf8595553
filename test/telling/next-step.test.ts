/** What a person is told to do at the end of a run: a command that works as it stands. */
import { expect, test } from 'vitest';
import type { Definition } from '#law/record/definition.ts';
import type { Used } from '#law/record/events.ts';
import type { Verdict } from '#law/record/verdict.ts';
import { refuseUsedUp } from '#engine/steer/amend.ts';
import { inWords } from '#telling/advice.ts';
import { inFleet, inTerminal } from '#telling/audience.ts';
import { nextSteps, sayNextSteps } from '#telling/next-step.ts';
import { MINUTE, after, claim, running, verdict } from '../law/given.ts';

const nextStep = (...asked: Parameters<typeof nextSteps>) => sayNextSteps(nextSteps(...asked), inTerminal);

const ID = 'RALPH_20260105_abc123';

const NOW = after(MINUTE);

function ended(by: Verdict, definition: Partial<Definition> = {}, used: Used | null = null) {
  return nextStep(running(definition, claim(1), verdict(1, { verdict: by, used })), NOW, 'runner');
}

test('a loop that stands still is resumed or cancelled', () => {
  const paused = running({}, { type: 'paused', at: after(1), by: 'terminal', why: 'command' });
  expect(nextStep(paused, NOW, 'runner')).toBe(
    `dacapo resume ${ID} continues it, dacapo cancel ${ID} ends it`,
  );
});

test('one that runs on is someone else’s: no command is named that would be refused', () => {
  expect(nextStep(running(), NOW, 'runner')).toBe(`it continues elsewhere; dacapo status ${ID} shows it`);
});

test('a new limit that is too small is answered with one that is not', () => {
  const loop = running({ iterations: 400 }, claim(1), verdict(1));
  const limits = { iterations: 1, timeMs: undefined, costUsd: undefined, tokens: undefined };
  const refused = refuseUsedUp(loop, 'it', limits, NOW);
  expect(refused && inWords(refused, inTerminal)).toMatchObject({
    message: 'it has used 1 iteration, so a limit of 1 iteration leaves none.',
    next: `give it more: dacapo resume ${ID} --max-iterations 201`,
  });
});

test('of one that is completed nothing is left to do', () => {
  expect(ended({ is: 'complete' })).toBe('');
});

test('one that has used up its iterations is given more, by how many is said', () => {
  expect(ended({ is: 'exhaust', limit: 'iterations', missing: [] }, { iterations: 1 })).toBe(
    `dacapo resume ${ID} --max-iterations 6 continues it; dacapo explain ${ID} says why`,
  );
});

test('one whose agent said itself that it has used them up just goes on', () => {
  expect(ended({ is: 'exhaust', limit: 'iterations', missing: [] })).toContain(
    `dacapo resume ${ID} continues it`,
  );
});

test.each([
  ['time', { timeMs: 5_000 }, '--timeout 92s'],
  ['time', { timeMs: 3_600_000 }, '--timeout 90m'],
  ['time', { timeMs: 24 * 3_600_000 }, '--timeout 36h'],
  ['cost', { costUsd: 0.5 }, '--max-cost 0.75'],
  ['cost', { costUsd: 5 }, '--max-cost 7.50'],
  ['tokens', { tokens: 900 }, '--max-tokens 1500'],
] as const)('one that has used up its %s is given half as much again: %j', (limit, definition, flag) => {
  const used = { costUsd: 0.49, tokens: 1_000 };
  expect(ended({ is: 'exhaust', limit, missing: [] }, definition, used)).toBe(
    `dacapo resume ${ID} ${flag} continues it; dacapo explain ${ID} says why`,
  );
});

test('a bound that can’t be changed is not promised to be', () => {
  const words = ended({ is: 'exhaust', limit: 'items', missing: [] });
  expect(words).toContain('a new dacapo run with a larger --max-items');
  expect(words).not.toContain('resume');
});

test('one that is cancelled can be reopened', () => {
  const cancelled = running({}, { type: 'cancelled', at: after(1), by: 'terminal', prompt: null });
  expect(nextStep(cancelled, NOW, 'runner')).toBe(`dacapo resume ${ID} reopens it`);
});

test('one that needs a person and has no iteration left is given more as well', () => {
  const stuck = { is: 'escalate', why: { is: 'blocked', words: 'no key' }, missing: [] } as const;
  expect(ended(stuck)).toContain(`fix that, then dacapo resume ${ID} continues it`);
  expect(ended(stuck, { iterations: 1 })).toContain(`dacapo resume ${ID} --max-iterations 6 continues it`);
});

test('one that nobody answered has nothing to fix', () => {
  const unanswered = { is: 'escalate', why: { is: 'unanswered', words: 'Done?' }, missing: [] } as const;
  expect(ended(unanswered)).toBe(`dacapo resume ${ID} continues it, and you are asked again`);
});

test('a step is a value with a role, and each audience names its commands', () => {
  const waiting = { is: 'waiting', for: 'limit', until: NOW } as const;
  const steps = nextSteps({ ...running(), status: waiting }, NOW, 'onlooker');
  expect(steps).toEqual([
    { role: 'continue-now', commands: [{ verb: 'resume', loop: ID }] },
    { role: 'end', commands: [{ verb: 'cancel', loop: ID }] },
  ]);
  expect(sayNextSteps(steps, inFleet)).toBe(
    `dacapo fleet resume ${ID} continues it at once; dacapo fleet cancel ${ID} ends it`,
  );
});
