/** What the fresh driver makes of a loop, as its journal tells it. */
import { describe, expect, it } from 'vitest';
import type { Event, EventOf } from '../../src/core/events.ts';
import { isLive, topFrame, workedMs } from '../../src/core/loop.ts';
import { report } from '../../src/core/report.ts';
import { sayStatus } from '../../src/core/words-to-person.ts';
import { HOUR, MINUTE, after, bound, claim, created, told, verdict } from './given.ts';

function taken(n: number, over: Partial<EventOf<'taken'>> = {}): Event {
  const name = `pass-${n}`;
  return { type: 'taken', at: after(0), n, session: name, pass: name, process: 7, model: null, ...over };
}

function faulted(over: Partial<EventOf<'faulted'>> = {}): Event {
  return {
    type: 'faulted',
    at: after(MINUTE),
    fault: 'transient',
    detail: 'overloaded',
    attempt: 1,
    until: after(2 * MINUTE),
    evidence: null,
    used: null,
    ...over,
  };
}

const FRESH = created({ driver: 'fresh' });

describe('a loop is taken for a pass', () => {
  it('and runs, held by the driver', () => {
    const loop = told(FRESH, taken(2));
    expect(loop).toMatchObject({ driver: 'fresh', owner: { session: 'pass-2', process: 7 } });
    expect(loop.status).toEqual({ is: 'running' });
  });

  it('by one driver only: of two that take it at once, the first in file order has it', () => {
    const loop = told(FRESH, taken(2), taken(2, { session: 'other', process: 8 }));
    expect(loop.owner).toEqual({ session: 'pass-2', process: 7 });
  });

  it('but not where somebody paused or cancelled it in between', () => {
    const paused: Event = { type: 'paused', at: after(1), by: 'terminal', why: 'command' };
    const loop = told(FRESH, taken(2), paused, taken(3, { session: 'late' }));
    expect(loop.status.is).toBe('paused');
    expect(loop.owner?.session).toBe('pass-2');
  });

  it('from a session, and a session takes it back', () => {
    const handed = told(created(), bound(), taken(3));
    expect(handed.driver).toBe('fresh');
    expect(told(created(), bound(), taken(3), bound({ session: 's2' })).driver).toBe('hook');
  });
});

describe('a fault', () => {
  it('that may pass is waited out, and waiting is no working time', () => {
    const loop = told(FRESH, taken(2), faulted());
    expect(loop.status).toEqual({ is: 'waiting', for: 'retry', until: after(2 * MINUTE) });
    expect(isLive(loop)).toBe(true);
    expect(workedMs(loop, after(HOUR))).toBe(MINUTE);
    expect(sayStatus(loop)).toContain('is waiting for the host to be well again');
    expect(report(loop, after(HOUR)).status).toBe('waiting');
  });

  it('is counted apart from iterations, and a pass that goes well ends the row', () => {
    const twice = told(FRESH, taken(2), faulted(), taken(4), faulted({ attempt: 2 }));
    expect(twice.faults).toMatchObject({ total: 2, inARow: 2, last: { fault: 'transient' } });
    expect(topFrame(twice).passes).toBe(0);
    const well = told(
      FRESH,
      taken(2),
      faulted(),
      taken(4),
      claim(1, { session: 'pass-4', prompt: 'pass-4' }),
      verdict(1),
    );
    expect(well.faults).toMatchObject({ total: 1, inARow: 0 });
    expect(topFrame(well).passes).toBe(1);
  });

  it('of a usage limit says so', () => {
    const loop = told(FRESH, taken(2), faulted({ fault: 'limit' }));
    expect(loop.status).toMatchObject({ is: 'waiting', for: 'limit' });
    expect(sayStatus(loop)).toContain('usage limit');
  });

  it('that was tried often enough interrupts the loop, which can go on', () => {
    const loop = told(FRESH, taken(2), faulted({ until: null }));
    expect(loop.status).toMatchObject({ is: 'interrupted', why: 'fault', detail: 'overloaded' });
  });

  it('that is fatal ends it, and a person is asked', () => {
    const loop = told(FRESH, taken(2), faulted({ fault: 'fatal', detail: 'auth: no login', until: null }));
    expect(loop.status).toEqual({ is: 'escalated', why: { is: 'fatal', words: 'auth: no login' } });
  });

  it.each(['timed-out', 'silent'] as const)('%s leaves the pass to be judged as it stands', (fault) => {
    expect(told(FRESH, taken(2), faulted({ fault, until: null })).status).toEqual({ is: 'running' });
  });

  it('costs what it cost', () => {
    const used = { costUsd: 0.25, tokens: 100 };
    expect(told(FRESH, taken(2), faulted({ used })).spent).toEqual(used);
  });
});
