/** What the fresh driver makes of a loop, as its journal tells it. */
import { describe, expect, it } from 'vitest';
import type { Event, EventOf } from '#law/record/events.ts';
import { isLive, workedMs } from '#law/loop.ts';
import { statusOf } from '#telling/loop-status.ts';
import { sayStatus } from '#telling/person/status.ts';
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
    expect(loop).toMatchObject({ driver: 'fresh', session: { owner: { session: 'pass-2', process: 7 } } });
    expect(loop.status).toEqual({ is: 'running' });
  });

  it('by one driver only: of two that take it at once, the first in file order has it', () => {
    const loop = told(FRESH, taken(2), taken(2, { session: 'other', process: 8 }));
    expect(loop.session.owner).toEqual({ session: 'pass-2', process: 7 });
  });

  it('but not where somebody paused or cancelled it in between', () => {
    const paused: Event = { type: 'paused', at: after(1), by: 'terminal', why: 'command' };
    const loop = told(FRESH, taken(2), paused, taken(3, { session: 'late' }));
    expect(loop.status.is).toBe('paused');
    expect(loop.session.owner?.session).toBe('pass-2');
  });

  it('from a session, and a session takes it back', () => {
    const handed = told(created(), bound(), taken(3));
    expect(handed.driver).toBe('fresh');
    expect(told(created(), bound(), taken(3), bound({ session: 's2' })).driver).toBe('hook');
  });
});

describe('the reset of a usage limit', () => {
  const limited = [FRESH, taken(2), faulted({ fault: 'limit', until: after(HOUR) })] as const;
  const paused: Event = { type: 'paused', at: after(2 * MINUTE), by: 'terminal', why: 'command' };
  const interrupted: Event = { type: 'interrupted', at: after(2 * MINUTE), why: 'session-end', detail: '' };
  const resumed: Event = {
    type: 'resumed',
    at: after(3 * MINUTE),
    by: 'terminal',
    session: null,
    process: null,
    prompt: null,
    iterations: null,
  };

  it.each([
    ['a pause', [paused]],
    ['an interruption', [interrupted]],
    ['a resume', [paused, resumed]],
    [
      'a cancel that a person takes back',
      [{ type: 'cancelled', at: after(1), by: 'terminal', prompt: null }, resumed],
    ],
    ['another process that waits on', [paused, bound({ how: 'takeover', process: 8 })]],
  ] satisfies [string, Event[]][])('outlives %s', (_name, events) => {
    expect(told(...limited, ...events).run.resetsAt).toBe(after(HOUR));
  });

  it('is over with the next pass, and with the next stop that is judged', () => {
    expect(told(...limited, taken(4)).run.resetsAt).toBeNull();
    const session = bound({ session: 's2', process: 8 });
    expect(told(...limited, paused, session).run.resetsAt).toBe(after(HOUR));
    expect(
      told(...limited, paused, session, claim(1, { session: 's2' }), verdict(1)).run.resetsAt,
    ).toBeNull();
  });

  it('is nothing that a fault of another kind has', () => {
    expect(told(FRESH, taken(2), faulted()).run.resetsAt).toBeNull();
    expect(told(FRESH, taken(2)).run.resetsAt).toBeNull();
  });

  it('is waited for again by an event of its own, and that is not working time', () => {
    const held: Event = { type: 'held', at: after(4 * MINUTE), for: 'limit', until: after(HOUR) };
    const loop = told(
      ...limited,
      paused,
      bound({ how: 'takeover', process: 8, at: after(4 * MINUTE) }),
      held,
    );
    expect(loop).toMatchObject({
      status: { is: 'waiting', for: 'limit', until: after(HOUR) },
      session: { owner: { process: 8 } },
      driver: 'fresh',
    });
    expect(workedMs(loop, after(HOUR))).toBe(MINUTE);
  });
});

describe('a fault', () => {
  it('that may pass is waited out, and waiting is not working time', () => {
    const loop = told(FRESH, taken(2), faulted());
    expect(loop.status).toEqual({ is: 'waiting', for: 'retry', until: after(2 * MINUTE) });
    expect(isLive(loop)).toBe(true);
    expect(workedMs(loop, after(HOUR))).toBe(MINUTE);
    expect(sayStatus(loop)).toContain('is waiting for the host to recover');
    expect(statusOf(loop, after(HOUR)).status).toBe('waiting');
  });

  it('is counted apart from iterations, and a pass that goes well ends the row', () => {
    const twice = told(FRESH, taken(2), faulted(), taken(4), faulted({ attempt: 2 }));
    expect(twice.run.faults).toMatchObject({ total: 2, inARow: 2, last: { fault: 'transient' } });
    expect(twice.frame.passes).toBe(0);
    const well = told(
      FRESH,
      taken(2),
      faulted(),
      taken(4),
      claim(1, { session: 'pass-4', prompt: 'pass-4' }),
      verdict(1),
    );
    expect(well.run.faults).toMatchObject({ total: 1, inARow: 0 });
    expect(well.frame.passes).toBe(1);
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
