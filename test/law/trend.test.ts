/**
 * Measures and their trend: how far a loop is from its goals, when it circles or gets worse, and what that
 * costs it.
 */
import { describe, expect, it } from 'vitest';
import { driftOf, halfOpensAt } from '#law/circuit.ts';
import { factsOf, judge } from '#law/decide.ts';
import { fold } from '#law/fold/index.ts';
import type { Loop } from '#law/loop.ts';
import {
  awayFrom,
  isMet,
  measuresGate,
  sayGoalsOf,
  sayMeasures,
  sayWanted,
  type MeasureReading,
} from '#law/measures.ts';
import type { Definition, Measure } from '#law/record/definition.ts';
import { trendAt } from '#law/trend.ts';
import type { Proofs } from '#law/stop.ts';
import { standingOf } from '#law/standing.ts';
import { sayEnded } from '#telling/person/ended.ts';
import { whatIsOpen } from '#telling/agent/open-gates.ts';
import { after, check, claim, MINUTE, NO_PROOFS, proof, running, stop, verdict } from './given.ts';

const TEST = 'npm test';

function measure(name: string, begun: number, ...goals: Measure['goals'][number][]): Measure {
  return { name, command: `count ${name}`, timeoutMs: 1_000, begun, goals };
}

const FAILURES = measure('failures', 12, { is: '<=', bound: 0 });
const TESTS = measure('tests', 40, { is: '>=', bound: 40 });

/**
 * What one stop shows: the output of the failing check (null: it passes; absent: it did not run), and the
 * values.
 */
interface Shown {
  readonly fails?: string | null;
  readonly values?: Readonly<Record<string, number | null>>;
}

function stops(loop: Loop, { fails, values = {} }: Shown): Loop {
  const n = loop.stops + 1;
  const frame = loop.frame;
  const outcome =
    fails === undefined || fails === null
      ? ({ is: 'passed' } as const)
      : ({ is: 'failed', exit: 1, tail: fails } as const);
  const checks = fails === undefined ? [] : [proof(TEST, outcome)];
  const taken = Object.entries(values).map(([name, value]): MeasureReading =>
    value === null ? { name, value, why: 'no number' } : { name, value },
  );
  const measures = frame.measures ?? [];
  const holds = measures.every(({ name, goals }) => isMet(values[name] ?? Number.NaN, goals));
  const says = sayMeasures(measures, taken);
  const gateResults = taken.length === 0 ? [] : [{ gate: 'measures', holds, says, trouble: null } as const];
  const seen = { ...NO_PROOFS, checks, gateResults };
  const { missing } = standingOf(frame, seen);
  const proofs: Proofs = { ...seen, trend: trendAt(loop, { checks, missing, taken }) };
  // Each stop has another mark: the agent changes something every time.
  const facts = factsOf(loop, stop(), proofs, `mark ${n}`);
  const { verdict: judged } = judge(loop, facts, after(n * MINUTE));
  const { stalls, tree } = facts;
  const recorded = {
    proofs: checks,
    gateResults,
    tree,
    stalls,
    ...(proofs.trend && { trend: proofs.trend }),
  };
  return [claim(n), verdict(n, { verdict: judged, ...recorded })].reduce<Loop>(
    (told, event) => fold(told, event) ?? told,
    loop,
  );
}

function afterAll(loop: Loop, ...shown: Shown[]): Loop {
  return shown.reduce(stops, loop);
}

const failing = (...outputs: string[]): Shown[] => outputs.map((fails) => ({ fails }));
const measured = (name: string, ...values: (number | null)[]): Shown[] =>
  values.map((value) => ({ values: { [name]: value } }));

function checked(definition: Partial<Definition> = {}): Loop {
  return running({ gates: [check(TEST)], stalls: 10, ...definition });
}

function aiming(...measures: Measure[]): Loop {
  return running({ gates: [{ kind: 'measures', begun: 'failed' }], measures, stalls: 10 });
}

