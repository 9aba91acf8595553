import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_PLAN } from '#law/record/plan.ts';
import { readEvent, type Event, type EventOf } from '#law/record/events.ts';
import { fold } from '#law/fold/index.ts';
import { workedMs, type Loop } from '#law/loop.ts';
import {
  GO_ON,
  HOUR,
  MINUTE,
  SECOND,
  after,
  bound,
  claim,
  created,
  pass,
  passes,
  running,
  told,
  verdict,
} from '../given.ts';

function next(loop: Loop, ...events: Event[]): Loop {
  return events.reduce((sofar, event) => fold(sofar, event) ?? sofar, loop);
}

const cancelled = (at = after(0)): Event => ({ type: 'cancelled', at, by: 'terminal', prompt: null });
const paused = (at = after(0)): Event => ({ type: 'paused', at, by: 'terminal', why: 'command' });

function resumed(over: Partial<EventOf<'resumed'>> = {}): Event {
  const at = after(HOUR);
  return {
    type: 'resumed',
    at,
    by: 'terminal',
    session: null,
    process: 100,
    prompt: null,
    iterations: null,
    ...over,
  };
}

describe('claims', () => {
  it('the first line for an ordinal wins, and every other is void', () => {
    const first = claim(1, { process: 11 });
    const loop = running({}, first, claim(1, { process: 22 }));
    expect(loop.open?.process).toBe(11);
    expect(loop.stops).toBe(1);
  });

  it('the ordinals are gapless', () => {
    expect(running({}, claim(2)).open).toBeNull();
    expect(running({}, claim(1), claim(2)).open?.n).toBe(1);
  });

  it('a verdict counts for the claim that is open, once', () => {
    const loop = running({}, ...pass(1), verdict(1), verdict(2));
    expect(loop.frame.passes).toBe(1);
  });

  it('a claim that was lost spends nothing, and frees the next ordinal', () => {
    const loop = running({}, claim(1), { type: 'lost', at: after(MINUTE), n: 1, why: 'died' });
    expect(loop.open).toBeNull();
    expect(loop.frame.passes).toBe(0);
    expect(next(loop, verdict(1)).frame.passes).toBe(0);
    expect(next(loop, ...pass(2)).frame.passes).toBe(1);
  });

  it('only a live loop can be claimed', () => {
    expect(told(created(), claim(1)).open).toBeNull();
    expect(running({}, paused(), claim(1)).open).toBeNull();
    expect(running({}, cancelled(), claim(1)).open).toBeNull();
  });
});

describe('a second delivery', () => {
  it('is compared with the stops answered last', () => {
    const loop = running({}, ...passes(20));
    expect(loop.answered.at(-1)).toMatchObject({ words: 'words 20', prompt: 'p1' });
    expect(loop.answered.length).toBeGreaterThan(1);
  });
});

describe('a cancel holds', () => {
  it('in file order before the verdict it voids it', () => {
    const loop = running({}, claim(1), cancelled(), verdict(1));
    expect(loop.status).toEqual({ is: 'cancelled', by: 'terminal', prompt: null });
    expect(loop.frame.passes).toBe(0);
  });

  it('nothing that follows it re-arms the loop', () => {
    const prompted: Event = { type: 'prompted', at: after(0), prompt: 'p9' };
    const loop = running({}, cancelled(), bound(), prompted, ...pass(1), paused(), verdict(1));
    expect(loop.status.is).toBe('cancelled');
  });

  it('of two the first stands', () => {
    const again: Event = { type: 'cancelled', at: after(1), by: 'session', prompt: 'p2' };
    expect(running({}, cancelled(), again).status).toMatchObject({ by: 'terminal' });
  });
});

describe('a pause in the middle of a hearing', () => {
  it('came first and stands; the pass is not spent', () => {
    const loop = running({}, claim(1), paused(), verdict(1));
    expect(loop.status.is).toBe('paused');
    expect(loop.frame.passes).toBe(0);
    expect(loop.open).toBeNull();
  });

  it('yields to work that is proven done', () => {
    const loop = running({}, claim(1), paused(), verdict(1, { verdict: { is: 'complete' } }));
    expect(loop.status).toEqual({ is: 'completed' });
  });
});

