/** What can be asked of a loop. */
import { describe, expect, it, test } from 'vitest';
import {
  isAwaitingAnswer,
  isAwaitingCheck,
  isCircuitOpen,
  isCutOff,
  looksAround,
  spentWith,
  type Status,
} from '#law/loop.ts';
import { after, check, features, MOVE, PROMISE, running } from './given.ts';

const until = after(0);
const waiting = (what: 'approval' | 'check' | 'limit'): Status => ({ is: 'waiting', for: what, until });
const interrupted = (why: 'fault' | 'gone' | 'session-end'): Status => ({
  is: 'interrupted',
  why,
  detail: '',
});
const RUNNING: Status = { is: 'running' };

describe('a loop that is cut off', () => {
  it('is one in a session that a fault stopped, or that is gone', () => {
    const cutOff = (status: Status, driver: 'hook' | 'fresh' = 'hook') => isCutOff({ status, driver });
    expect(cutOff(interrupted('fault'))).toBe(true);
    expect(cutOff(interrupted('gone'))).toBe(true);
    expect(cutOff(interrupted('session-end'))).toBe(false);
    expect(cutOff(interrupted('fault'), 'fresh')).toBe(false);
    expect(cutOff(RUNNING)).toBe(false);
    expect(cutOff({ is: 'paused', by: 'terminal', why: 'command' })).toBe(false);
  });
});

describe('a loop that waits', () => {
  it('waits for one thing', () => {
    const all = [waiting('approval'), waiting('check'), waiting('limit'), RUNNING];
    expect(all.map((status) => isAwaitingAnswer({ status }))).toEqual([true, false, false, false]);
    expect(all.map((status) => isAwaitingCheck({ status }))).toEqual([false, true, false, false]);
  });

  it('one that went stale is stuck, but no circuit is open', () => {
    expect(isCircuitOpen({ status: { is: 'stuck', limit: 'stagnation', detail: '' } })).toBe(true);
    expect(isCircuitOpen({ status: { is: 'stuck', limit: 'staleness' } })).toBe(false);
  });
});

test('what was spent is an estimate as soon as a part of it is one', () => {
  const counted = { costUsd: 1, tokens: 10 };
  const loop = running();
  expect(spentWith(loop, counted)).toEqual(counted);
  expect(spentWith(loop, { ...counted, estimated: true })).toEqual({ ...counted, estimated: true });
  expect(spentWith({ ...loop, spent: { ...counted, estimated: true } }, null)).toEqual({
    ...counted,
    estimated: true,
  });
});

test('a stop looks around for gates other than a promise and checks, hooks, protected files and measures', () => {
  expect(looksAround(running({ gates: [PROMISE, check('npm test')] }))).toBe(false);
  expect(looksAround(running({ gates: [PROMISE, features()] }))).toBe(true);
  expect(looksAround(running({ gates: [MOVE] }))).toBe(true);
  const plain = running();
  expect(looksAround({ ...plain, protection: { ...plain.protection, baseline: 'd' } })).toBe(true);
  expect(looksAround({ ...plain, frame: { ...plain.frame, measures: [] } })).toBe(true);
  expect(looksAround({ ...plain, config: { file: 'dacapo.config.json', digest: 'd' } })).toBe(true);
});
