/** Rule 12, no progress: when the circuit opens, what half-opens it, and what closes it. */
import { describe, expect, it } from 'vitest';
import { halfOpensAt, wantsMark } from '#law/circuit.ts';
import { factsOf, judge } from '#law/decide.ts';
import { standingOf } from '#law/standing.ts';
import type { Definition } from '#law/record/definition.ts';
import type { Event, EventOf } from '#law/record/events.ts';
import type { CheckOutcome } from '#law/record/verdict.ts';
import { fold } from '#law/fold/index.ts';
import { type Loop } from '#law/loop.ts';
import type { Proofs, Stop } from '#law/stop.ts';
import { sayEnded } from '#telling/person/ended.ts';
import {
  MINUTE,
  NO_PROOFS,
  PROMISE,
  after,
  check,
  claim,
  features,
  list,
  proof,
  proofsOf,
  running,
  stop,
  saying,
  tag,
  verdict,
} from './given.ts';

interface Shown extends Partial<Pick<Stop, 'toolUsed' | 'background'>> {
  readonly proofs?: Proofs;
  /** The mark that is taken where one is wanted. */
  readonly tree?: string | null;
}

/** One stop, judged as the hearing does it. */
function stops(loop: Loop, shown: Shown = {}): Loop {
  const { proofs = NO_PROOFS, tree: mark = 'M', ...over } = shown;
  const n = loop.stops + 1;
  const at = after(n * MINUTE);
  const seen = stop({ toolUsed: false, ...over });
  const standing = standingOf(loop.frame, proofs);
  const tree = wantsMark({ loop, stop: seen, proofs, standing }) ? mark : null;
  const facts = factsOf(loop, seen, proofs, tree);
  const judged = judge(loop, facts, at).verdict;
  const stalls = 'missing' in judged ? facts.stalls : 1;
  const recorded = { proofs: proofs.checks, toolUsed: seen.toolUsed, tree, stalls };
  return then(loop, claim(n), verdict(n, { verdict: judged, ...recorded }));
}

function then(loop: Loop, ...events: Event[]): Loop {
  return events.reduce<Loop>((told, event) => fold(told, event) ?? told, loop);
}

function afterStops(count: number, loop: Loop, shown: (n: number) => Shown = () => ({})): Loop {
  for (let n = 1; n <= count; n++) loop = stops(loop, shown(n));
  return loop;
}

const failing = (tail: string, exit = 1): CheckOutcome => ({ is: 'failed', exit, tail });
const claimed = (tail: string, exit = 1): Proofs => ({
  ...NO_PROOFS,
  said: saying([tag('COMPLETE')]),
  checks: [proof('npm test', failing(tail, exit))],
});

const withStalls = (stalls: number, more: Partial<Definition> = {}) => running({ stalls, ...more });
const withCheck = (stalls: number) => withStalls(stalls, { gates: [PROMISE, check('npm test')] });
const resumed = (by: EventOf<'resumed'>['by']): Event => ({
  type: 'resumed',
  at: after(60 * MINUTE),
  by,
  session: null,
  process: 100,
  prompt: 'p9',
  iterations: null,
});

