/** Rule 12: a check that exits with 75 is neither green nor red, and the loop waits for it. */
import { describe, expect, test } from 'vitest';
import { begunOf, unprovenItems } from '#law/gates.ts';
import { workedMs, type Loop } from '#law/loop.ts';
import type { Definition } from '#law/record/definition.ts';
import type { Event } from '#law/record/events.ts';
import type { CheckOutcome } from '#law/record/verdict.ts';
import { sayNotYet, sayOutcome } from '#law/words/check-outcomes.ts';
import {
  after,
  check,
  claim,
  decided,
  features,
  HOUR,
  list,
  MINUTE,
  PROMISE,
  proof,
  proofsOf,
  running,
  SECOND,
  stop,
  tag,
  told,
  bound,
  created,
  verdict,
} from '../given.ts';

const NOT_YET: CheckOutcome = { is: 'not-yet', tail: 'queued' };
const RED: CheckOutcome = { is: 'failed', exit: 1, tail: '' };
const GREEN: CheckOutcome = { is: 'passed' };
const CHECKED: Partial<Definition> = { gates: [check('ci'), check('lint')] };

function judged(loop: Loop, outcomes: readonly CheckOutcome[], now: string, words: readonly string[] = []) {
  const checks = outcomes.map((outcome, k) => proof(['ci', 'lint'][k] ?? '', outcome));
  return decided(loop, stop(), proofsOf(loop, { checks, tags: words.map((one) => tag(one)) }), now);
}

/** The stops `from` to `to`, each of which lets the loop wait until a minute after it. */
function looks(from: number, to: number): Event[] {
  return Array.from({ length: to - from + 1 }, (_, k) => from + k).flatMap((n) => [
    claim(n),
    verdict(n, {
      verdict: { is: 'allow', why: 'not-yet', shells: [], until: after((n + 1) * MINUTE) },
      proofs: [proof('ci', NOT_YET)],
    }),
  ]);
}

describe('the verdict', () => {
  test('only such a check is missing: the loop waits a minute, whatever it has spent', () => {
    const waits = { is: 'allow', why: 'not-yet', shells: [], until: after(11 * MINUTE) };
    expect(judged(running(CHECKED), [NOT_YET, GREEN], after(10 * MINUTE))).toEqual(waits);
    expect(judged(running(CHECKED), [NOT_YET, NOT_YET], after(10 * MINUTE))).toEqual(waits);
    const spent = { ...CHECKED, tokens: 0, costUsd: 0, iterations: 1 };
    expect(judged(running(spent), [NOT_YET, GREEN], after(10 * MINUTE))).toEqual(waits);
  });

  test('it waits within its time: the last look is when that is up', () => {
    const bounded = (ms: number) => running({ ...CHECKED, timeMs: ms });
    expect(judged(bounded(10 * MINUTE + SECOND), [NOT_YET, GREEN], after(10 * MINUTE))).toMatchObject({
      why: 'not-yet',
      until: after(10 * MINUTE + SECOND),
    });
    expect(judged(running({ ...CHECKED, timeMs: null }), [NOT_YET, GREEN], after(10 * MINUTE))).toMatchObject(
      {
        until: after(11 * MINUTE),
      },
    );
    const late = bounded(10 * MINUTE);
    expect(judged(late, [NOT_YET, GREEN], after(10 * MINUTE))).toMatchObject({
      is: 'exhaust',
      limit: 'time',
    });
    expect(judged(late, [GREEN, GREEN], after(10 * MINUTE)).is).toBe('complete');
  });

  test('something else is missing, which the agent can work on: it goes on', () => {
    expect(judged(running(CHECKED), [NOT_YET, RED], after(MINUTE)).is).toBe('continue');
    const promised = running({ gates: [PROMISE, check('ci')] });
    expect(judged(promised, [NOT_YET], after(MINUTE)).is).toBe('continue');
    expect(judged(promised, [NOT_YET], after(MINUTE), ['COMPLETE'])).toMatchObject({ why: 'not-yet' });
  });

  test('where any gate is enough, one that holds is', () => {
    const any = running({ ...CHECKED, require: 'any' });
    expect(judged(any, [NOT_YET, GREEN], after(MINUTE)).is).toBe('complete');
    expect(judged(any, [NOT_YET, RED], after(MINUTE)).is).toBe('continue');
    expect(judged(any, [NOT_YET, NOT_YET], after(MINUTE))).toMatchObject({ why: 'not-yet' });
    const claimed = running({ gates: [PROMISE, check('ci')], require: 'any' });
    expect(judged(claimed, [NOT_YET], after(MINUTE), ['COMPLETE']).is).toBe('complete');
  });

  test('an agent that needs a person comes first', () => {
    expect(judged(running(CHECKED), [NOT_YET, GREEN], after(MINUTE), ['BLOCKED: no key']).is).toBe(
      'escalate',
    );
  });

  test('the waits get longer, up to five minutes, or as long as the person says', () => {
    const waited = (count: number, checking: Partial<Definition['checking']> = {}) => {
      const definition = { ...CHECKED, checking: { parallel: 1, timeoutMs: 540_000, ...checking } };
      const now = after((count + 1) * MINUTE);
      const given = judged(running(definition, ...looks(1, count)), [NOT_YET, GREEN], now);
      const until = given.is === 'allow' ? given.until : null;
      return (Date.parse(until ?? '') - Date.parse(now)) / SECOND;
    };
    expect([0, 1, 2, 3, 4, 60].map((count) => waited(count))).toEqual([60, 120, 240, 300, 300, 300]);
    expect([0, 1, 9].map((count) => waited(count, { recheckMs: 10 * SECOND }))).toEqual([10, 20, 300]);
    expect([0, 1].map((count) => waited(count, { recheckMs: HOUR }))).toEqual([3600, 3600]);
  });
});