describe('goals', () => {
  it('make a gate, which was open if one of them is known to be missed', () => {
    const { begun: _, ...unknown } = FAILURES;
    expect(measuresGate([])).toEqual([]);
    expect(measuresGate([measure('told', 3)])).toEqual([]);
    expect(measuresGate([TESTS])).toEqual([{ kind: 'measures', begun: 'passed' }]);
    expect(measuresGate([unknown])).toEqual([{ kind: 'measures', begun: 'passed' }]);
    expect(measuresGate([TESTS, FAILURES])).toEqual([{ kind: 'measures', begun: 'failed' }]);
  });

  it('are said with their measures, and a measure says since when it is there', () => {
    expect(sayWanted([])).toBe('none');
    expect(sayWanted([measure('told', 3), TESTS])).toBe('told and tests >= 40');
    const now = [{ name: 'tests', value: 41 }];
    expect(sayMeasures([TESTS], now)).toBe('tests is 41 (40 at the start, goal >= 40)');
    expect(sayMeasures([{ ...TESTS, added: true }], now)).toBe(
      'tests is 41 (40 when it was added, goal >= 40)',
    );
    const { begun: _, ...unknown } = TESTS;
    expect(sayMeasures([unknown], now)).toBe('tests is 41 (goal >= 40)');
    expect(sayMeasures([{ ...unknown, goals: [] }], now)).toBe('tests is 41');
  });

  it('a bound that is reached is met, on either side', () => {
    expect(isMet(0, [{ is: '<=', bound: 0 }])).toBe(true);
    expect(isMet(1, [{ is: '<=', bound: 0 }])).toBe(false);
    expect(isMet(40, [{ is: '>=', bound: 40 }])).toBe(true);
    expect(isMet(39.5, [{ is: '>=', bound: 40 }])).toBe(false);
    expect(isMet(5, [])).toBe(true);
    expect(
      isMet(5, [
        { is: '>=', bound: 1 },
        { is: '<=', bound: 4 },
      ]),
    ).toBe(false);
  });

  it('counts and percentages weigh the same: each is a part of its first distance', () => {
    const coverage = measure('coverage', 60, { is: '>=', bound: 80 });
    const values = [
      { name: 'failures', value: 6 },
      { name: 'coverage', value: 70 },
    ];
    expect(awayFrom([FAILURES, coverage], values)).toBe(1);
    expect(awayFrom([FAILURES], [{ name: 'failures', value: -3 }])).toBe(0);
    const low = measure('size', 30, { is: '<=', bound: 10 });
    expect(awayFrom([low], [{ name: 'size', value: 20 }])).toBe(0.5);
  });

  it('a goal that held at the start is weighed by its bound, and one of zero by one', () => {
    expect(awayFrom([TESTS], [{ name: 'tests', value: 30 }])).toBe(0.25);
    const none = measure('warnings', 0, { is: '<=', bound: 0 });
    expect(awayFrom([none], [{ name: 'warnings', value: 3 }])).toBe(3);
  });

  it('nobody can tell without a goal, or without a value', () => {
    expect(awayFrom([measure('lines', 3)], [{ name: 'lines', value: 9 }])).toBeNull();
    expect(awayFrom([FAILURES, TESTS], [{ name: 'tests', value: 40 }])).toBeNull();
    expect(awayFrom([FAILURES], [{ name: 'failures', value: null, why: 'x' }])).toBeNull();
  });

  it('is said in one line, what misses its goal first', () => {
    const lines = measure('lines', 300);
    const coverage = measure('coverage', 60, { is: '>=', bound: 60 }, { is: '>=', bound: 80 });
    const values: MeasureReading[] = [
      { name: 'lines', value: 320 },
      { name: 'tests', value: 41 },
      { name: 'failures', value: 7 },
    ];
    expect(sayMeasures([lines, TESTS, FAILURES, coverage], values)).toBe(
      'failures is 7 (12 at the start, goal <= 0); coverage was not measured; lines is 320 (300 at the start); tests is 41 (40 at the start, goal >= 40, met)',
    );
    expect(sayMeasures([TESTS], [{ name: 'tests', value: null, why: 'it printed no number' }])).toBe(
      'tests could not be measured: it printed no number',
    );
    expect(sayGoalsOf({ measures: [lines, TESTS, coverage] })).toEqual([
      'tests >= 40 and coverage >= 60 and >= 80',
    ]);
    expect(sayGoalsOf({ measures: [lines] })).toEqual([]);
    expect(sayGoalsOf({})).toEqual([]);
  });
});

