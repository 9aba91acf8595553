/** Whatever the state of a loop, a person who looks at it is told what to do. */
import { describe, expect, it, test } from 'vitest';
import type { Loop, Status } from '#law/loop.ts';
import { fatalAdvice } from '#telling/person/fault.ts';
import { inTerminal } from '#telling/audience.ts';
import { nextSteps, sayNextSteps } from '#telling/next-step.ts';
import { statusLine } from '#telling/status-line.ts';
import { PROMISE, after, check, claim, proof, running, verdict, MINUTE } from '../law/given.ts';

const nextStep = (...asked: Parameters<typeof nextSteps>) => sayNextSteps(nextSteps(...asked), inTerminal);

const NOW = after(12 * MINUTE);
const STATES: readonly Status[] = [
  { is: 'pending' },
  { is: 'running' },
  { is: 'waiting', for: 'background' },
  { is: 'waiting', for: 'limit', until: NOW },
  { is: 'paused', by: 'terminal', why: 'command' },
  { is: 'interrupted', why: 'fault', detail: 'overloaded' },
  { is: 'completed' },
  { is: 'exhausted', limit: 'time' },
  { is: 'exhausted', limit: 'items' },
  { is: 'stuck', limit: 'staleness' },
  { is: 'stuck', limit: 'stagnation', detail: 'the same' },
  { is: 'escalated', why: { is: 'blocked', words: '' } },
  { is: 'escalated', why: { is: 'fatal', words: 'auth: api_error 401' } },
  { is: 'cancelled', by: 'terminal', prompt: null },
  { is: 'aborted', why: 'journal', detail: '', evidence: null },
];

describe('the next step', () => {
  it.each(STATES)('names a command or says that nothing is left: $is', (status) => {
    const loop: Loop = { ...running(), status };
    expect(nextStep(loop, NOW, 'onlooker')).toMatch(/dacapo [a-z]+ (?:-\S+ )?RALPH_\S+/);
  });

  test('after an error that passes, a prompt in the session is enough', () => {
    const status = { is: 'interrupted', why: 'fault', detail: 'overloaded: 529' } as const;
    expect(nextStep({ ...running(), status }, NOW, 'onlooker')).toMatch(
      /^your next prompt in its session, or dacapo resume RALPH_\S+ continues it, dacapo cancel /,
    );
    expect(nextStep({ ...running(), status, driver: 'fresh' }, NOW, 'onlooker')).toMatch(/^dacapo resume /);
  });

  test('after an error that no further try changes, the remedy comes first', () => {
    const loop = (words: string): Loop => ({
      ...running(),
      status: { is: 'escalated', why: { is: 'fatal', words, login: 'its login command' } },
    });
    expect(nextStep(loop('auth: api_error 401: Invalid API key'), NOW, 'onlooker')).toMatch(
      /^log in \(its login command\).*then dacapo resume/,
    );
    expect(nextStep(loop('billing: api_error 400: credit balance'), NOW, 'onlooker')).toMatch(/^add credit/);
    expect(nextStep(loop('model: api_error 404: no-such-model'), NOW, 'onlooker')).toContain(
      'dacapo run --loop RALPH_20260105_abc123 --model MODEL',
    );
    expect(fatalAdvice({ words: 'something else' }, 'X')).toBeNull();
  });
});

describe('the line for a status bar', () => {
  const proofs = [proof('npm test', { is: 'failed', exit: 1, tail: '' })];
  const loop = running({ gates: [check('npm test')] }, claim(1), verdict(1, { proofs }));

  it('has the iteration, the gates, the time and the money', () => {
    expect(statusLine(loop, NOW, 0.42)).toBe('2/50 · npm test ✗ · 12 min · $0.42');
    expect(statusLine({ ...loop, spent: { costUsd: 1.5, tokens: 9 } }, after(72 * MINUTE), 0.42)).toBe(
      '2/50 · npm test ✗ · 1 h 12 min · $1.50',
    );
  });

  it('names a state other than running, says little of many gates, and nothing of what has ended', () => {
    const many = running({ gates: [PROMISE, ...['a', 'b', 'c', 'd'].map((command) => check(command))] });
    expect(statusLine({ ...many, status: STATES[4] ?? many.status }, NOW, null)).toBe(
      'paused 1/50 · promise … · a … · b … · +2 · 12 min',
    );
    // It is drawn before the hook hears of the prompt that `dacapo start` gives.
    expect(statusLine({ ...many, status: { is: 'pending' } }, NOW, null)).toMatch(/^1\/50 · /);
    expect(statusLine({ ...loop, status: { is: 'pending' } }, NOW, null)).toMatch(
      /^continues with your next prompt: 2\/50 · /,
    );
    const asked = { is: 'waiting', for: 'approval', until: NOW } as const;
    expect(statusLine({ ...loop, status: asked }, NOW, null)).toMatch(/^waiting for you 2\/50 · /);
    expect(statusLine({ ...loop, status: { is: 'completed' } }, NOW, 1)).toBeNull();
    const fatal = { is: 'escalated', why: { is: 'fatal', words: 'auth: 401' } } as const;
    expect(statusLine({ ...loop, status: fatal }, NOW, 1)).toBe('loop ended, needs you: dacapo explain');
  });
});