describe('without a tool call', () => {
  it('opens at the K-th stop that shows the same, and not one earlier', () => {
    expect(afterStops(9, withStalls(10)).status).toEqual({ is: 'running' });
    expect(afterStops(10, withStalls(10)).status).toMatchObject({ is: 'stuck', limit: 'stagnation' });
  });

  it('says what was seen, how often, and how to go on', () => {
    const ended = sayEnded(afterStops(3, withStalls(3)));
    expect(ended).toContain('the promise <promise>COMPLETE</promise> has not been given');
    expect(ended).toContain('the same at 3 stops in a row, and no tool was called');
    expect(ended).toContain('dacapo resume RALPH_20260105_abc123');
  });

  it('counts anew after one stop with a tool call: what was seen too late counts too', () => {
    const loop = afterStops(9, withStalls(4), (n) => ({ toolUsed: n % 3 === 0 }));
    expect(loop.status).toEqual({ is: 'running' });
    expect(loop.circuit.times).toBe(1);
  });

  it('has nothing to compare the first stop with', () => {
    expect(factsOf(withStalls(3), stop({ toolUsed: false }), NO_PROOFS, null).stalls).toBe(1);
    expect(factsOf(stops(withStalls(3)), stop({ toolUsed: false }), NO_PROOFS, null).stalls).toBe(2);
  });

  it('a shell that still runs is work, even when it holds the loop no more', () => {
    const background = [{ id: 'b', kind: 'shell', description: 'npm run build' } as const];
    const loop = afterStops(6, withStalls(2), () => ({ background }));
    expect(loop.status).toEqual({ is: 'running' });
    expect(stops(loop).status).toMatchObject({ is: 'stuck', limit: 'stagnation' });
  });

  it('never opens where it is off', () => {
    expect(factsOf(stops(running()), stop({ toolUsed: false }), NO_PROOFS, null).stalls).toBe(1);
    expect(afterStops(40, running()).status).toEqual({ is: 'running' });
  });

  it('a stop that only waits for background work does not count', () => {
    const agents = [{ id: 'a', kind: 'agent', description: 'tests' } as const];
    const loop = stops(afterStops(2, withStalls(3)), { background: agents });
    expect(loop.status).toEqual({ is: 'waiting', for: 'background' });
  });

  it('a gate that gets nearer is progress', () => {
    const loop = withStalls(2, { gates: [features()] });
    const shown = (n: number): Shown => ({ proofs: proofsOf(loop, { features: list(n, 9) }) });
    expect(afterStops(5, loop, shown).status).toEqual({ is: 'running' });
  });

  it('iterations that must be reached are not stagnation', () => {
    const loop = withStalls(2, { atLeast: 6 });
    const done = { proofs: { ...NO_PROOFS, said: saying([tag('COMPLETE')]) } };
    expect(afterStops(6, loop, () => done).status).toEqual({ is: 'completed' });
  });
});

describe('with tool calls and a check', () => {
  const same = (tree: string | null): Shown => ({ toolUsed: true, proofs: claimed('1 failed'), tree });

  it('opens when the same check fails the same way and the work tree stands still', () => {
    // The first mark has nothing to be compared with.
    expect(afterStops(4, withCheck(4), () => same('M')).status.is).toBe('running');
    const open = afterStops(5, withCheck(4), () => same('M'));
    expect(open.status).toMatchObject({ is: 'stuck', limit: 'stagnation' });
    expect(sayEnded(open)).toContain('check `npm test` failed with exit code 1');
    expect(sayEnded(open)).toContain('nothing changed in the work tree');
  });

  it('goes on however often it fails, as long as the work changes', () => {
    expect(afterStops(30, withCheck(4), (n) => same(`M${n}`)).status.is).toBe('running');
  });

  it('does not open where nobody can tell whether the work changed', () => {
    expect(afterStops(30, withCheck(4), () => same(null)).status.is).toBe('running');
  });

  it('figures in the output may differ, the exit code may not', () => {
    const times = (n: number): Shown => ({
      ...same('M'),
      proofs: claimed(`1 failed in ${n}.${n} s at 0x${n}f`),
    });
    expect(afterStops(5, withCheck(4), times).status.is).toBe('stuck');
    const codes = (n: number): Shown => ({ ...same('M'), proofs: claimed('1 failed', n) });
    expect(afterStops(9, withCheck(4), codes).status.is).toBe('running');
  });

  it('a figure may grow by a digit', () => {
    const slower = (n: number): Shown => ({ ...same('M'), proofs: claimed(`1 failed in ${10 ** n} ms`) });
    expect(afterStops(5, withCheck(4), slower).status.is).toBe('stuck');
  });

  it('names all that is missing', () => {
    const loop = afterStops(2, withStalls(2, { gates: [PROMISE, check('npm test')] }));
    expect(loop.status).toMatchObject({
      detail:
        'the same at 2 stops in a row, and no tool was called: the promise <promise>COMPLETE</promise> has not been ' +
        'given; check `npm test` has not been run yet (it runs when the promise is given)',
    });
  });

  it('another failure is another thing', () => {
    const other = (n: number): Shown => ({ ...same('M'), proofs: claimed(n % 2 === 0 ? 'a' : 'b') });
    expect(afterStops(9, withCheck(4), other).status.is).toBe('running');
  });
});