describe('circles', () => {
  it('the same failure all along is work that takes several passes', () => {
    const loop = afterAll(checked(), ...failing('a', 'a', 'a', 'a', 'a', 'a', 'a'));
    expect(driftOf(loop)).toBeNull();
    expect(loop.circuit.times).toBe(1);
  });

  it('a failure that comes back is told, with the iteration that had it; digits aside', () => {
    const loop = afterAll(checked(), ...failing('a 1', 'b', 'a 2'));
    expect(driftOf(loop)).toBe('the failures of iteration 1 are back');
    expect(loop.circuit.times).toBe(3);
    const { last } = loop;
    const said = last?.verdict.is === 'continue' ? whatIsOpen(loop, last.verdict) : '';
    expect(said).toContain('No progress: the failures of iteration 1 are back.');
    expect(said).not.toContain('The best so far');
  });

  it('five such stops in a row end the loop as stuck, and no wait half-opens it', () => {
    const four = afterAll(checked({ driver: 'fresh' }), ...failing('a', 'b', 'a', 'a', 'b', 'a'));
    expect(four.status.is).toBe('running');
    expect(four.circuit.times).toBe(9);
    const five = stops(four, { fails: 'b' });
    expect(five.status).toMatchObject({ is: 'stuck', limit: 'stagnation' });
    expect(sayEnded(five)).toContain('stuck after 7 iterations: the failures of iteration 2 are back');
    expect(sayEnded(five)).not.toContain('best');
    expect(halfOpensAt(five)).toBeNull();
  });

  it('--max-stalls off, and more of them, are patient', () => {
    const circle = failing('a', 'b', 'a', 'b', 'a', 'b', 'a', 'b');
    expect(afterAll(checked({ stalls: null }), ...circle).status.is).toBe('running');
    expect(afterAll(checked({ stalls: 20 }), ...circle).status.is).toBe('running');
  });

  it('the first such stop never ends the loop, however small --max-stalls is: the agent hears of it before', () => {
    for (const stalls of [2, 3]) {
      const told = afterAll(checked({ stalls }), ...failing('a', 'b', 'a'));
      expect(told.status.is).toBe('running');
      expect(stops(told, { fails: 'b' }).status).toMatchObject({ is: 'stuck', limit: 'stagnation' });
    }
  });

  it('a new failure is progress, and so is a check that passes: what fails after that is new', () => {
    const fresh = afterAll(checked(), ...failing('a', 'b', 'a', 'c'));
    expect(fresh.circuit.times).toBe(1);
    expect(driftOf(fresh)).toBeNull();
    const loop = running({ gates: [check(TEST), { kind: 'promise', text: 'X' }], stalls: 10 });
    expect(driftOf(afterAll(loop, { fails: 'a' }, { fails: null }, { fails: 'a' }))).toBeNull();
  });

  it('a stop without checks says nothing, and forgets nothing', () => {
    const loop = running({ gates: [check(TEST), { kind: 'promise', text: 'X' }], stalls: 10 });
    const quiet = afterAll(loop, ...failing('a', 'b'), {});
    expect(driftOf(quiet)).toBeNull();
    expect(driftOf(stops(quiet, { fails: 'a' }))).toBe('the failures of iteration 1 are back');
    expect(driftOf(stops(quiet, { fails: 'b' }))).toBeNull();
  });

  it('a check that passes forgets what failed, and its passing is no failure', () => {
    const passes = afterAll(
      checked({ gates: [check(TEST), { kind: 'promise', text: 'X' }] }),
      ...failing('a'),
      {
        fails: null,
      },
    );
    expect(passes.circuit.trend).toMatchObject({ seen: [], failures: null });
  });

  it('other values of the measures do not make another failure', () => {
    const loop = running({
      gates: [check(TEST), { kind: 'measures', begun: 'failed' }],
      measures: [FAILURES],
      stalls: 10,
    });
    const seen = afterAll(
      loop,
      { fails: 'a', values: { failures: 9 } },
      { fails: 'a', values: { failures: 8 } },
    );
    expect(seen.circuit.trend?.seen).toHaveLength(1);
  });

  it('what another gate lacks makes another failure', () => {
    const checks = [proof(TEST, { is: 'failed', exit: 1, tail: 'a' })];
    const failuresWith = (says: string) =>
      trendAt(checked(), { checks, missing: [{ gate: 'moved', says }], taken: [] }).failures;
    expect(failuresWith('not there')).toBe(failuresWith('not there'));
    expect(failuresWith('not there')).not.toBe(failuresWith('gone'));
  });

  it('only the last few failures are kept', () => {
    const others = Array.from({ length: 8 }, (_, k) => 'bcdefghi'.charAt(k));
    const loop = afterAll(checked(), ...failing('a', ...others));
    expect(loop.circuit.trend?.seen).toHaveLength(8);
    expect(driftOf(stops(loop, { fails: 'a' }))).toBeNull();
  });
});

describe('the beginning', () => {
  it('is point 0, with nothing seen', () => {
    const loop = aiming(FAILURES);
    const trend = trendAt(loop, { checks: [], missing: [], taken: [{ name: 'failures', value: 12 }] });
    expect(trend).toEqual({
      iteration: 1,
      seen: [],
      failures: null,
      back: false,
      away: 1,
      best: { iteration: 1, away: 1 },
      drift: null,
    });
  });

  it('a first stop away from the goals is worse than point 0', () => {
    expect(driftOf(afterAll(aiming(FAILURES), ...measured('failures', 13)))).toBe(
      'the measures are further from their goals than after iteration 0',
    );
  });
});