describe('a resume', () => {
  it('by a host or a session that comes late does not reopen what a person has ended', () => {
    for (const by of ['host', 'session'] as const)
      expect(running({}, cancelled(), resumed({ by })).status.is).toBe('cancelled');
  });

  it('reopens what has ended, but never what is complete', () => {
    expect(running({}, cancelled(), resumed()).status).toEqual({ is: 'running' });
    const complete = running({}, claim(1), verdict(1, { verdict: { is: 'complete' } }));
    expect(next(complete, resumed()).status).toEqual({ is: 'completed' });
  });

  it('of a loop whose iterations are used up needs a higher limit: N is exactly N', () => {
    const exhausted = running(
      { iterations: 1 },
      claim(1),
      verdict(1, { verdict: { is: 'exhaust', limit: 'iterations', missing: [] } }),
    );
    expect(next(exhausted, resumed()).status.is).toBe('exhausted');
    expect(next(exhausted, resumed({ iterations: 1 })).status.is).toBe('exhausted');
    const more = next(exhausted, resumed({ iterations: 3 }));
    expect(more.status.is).toBe('running');
    expect(more.frame).toMatchObject({ iterations: 3, passes: 1 });
  });

  it('forgets the claim of a hearing that was broken off', () => {
    const loop = running({}, claim(1), paused(), resumed());
    expect(loop.open).toBeNull();
    expect(next(loop, verdict(1)).frame.passes).toBe(0);
  });

  it('gives the prompt whole again, and waits for the next prompt to carry it on', () => {
    expect(running({}, paused(), resumed())).toMatchObject({ session: { compacted: true, chain: null } });
  });
});

describe('ownership', () => {
  it('of a paused loop may change, and the pause stands', () => {
    for (const how of ['takeover', 'start'] as const)
      expect(running({}, paused(), bound({ process: 200, how }))).toMatchObject({
        status: { is: 'paused', why: 'command' },
        session: { owner: { process: 200 } },
      });
  });

  it('a loop made ready belongs to the first session that gives its prompt', () => {
    const loop = told(
      created(),
      bound({ session: 'first', process: 1, how: 'prompt' }),
      bound({ session: 'second', process: 2, how: 'prompt' }),
    );
    expect(loop.session.owner).toEqual({ session: 'first', process: 1 });
  });

  it('after a clear it moves along, paused', () => {
    const loop = running({}, bound({ session: 's2', prompt: null, how: 'clear' }));
    expect(loop.session.owner?.session).toBe('s2');
    expect(loop.status).toEqual({ is: 'paused', by: 'session', why: 'clear' });
  });

  it('another session has another transcript: what was read of the old one is void', () => {
    const read = verdict(1, { queue: { offset: 5_000, waiting: 0 } });
    const loop = running({}, claim(1), read);
    expect(next(loop, bound({ session: 's1', process: 7, how: 'takeover' })).session.queue.offset).toBe(
      5_000,
    );
    expect(next(loop, bound({ session: 's2', how: 'clear' })).session.queue.offset).toBe(0);
    expect(next(loop, resumed({ session: 's2' })).session.queue.offset).toBe(0);
  });
});

describe('a continue', () => {
  it('is unconfirmed until its chain shows another event', () => {
    const loop = running({}, ...pass(1));
    expect(loop.session.unconfirmed).toEqual({ capped: false });
    expect(next(loop, claim(2)).session.unconfirmed).toBeNull();
  });

  it('that the host has overridden names the cap as the reason', () => {
    const capped = running({}, claim(1), verdict(1, { verdict: { ...GO_ON, capped: true } }));
    const own: Event = { type: 'paused', at: after(HOUR), by: 'session', why: 'prompt' };
    expect(next(capped, own).status).toMatchObject({ is: 'paused', why: 'capped' });
    const end: Event = { type: 'interrupted', at: after(HOUR), why: 'session-end', detail: 'other' };
    expect(next(capped, end).status).toMatchObject({ is: 'interrupted', why: 'capped' });
  });

  it('after a compaction gives the whole prompt once', () => {
    const loop = running({}, { type: 'compacted', at: after(0) });
    expect(loop.session.compacted).toBe(true);
    expect(next(loop, ...pass(1)).session.compacted).toBe(false);
  });
});

describe('an amendment', () => {
  const amended = (over: Partial<EventOf<'amended'>>): Event => ({
    type: 'amended',
    at: after(MINUTE),
    by: 'view',
    prompt: null,
    iterations: null,
    ...over,
  });

  it('changes only what it names, and is remembered with the rendering it begins at', () => {
    const loop = running({}, amended({ prompt: 'other-hash' }), amended({ iterations: 'unlimited' }));
    expect(loop.frame).toMatchObject({ prompt: 'other-hash', iterations: null });
    expect(loop.files.revisions).toEqual([
      { from: 1, frame: 1, prompt: 'hash-of-prompt', iterations: 50 },
      { from: 3, frame: 1, prompt: 'other-hash', iterations: 50 },
      { from: 4, frame: 1, prompt: 'other-hash', iterations: null },
    ]);
  });

  it('a changed prompt is given whole at the next continue', () => {
    expect(running({}, amended({ prompt: 'other-hash' })).session.compacted).toBe(true);
    expect(running({}, amended({ iterations: 9 })).session.compacted).toBe(false);
  });
});