describe('a promise alone', () => {
  const busy: Shown = { toolUsed: true, tree: 'M' };

  it('work may lie anywhere, so a tool call is a change', () => {
    const loop = withStalls(3);
    const used = stop({ toolUsed: true });
    const standing = standingOf(loop.frame, NO_PROOFS);
    expect(wantsMark({ loop: stops(loop), stop: used, proofs: NO_PROOFS, standing })).toBe(false);
    expect(afterStops(9, loop, () => busy).status.is).toBe('running');
  });

  it('and so it is where a signal is all that is asked for', () => {
    const loop = withStalls(3, { gates: [{ kind: 'signal' }] });
    expect(afterStops(9, loop, () => busy).status.is).toBe('running');
  });

  it('unless the limit was asked for by name', () => {
    const loop = withStalls(3, { stallsAsked: true });
    expect(afterStops(4, loop, () => busy).status.is).toBe('stuck');
  });
});

describe('an open circuit', () => {
  const open = (): Loop => afterStops(3, withStalls(3));

  it.each(['terminal', 'session', 'agent'] as const)('is half opened by the %s', (by) => {
    const half = then(open(), resumed(by));
    expect(half.status).toEqual({ is: 'running' });
    expect(half.circuit.half).toBe(true);
  });

  it('is not opened by a host that comes back', () => {
    expect(then(open(), resumed('host')).status.is).toBe('stuck');
  });

  it('half open, one more of the same opens it at once', () => {
    const again = stops(then(open(), resumed('terminal')));
    expect(again.status).toMatchObject({ is: 'stuck', detail: expect.stringContaining('4 stops in a row') });
  });

  it('half open, any change closes it', () => {
    const closed = stops(then(open(), resumed('terminal')), { toolUsed: true });
    expect(closed.status).toEqual({ is: 'running' });
    expect(afterStops(1, closed).status.is).toBe('running');
    expect(afterStops(2, closed).status.is).toBe('stuck');
  });

  it('time half-opens it too, for a driver that can wait', () => {
    expect(halfOpensAt(running())).toBeNull();
    expect(halfOpensAt(open())).toBe(after(3 * MINUTE + 1_000 + 30 * MINUTE));
  });

  it('a pause and a resume begin the count anew', () => {
    const paused: Event = { type: 'paused', at: after(30 * MINUTE), by: 'session', why: 'command' };
    const loop = then(afterStops(2, withStalls(3)), paused, resumed('session'));
    expect(afterStops(2, loop).status.is).toBe('running');
  });

  it('a stale loop is not an open circuit: neither time nor its session brings it back', () => {
    const stale: EventOf<'verdict'>['verdict'] = { is: 'exhaust', limit: 'staleness', missing: [] };
    const loop = running({}, claim(1), verdict(1, { verdict: stale }));
    expect(halfOpensAt(loop)).toBeNull();
    expect(then(loop, resumed('session')).status).toEqual({ is: 'stuck', limit: 'staleness' });
    expect(then(loop, resumed('terminal')).circuit.half).toBe(false);
  });

  it('another ending is not reopened from a session', () => {
    const cancelled: Event = { type: 'cancelled', at: after(MINUTE), by: 'terminal', prompt: null };
    expect(then(running(), cancelled, resumed('session')).status.is).toBe('cancelled');
  });
});