describe('better and worse', () => {
  it('the best point is the nearest to the goals, and of equals the latest', () => {
    const best = (...values: number[]) =>
      afterAll(aiming(FAILURES), ...measured('failures', ...values)).circuit.trend?.best;
    expect(best(13)).toEqual({ iteration: 0, away: 1 });
    expect(best(6, 9)).toEqual({ iteration: 1, away: 0.5 });
    expect(best(6, 9, 6)).toEqual({ iteration: 3, away: 0.5 });
  });

  it('worse than the best and no better than before is told; on the way back it is not', () => {
    const worse = afterAll(aiming(FAILURES), ...measured('failures', 6, 9));
    expect(driftOf(worse)).toBe('the measures are further from their goals than after iteration 1');
    const said = worse.last?.verdict.is === 'continue' ? whatIsOpen(worse, worse.last.verdict) : '';
    expect(said).toContain('The best so far was iteration 1.');
    expect(driftOf(afterAll(worse, ...measured('failures', 9)))).not.toBeNull();
    const back = afterAll(worse, ...measured('failures', 8));
    expect(driftOf(back)).toBeNull();
    expect(back.circuit.times).toBe(1);
  });

  it('a measure that nobody took at the start has its best point at the first stop', () => {
    const { begun: _, ...unknown } = FAILURES;
    const once = afterAll(aiming(unknown), ...measured('failures', 9));
    expect(driftOf(once)).toBeNull();
    expect(once.circuit.trend?.best).toEqual({ iteration: 1, away: 9 });
    expect(driftOf(afterAll(once, ...measured('failures', 10)))).not.toBeNull();
  });

  it('a value that stays, or that could not be taken, is not worse', () => {
    expect(driftOf(afterAll(aiming(FAILURES), ...measured('failures', 12, 12, 12)))).toBeNull();
    const unknown = afterAll(aiming(FAILURES), ...measured('failures', 6, null));
    expect(driftOf(unknown)).toBeNull();
    expect(unknown.circuit.trend?.best).toEqual({ iteration: 1, away: 0.5 });
    expect(driftOf(afterAll(unknown, ...measured('failures', 7)))).not.toBeNull();
  });

  it('five stops that stay away end the loop, and name the best point', () => {
    const away = afterAll(aiming(FAILURES), ...measured('failures', 6, 9, 9, 10, 11));
    expect(away.status.is).toBe('running');
    const ended = afterAll(away, ...measured('failures', 11));
    expect(ended.status).toMatchObject({ detail: expect.stringMatching(/; best after iteration 1$/) });
    const run = { ...away, driver: 'fresh' as const };
    const stuck = afterAll(run, ...measured('failures', 11));
    expect(sayEnded(stuck)).toContain(`best after iteration 1 (dacapo rollback --best --loop ${run.id})`);
  });

  it('a new best is progress, whatever fails', () => {
    const loop = running({
      gates: [check(TEST), { kind: 'measures', begun: 'failed' }],
      measures: [FAILURES],
      stalls: 10,
    });
    const step = (fails: string, failures: number): Shown => ({ fails, values: { failures } });
    const better = afterAll(loop, step('a', 11), step('b', 10), step('a', 9));
    expect(driftOf(better)).toBeNull();
    const flat = afterAll(loop, step('a', 11), step('b', 10), step('a', 10));
    expect(driftOf(flat)).toBe('the failures of iteration 1 are back');
    const both = afterAll(loop, step('a', 11), step('b', 10), step('a', 11));
    expect(driftOf(both)).toMatch(/are back, and the measures are further/);
    const same = afterAll(loop, step('a', 10), step('a', 11), step('a', 11));
    expect(driftOf(same)).toMatch(/^the measures are further/);
  });

  it('a resume keeps what is known', () => {
    const loop = afterAll(aiming(FAILURES), ...measured('failures', 6));
    const resumed = fold(
      fold(loop, { type: 'paused', at: after(90 * MINUTE), by: 'terminal', why: 'command' }),
      {
        type: 'resumed',
        at: after(91 * MINUTE),
        by: 'terminal',
        session: null,
        process: null,
        prompt: null,
        iterations: null,
      },
    );
    expect(resumed?.circuit).toMatchObject({ times: 0, trend: { best: { iteration: 1 } } });
  });
});
