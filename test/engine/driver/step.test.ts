/** What the driver does next, without a process, a host or a clock. */
import { describe, expect, test } from 'vitest';
import type { FreshRun, WaitOutcome } from '#engine/driver/options.ts';
import type { PassOrder } from '#engine/driver/pass/begin-pass.ts';
import { FOLDER_GONE, STOPPED, firstStep, step } from '#engine/driver/step.ts';
import type { DriverMessage, DriverState, LoopSeen, PassResult } from '#engine/driver/step.ts';
import { CLOSED, type Status } from '#law/loop.ts';

/** The steps carry these two along and never look inside. */
const RUN = { program: 'host' } as FreshRun;
const ORDER = { evidence: 'pass-1.jsonl' } as PassOrder;
const SESSION = { session: 's', iterations: 0, passing: 0, compactedAt: 0 };
const RUNNING: Status = { is: 'running' };
const STUCK: Status = { is: 'stuck', limit: 'stagnation', detail: 'nothing changed' };

const BEGUN = firstStep({ run: RUN, session: null, passStarts: [] }).state;
const GOING: DriverState = { ...BEGUN, isFirst: false };

function looked(status: Status, more: Partial<LoopSeen> = {}): DriverMessage {
  const loop = { status, circuit: CLOSED };
  return { is: 'looked', loop, isElsewhere: false, hasFolder: true, stops: null, ...more };
}

function act(state: DriverState, message: DriverMessage) {
  return step(state, message).act;
}

function passEnded(result: Partial<PassResult>): DriverMessage {
  const usual = { session: SESSION, isLost: false, isJudged: true, hasBegun: true, isCompacted: false };
  return { is: 'pass-ended', result: { ...usual, ...result } };
}

test('a pass goes from a look to the next look', () => {
  const messages: DriverMessage[] = [
    looked(RUNNING),
    { is: 'waited', held: 'over', isAwaitingCheck: false },
    { is: 'pass-begun', order: ORDER, at: '2026-01-01T00:00:00.000Z' },
    passEnded({}),
  ];
  const acts: string[] = [];
  let { state, act: next } = firstStep({ run: RUN, session: null, passStarts: [] });
  for (const message of messages) {
    acts.push(next.do);
    ({ state, act: next } = step(state, message));
  }
  expect(acts).toEqual(['look', 'wait', 'begin-pass', 'run-pass']);
  expect(next).toEqual({ do: 'look' });
  expect(state).toEqual({
    run: RUN,
    isFirst: false,
    hasCooled: false,
    hasStarted: true,
    session: { ...SESSION, iterations: 1 },
    passStarts: ['2026-01-01T00:00:00.000Z'],
  });
});

describe('a look', () => {
  const paused: Status = { is: 'paused', by: 'terminal', why: 'command' };

  test.each([
    ['takes up a loop that rests, at the beginning only', BEGUN, looked(paused), 'wait'],
    ['leaves a loop that was paused meanwhile', GOING, looked(paused), 'end'],
    ['leaves a loop that another process drives', GOING, looked(RUNNING, { isElsewhere: true }), 'end'],
    ['takes a loop over at the beginning', BEGUN, looked(RUNNING, { isElsewhere: true }), 'wait'],
    ['leaves a loop that has ended', BEGUN, looked({ is: 'completed' }), 'end'],
    ['pauses where the run is to stop soon', GOING, looked(RUNNING, { stops: 'soon' }), 'pause'],
  ] as const)('%s', (_, state, message, wanted) => {
    expect(act(state, message)).toEqual({ do: wanted });
  });

  test('interrupts the loop where the run is to stop at once, or the folder is gone', () => {
    expect(act(GOING, looked(RUNNING, { stops: 'now' }))).toEqual({ do: 'interrupt', why: STOPPED });
    expect(act(GOING, looked(RUNNING, { hasFolder: false }))).toEqual({ do: 'interrupt', why: FOLDER_GONE });
    expect(step(GOING, { is: 'stopped' }).act).toEqual({ do: 'end' });
  });
});

describe('a circuit that opens', () => {
  test('is waited for once, and ends the loop the second time', () => {
    expect(act(GOING, looked(STUCK))).toEqual({ do: 'cool-down' });
    const { state, act: next } = step(GOING, { is: 'cooled', held: 'over' });
    expect(next).toEqual({ do: 'look' });
    const half = { status: STUCK, circuit: { ...CLOSED, times: 2, half: true } };
    expect(act(state, looked(STUCK, { loop: half }))).toEqual({ do: 'end' });
  });

  test('is waited for again after progress', () => {
    const cooled = { ...GOING, hasCooled: true };
    expect(step(cooled, looked(RUNNING)).state.hasCooled).toBe(false);
    const half = { status: RUNNING, circuit: { ...CLOSED, times: 1, half: true } };
    expect(step(cooled, looked(RUNNING, { loop: half })).state.hasCooled).toBe(true);
  });

  test('is not waited for by a run that has just begun, or that is to stop', () => {
    expect(act(BEGUN, looked(STUCK))).toEqual({ do: 'end' });
    expect(act(GOING, looked(STUCK, { stops: 'soon' }))).toEqual({ do: 'end' });
  });

  test.each<WaitOutcome>(['stopped', 'parked'])('ends the run where its wait is %s', (held) => {
    expect(act(GOING, { is: 'cooled', held })).toEqual({ do: 'end' });
  });
});

describe('a wait', () => {
  test.each([
    ['parked', 'end'],
    ['stopped', 'look'],
    ['over', 'begin-pass'],
  ] as const)('that is %s is followed by: %s', (held, wanted) => {
    expect(act(BEGUN, { is: 'waited', held, isAwaitingCheck: false })).toEqual({ do: wanted });
  });

  test('for a check that said "not yet" is followed by a look at it, without an agent', () => {
    expect(act(GOING, { is: 'waited', held: 'over', isAwaitingCheck: true })).toEqual({ do: 'check-again' });
    expect(act(GOING, { is: 'checked-again', isOurs: true })).toEqual({ do: 'look' });
    expect(act(GOING, { is: 'checked-again', isOurs: false })).toEqual({ do: 'end' });
  });
});

test('a loop at the usage limit of its host looks for another host before it waits', () => {
  const atLimit: Status = { is: 'waiting', for: 'limit', until: '2026-01-01T00:00:00.000Z' };
  expect(act(GOING, looked(atLimit))).toEqual({ do: 'choose-host' });
  expect(step(GOING, { is: 'host-chosen', run: null })).toEqual({ state: GOING, act: { do: 'wait' } });
});

test('another host begins with a session of its own', () => {
  const other = { program: 'other' } as FreshRun;
  const before = { ...GOING, session: SESSION, hasStarted: true };
  const { state } = step(before, { is: 'host-chosen', run: other });
  expect(state).toEqual({ ...GOING, run: other, session: null, hasStarted: false });
});

describe('a pass', () => {
  test('that could not begin ends the run', () => {
    expect(act(GOING, { is: 'pass-begun', order: null, at: '' })).toEqual({ do: 'end' });
  });

  test('in which the loop was stopped ends the run', () => {
    expect(act(GOING, { is: 'pass-ended', result: null })).toEqual({ do: 'end' });
  });

  test('whose session the host lost is followed by one in a new session', () => {
    const before = { ...GOING, session: SESSION, hasStarted: true };
    const { state } = step(before, passEnded({ isLost: true, isJudged: false, hasBegun: false }));
    expect(state).toEqual({ ...GOING, session: null, hasStarted: true });
  });
});