describe('the loop that waits', () => {
  // Made in each test, so that a change of the fold shows in it.
  const looked = () => running(CHECKED, ...looks(1, 2));

  test('has spent no pass, and its clock runs until the next look', () => {
    const waiting = looked();
    expect(waiting.status).toEqual({ is: 'waiting', for: 'check', until: after(3 * MINUTE) });
    expect(waiting.session.awaits).toEqual({ looks: 2 });
    expect(waiting.frame.passes).toBe(0);
    expect(workedMs(waiting, after(2.5 * MINUTE))).toBe(2.5 * MINUTE);
    // A look takes time, too.
    const looking = told(...eventsOf(looks(1, 2)), claim(3));
    expect(workedMs(looking, after(3.5 * MINUTE))).toBe(3.5 * MINUTE);
    // Nobody looked: a run that was killed in the evening has not used up the night.
    expect(workedMs(waiting, after(HOUR))).toBe(3 * MINUTE);
    const paused = { type: 'paused', at: after(HOUR), by: 'terminal', why: 'command' } as const;
    expect(told(...eventsOf(looks(1, 2)), paused).clock).toMatchObject({
      workedMs: 3 * MINUTE,
      since: null,
    });
    expect(waiting.last?.looked).toMatchObject({ why: 'not-yet' });
  });

  test('waits no longer once another verdict is given, or a person has a word for the agent', () => {
    const [at, by] = [after(HOUR), 'terminal'] as const;
    expect(told(...eventsOf(looks(1, 2)), claim(3), verdict(3)).session.awaits).toBeNull();
    const steered = told(...eventsOf(looks(1, 2)), { type: 'steered', at, by, words: 'Use the other one.' });
    expect(steered).toMatchObject({ status: { is: 'running' }, session: { awaits: null } });
    const amended = { type: 'amended', at, by, iterations: null } as const;
    expect(told(...eventsOf(looks(1, 2)), { ...amended, prompt: null }).session.awaits).not.toBeNull();
    expect(told(...eventsOf(looks(1, 2)), { ...amended, prompt: 'new' }).session.awaits).toBeNull();
  });

  test('a word for the agent leaves a loop that waits for something else as it is', () => {
    const held = { type: 'held', at: after(HOUR), for: 'rate', until: after(2 * HOUR) } as const;
    const steered = { type: 'steered', at: after(HOUR), by: 'terminal', words: 'Hm.' } as const;
    expect(told(...eventsOf([]), held, steered).status).toMatchObject({ is: 'waiting', for: 'rate' });
  });

  test('looks again after a pause, and at once when it is told to', () => {
    const at = after(HOUR);
    const paused = { type: 'paused', at, by: 'terminal', why: 'command' } as const;
    const resumption = { session: 's1', process: null, prompt: null, iterations: null };
    const resumed = { type: 'resumed', at, by: 'terminal', ...resumption } as const;
    expect(told(...eventsOf(looks(1, 2)), paused, resumed).session.awaits).not.toBeNull();
    const held = { type: 'held', at, for: 'check', until: at } as const;
    expect(told(...eventsOf(looks(1, 2)), held).status).toEqual({ is: 'waiting', for: 'check', until: at });
  });
});

function eventsOf(more: readonly Event[]): Event[] {
  return [created(CHECKED), bound(), ...more];
}

test('at the start it was open, and later it makes no item of a list a thing to repair', () => {
  expect(begunOf(proof('ci', NOT_YET), { timeoutMs: 1_000 })).toBe('failed');
  const marked = (outcome: CheckOutcome) =>
    running(
      { gates: [features(), check('ci')] },
      claim(1),
      verdict(1, { proofs: [proof('ci', outcome)], features: list(1) }),
    );
  expect(unprovenItems(marked(NOT_YET))).toBe(0);
  expect(unprovenItems(marked(RED))).toBe(1);
});

test('is said by the names of the checks that said it', () => {
  expect(sayOutcome(NOT_YET)).toBe('says "not yet" (exit code 75)');
  const named = { ...proof('./ci.sh', NOT_YET), name: 'ci' };
  expect(sayNotYet([proof('lint', RED), named, proof('make deploy', NOT_YET)])).toBe('`ci`, `make deploy`');
  expect(sayNotYet([proof('lint', GREEN)])).toBe('');
});