describe('the clock', () => {
  it('counts only what passed while the loop ran', () => {
    const loop = running({}, paused(after(10 * MINUTE)), resumed({ at: after(HOUR), prompt: 'p2' }), {
      type: 'interrupted',
      at: after(HOUR + 5 * MINUTE),
      why: 'fault',
      detail: 'overloaded',
    });
    expect(workedMs(loop, after(9 * HOUR))).toBe(15 * MINUTE);
  });

  it('does not count the time after a process died, until somebody resumes the loop', () => {
    const loop = running(
      {},
      claim(1),
      verdict(1, { at: after(10 * MINUTE) }),
      resumed({ at: after(9 * HOUR), prompt: 'p2' }),
    );
    expect(workedMs(loop, after(9 * HOUR + MINUTE))).toBe(11 * MINUTE);
  });

  it('nor until another driver takes it', () => {
    const taken = (n: number, process: number, at: string): EventOf<'taken'> => ({
      type: 'taken',
      at,
      n,
      session: `s${n}`,
      pass: `s${n}`,
      model: null,
      process,
      machine: 'm',
    });
    const mine = running({}, taken(3, 7, after(MINUTE)));
    const same = next(mine, taken(4, 7, after(HOUR)));
    expect(workedMs(same, after(HOUR))).toBe(HOUR);
    const other = next(mine, taken(4, 8, after(HOUR)));
    expect(workedMs(other, after(HOUR + MINUTE))).toBe(2 * MINUTE);
    // Another machine may have given its process the same number.
    const elsewhere = next(mine, { ...taken(4, 7, after(HOUR)), machine: 'n' });
    expect(workedMs(elsewhere, after(HOUR + MINUTE))).toBe(2 * MINUTE);
  });

  it('stands still before a session takes the loop up', () => {
    expect(workedMs(told(created()), after(HOUR))).toBe(0);
  });

  it('never runs backwards, even when the machine does', () => {
    const loop = running({}, paused(after(-HOUR)));
    expect(workedMs(loop, after(-2 * HOUR))).toBe(0);
  });
});

describe('size', () => {
  it('stays the same over 10,000 iterations with much going on', () => {
    let loop = running({ iterations: null });
    let atThousand = 0;
    for (let n = 1; n <= 10_000; n++) {
      const shells = [`shell-${n}`];
      const hold = { is: 'allow', why: 'background', shells, until: after(n * SECOND) } as const;
      const amended: Event = {
        type: 'amended',
        at: after(n * SECOND),
        by: 'view',
        prompt: `hash-${n}`,
        iterations: null,
      };
      loop = next(loop, claim(2 * n - 1), verdict(2 * n - 1, { verdict: hold }), ...pass(2 * n), amended);
      if (n === 1_000) atThousand = JSON.stringify(loop).length;
    }
    expect(loop.frame.passes).toBe(10_000);
    expect(JSON.stringify(loop).length).toBeLessThan(atThousand + 500);
    expect(JSON.stringify(loop).length).toBeLessThan(10_000);
  });
});

describe('property: any events, in any order', () => {
  const at = fc.integer({ min: -HOUR, max: 9 * HOUR }).map((ms) => after(ms));
  const n = fc.integer({ min: 1, max: 4 });
  const prompt = fc.constantFrom('p1', 'p2', null);
  const process = fc.constantFrom(100, 200, null);
  const hand = fc.constantFrom('session', 'terminal', 'view', 'status', 'agent', 'host');
  const verdicts = fc.constantFrom(
    GO_ON,
    { ...GO_ON, capped: true },
    { is: 'complete' },
    { is: 'escalate', why: { is: 'blocked', words: '' }, missing: [] },
    { is: 'exhaust', limit: 'staleness', missing: [] },
    { is: 'exhaust', limit: 'time', missing: [] },
    { is: 'allow', why: 'queue', shells: [], until: null },
    { is: 'allow', why: 'background', shells: ['b1'], until: after(HOUR) },
  );
  const type = <T extends string>(name: T) => fc.constant(name);
  const raw = fc.oneof(
    at.map((when) => created({}, when)),
    fc.record({
      type: type('bound'),
      at,
      session: fc.constantFrom('s1', 's2'),
      process,
      prompt,
      how: fc.constantFrom('command', 'start', 'prompt', 'adopt', 'clear', 'takeover'),
    }),
    fc.record({ type: type('prompted'), at, prompt }),
    fc.tuple(n, at).map(([k, when]) => claim(k, { at: when })),
    fc.tuple(n, at, verdicts).map(([k, when, said]) => ({ ...verdict(k, { at: when }), verdict: said })),
    fc.record({ type: type('lost'), at, n, why: fc.constantFrom('died', 'terminated', 'orphaned') }),
    fc.record({ type: type('paused'), at, by: hand, why: fc.constantFrom('command', 'prompt', 'clear') }),
    fc.record({
      type: type('resumed'),
      at,
      by: hand,
      session: fc.constantFrom('s1', 's2', null),
      process,
      prompt,
      iterations: fc.constantFrom(1, 99, null),
    }),
    fc.record({
      type: type('interrupted'),
      at,
      why: fc.constantFrom('session-end', 'fault'),
      detail: fc.string(),
    }),
    fc.record({ type: type('cancelled'), at, by: hand, prompt }),
    fc.record({
      type: type('aborted'),
      at,
      why: fc.constantFrom('view', 'journal'),
      detail: fc.string(),
      evidence: fc.constant(null),
    }),
    fc.record({
      type: type('amended'),
      at,
      by: hand,
      prompt: fc.constantFrom('h1', 'h2', null),
      iterations: fc.constantFrom(1, 9, 'unlimited', null),
    }),
    fc.record({
      type: type('taken'),
      at,
      n: fc.integer({ min: 1, max: 12 }),
      session: fc.constantFrom('s1', 's2'),
      pass: fc.constantFrom('p1', 'p2'),
      process: fc.constantFrom(100, 200),
      model: fc.constantFrom(null, 'm'),
    }),
    fc.record({ type: type('planned'), at, by: hand, plan: fc.constant(DEFAULT_PLAN) }),
    fc.record({
      type: type('faulted'),
      at,
      fault: fc.constantFrom('transient', 'limit', 'crashed', 'fatal', 'timed-out', 'silent'),
      detail: fc.string(),
      attempt: n,
      until: fc.constantFrom(after(HOUR), null),
      evidence: fc.constant(null),
      used: fc.constantFrom(null, { costUsd: 0.5, tokens: 10 }),
    }),
    fc.record({
      type: type('held'),
      at,
      for: fc.constantFrom('pause', 'rate', 'circuit'),
      until: fc.constant(after(HOUR)),
    }),
    fc.record({ type: type('spent'), at, used: fc.constant({ costUsd: 0.5, tokens: 10 }) }),
    fc.record({ type: type('recorded'), at, iteration: n, commit: fc.string(), onBranch: fc.boolean() }),
    fc.record({ type: type('compacted'), at }),
    fc.record({
      type: type('altered'),
      at,
      by: fc.constantFrom('terminal', 'unknown'),
      files: fc.array(fc.string(), { maxLength: 3 }),
      digest: fc.string(),
    }),
    fc.record({
      type: type('viewed'),
      at,
      kind: fc.constantFrom('markdown', 'progress', 'vault', 'stack'),
      file: fc.string(),
    }),
  );
  /** Through the reader, as from a file: what is generated here is what a journal may hold. */
  const event = raw.map((value): Event => {
    const read = readEvent(value);
    if (read.is !== 'event') throw new Error(`no event: ${JSON.stringify(value)}`);
    return read.event;
  });
  const journal = fc.array(event, { maxLength: 40 });

  it('fold is total', () => {
    fc.assert(
      fc.property(journal, (events) => {
        const loop = events.reduce<Loop | null>(fold, null);
        expect(loop === null).toBe(!events.some(({ type: is }) => is === 'created'));
      }),
    );
  });

  it('a prefix, kept as JSON as the cache keeps it, and the rest tell the same as the whole', () => {
    fc.assert(
      fc.property(journal, journal, (prefix, rest) => {
        const whole = [created(), ...prefix, ...rest].reduce<Loop | null>(fold, null);
        const kept: Loop = JSON.parse(JSON.stringify(told(created(), ...prefix)));
        expect(rest.reduce<Loop | null>(fold, kept)).toEqual(whole);
      }),
    );
  });
});
