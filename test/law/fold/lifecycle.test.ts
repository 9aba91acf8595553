/**
 * What everything but a hearing makes of a loop: who has it, whether it runs, and what a new hand starts
 * from.
 */
import { describe, expect, it } from 'vitest';
import type { FrameRecord } from '#law/record/definition.ts';
import type { Event, EventOf } from '#law/record/events.ts';
import { fold } from '#law/fold/index.ts';
import type { Loop } from '#law/loop.ts';
import { DEFAULT_PLAN, forOtherHost } from '#law/record/plan.ts';
import {
  GO_ON,
  HOUR,
  MINUTE,
  PROMISE,
  after,
  bound,
  claim,
  created,
  running,
  told,
  verdict,
} from '../given.ts';

const LATER = after(HOUR);

function then(loop: Loop, ...events: Event[]): Loop {
  return events.reduce<Loop>((told, event) => fold(told, event) ?? told, loop);
}

function paused(why: EventOf<'paused'>['why'] = 'command'): Event {
  return { type: 'paused', at: after(MINUTE), by: 'session', why };
}

function resumed(over: Partial<EventOf<'resumed'>> = {}): Event {
  return {
    type: 'resumed',
    at: LATER,
    by: 'terminal',
    session: null,
    process: 9,
    prompt: null,
    iterations: null,
    ...over,
  };
}

function taken(loop: Loop, over: Partial<EventOf<'taken'>> = {}): Event {
  const n = loop.events + 1;
  return { type: 'taken', at: LATER, n, session: 's9', pass: 'pass-1', process: 7, model: null, ...over };
}

const FRAME: FrameRecord = {
  mode: 'loop',
  prompt: 'inner',
  gates: [PROMISE],
  require: 'all',
  atLeast: 0,
  iterations: 5,
  items: null,
  item: null,
};
const PUSHED: Event = { type: 'pushed', at: after(MINUTE), by: 'terminal', prompt: null, frame: FRAME };
const CANCELLED: Event = { type: 'cancelled', at: after(MINUTE), by: 'terminal', prompt: 'p7' };

/**
 * A loop in the middle of much: it waits for a shell, has read its transcript, knows its context, has gone on
 * twice.
 */
function busy(): Loop {
  const facts = {
    toolUsed: false,
    context: { tokens: 9_000, window: null },
    queue: { offset: 500, waiting: 0 },
  };
  const wait = { is: 'allow', why: 'background', shells: ['b1'], until: after(9 * MINUTE) } as const;
  return running(
    {},
    claim(1),
    verdict(1, facts),
    claim(2),
    verdict(2, facts),
    claim(3),
    verdict(3, { ...facts, verdict: wait }),
  );
}

describe('a wait of the driver', () => {
  const wait = { type: 'held', at: after(MINUTE), for: 'limit', until: LATER } as const;

  it('says for what and until when, and nothing of a reserve that nobody asked for', () => {
    expect(then(running(), wait).status).toEqual({ is: 'waiting', for: 'limit', until: LATER });
  });

  it('names the window that has reached the reserve', () => {
    const reserve = { minutes: 300, usedPercent: 81, percent: 20 };
    expect(then(running(), { ...wait, reserve }).status).toEqual({
      is: 'waiting',
      for: 'limit',
      until: LATER,
      reserve,
    });
  });

  it('knows the windows that its host told last', () => {
    const windows = [{ minutes: 300, usedPercent: 81, resetsAt: LATER }];
    const metered = { type: 'metered', at: after(MINUTE), host: 'codex', windows } as const;
    expect(then(running(), { ...metered, windows: [] }, metered).run.metered).toEqual({
      host: 'codex',
      windows,
    });
  });
});

describe('a loop that begins', () => {
  it('has seen, spent and waited for nothing', () => {
    expect(told(created({ passes: 4 }))).toMatchObject({
      frame: { id: 1, passes: 4, promptGiven: true },
      around: [],
      spent: { costUsd: 0, tokens: 0 },
      circuit: { times: 0, tree: null, half: false },
      noted: {},
      status: { is: 'pending' },
      session: {
        owner: null,
        awaited: false,
        origin: { session: 's1', prompt: 'p1' },
        chain: null,
        unconfirmed: null,
        streak: 0,
        hold: null,
        shellsHeld: [],
        yielded: false,
        compacted: false,
        queue: { offset: 0, waiting: 0 },
        woken: null,
      },
      stops: 0,
      open: null,
      answered: [],
      last: null,
      run: { plan: null, faults: { total: 0, inARow: 0, last: null } },
      files: { view: null, views: [] },
      clock: { workedMs: 0, since: null, until: null },
      events: 1,
    });
  });

  it('begins once', () => {
    const loop = running();
    expect(then(loop, created({ prompt: 'another' }))).toMatchObject({
      frame: loop.frame,
      around: [],
      session: { owner: loop.session.owner },
    });
  });
});

describe('a session that takes a loop', () => {
  it('starts from its own transcript, and waits for nothing', () => {
    expect(then(busy(), bound({ session: 's2', process: 5, prompt: 'p5', at: LATER }))).toMatchObject({
      session: {
        owner: { session: 's2', process: 5 },
        chain: 'p5',
        boundAt: LATER,
        hold: null,
        queue: { offset: 0, waiting: 0 },
        context: null,
        streak: 0,
        yielded: false,
        unconfirmed: null,
      },
      status: { is: 'running' },
    });
  });

  it.each([
    ['start', null, true],
    ['adopt', null, true],
    ['start', 5, false],
    ['adopt', 5, false],
    ['command', null, false],
    ['prompt', null, false],
    ['takeover', null, false],
  ] as const)('by %s with process %s: awaited %s', (how, process, awaited) => {
    expect(told(created(), bound({ how, process })).session.awaited).toBe(awaited);
  });

  it.each([
    ['command', 'hook'],
    ['prompt', 'hook'],
    ['start', 'fresh'],
    ['adopt', 'fresh'],
    ['takeover', 'fresh'],
  ] as const)('by %s, of a loop of the fresh driver: %s drives it then', (how, driver) => {
    expect(told(created({ driver: 'fresh' }), bound({ how })).driver).toBe(driver);
  });

  it.each([
    ['command', 'running'],
    ['adopt', 'running'],
    ['start', 'paused'],
    ['takeover', 'paused'],
  ] as const)('by %s, of a paused loop: %s', (how, is) => {
    expect(running({}, paused(), bound({ how })).status.is).toBe(is);
  });

  it.each(['command', 'start', 'prompt', 'adopt', 'takeover'] as const)(
    'by %s, of a loop that is ready: it runs',
    (how) => {
      expect(told(created(), bound({ how })).status).toEqual({ is: 'running' });
    },
  );

  it('is told the task at work, except where another process of the same session takes over', () => {
    const loop = running({}, PUSHED);
    expect(then(loop, bound({ how: 'takeover' })).frame.promptGiven).toBe(false);
    expect(then(loop, bound({ how: 'adopt' })).frame.promptGiven).toBe(true);
    expect(then(loop, taken(loop)).frame.promptGiven).toBe(true);
    expect(then(loop, resumed()).frame.promptGiven).toBe(true);
  });
});

describe('the fresh driver, taking a loop for a pass', () => {
  it('begins a chain of its own and forgets a hearing that was broken off', () => {
    const loop = then(busy(), claim(4));
    expect(then(loop, taken(loop))).toMatchObject({
      session: {
        owner: { session: 's9', process: 7 },
        chain: 'pass-1',
        awaited: false,
        hold: null,
        boundAt: LATER,
        queue: { offset: 0, waiting: 0 },
        context: null,
      },
      status: { is: 'running' },
      driver: 'fresh',
      open: null,
    });
  });

  it('knows the context of a session that it carries on', () => {
    const loop = busy();
    const same = then(loop, taken(loop, { session: 's1' }));
    expect(same.session.context).toEqual({ tokens: 9_000, window: null });
    expect(same.session.queue).toEqual({ offset: 500, waiting: 0 });
  });

  it('may be another host, and learns the session that the host chose', () => {
    const loop = running();
    expect(then(loop, taken(loop)).host).toBe('claude-code');
    const other = then(loop, taken(loop, { host: 'codex' }));
    expect(other.host).toBe('codex');
    expect(told(created(), bound({ host: 'codex' })).host).toBe('codex');
    const named = (pass: string): Event => ({ type: 'identified', at: LATER, pass, session: 'own' });
    expect(then(other, named('pass-1')).session.owner).toEqual({ ...other.session.owner, session: 'own' });
    expect(then(other, named('pass-0')).session.owner).toEqual(other.session.owner);
    expect(told(created(), named('pass-1')).session.owner).toBeNull();
  });

  it('is too late where anything else was written first', () => {
    const loop = busy();
    expect(then(loop, { type: 'compacted', at: LATER }, taken(loop)).session.owner?.session).toBe('s1');
  });
});

describe('a prompt', () => {
  it('carries the loop on, and ends a wait', () => {
    const loop = then(busy(), { type: 'prompted', at: LATER, prompt: 'p5' });
    expect(loop).toMatchObject({
      session: { chain: 'p5', streak: 0, yielded: false },
      status: { is: 'running' },
    });
  });

  it('is what an awaited loop waits for', () => {
    const loop = told(created(), bound({ how: 'start', process: null }));
    expect(then(loop, { type: 'prompted', at: LATER, prompt: 'p5' }).session.awaited).toBe(false);
  });

  it('does not end a pause', () => {
    const loop = running({}, paused(), { type: 'prompted', at: LATER, prompt: 'p5' });
    expect(loop.status.is).toBe('paused');
  });

  it('that brings a frame carries the loop on too; a frame from elsewhere leaves its chain alone', () => {
    expect(running({}, { ...PUSHED, prompt: 'p5' }).session.chain).toBe('p5');
    expect(running({}, PUSHED).session.chain).toBe('p1');
  });
});

describe('a pause and an interruption', () => {
  const capped = () => running({}, claim(1), verdict(1, { verdict: { ...GO_ON, capped: true } }));

  it('say why, and confirm that the continue before them was not carried out', () => {
    const loop = running({}, claim(1), verdict(1));
    const by = { is: 'paused', by: 'session' };
    expect(then(loop, paused('prompt'))).toMatchObject({
      status: { ...by, why: 'prompt' },
      session: { unconfirmed: null },
    });
    expect(then(capped(), paused('command')).status).toEqual({ ...by, why: 'command' });
    expect(then(capped(), paused('prompt'))).toMatchObject({
      status: { ...by, why: 'capped' },
      session: { unconfirmed: null },
    });
  });

  it('keep the detail of what interrupted', () => {
    const ended: Event = { type: 'interrupted', at: LATER, why: 'session-end', detail: 'logout' };
    expect(then(running(), ended)).toMatchObject({
      status: { is: 'interrupted', why: 'session-end', detail: 'logout' },
      session: { unconfirmed: null },
    });
    expect(then(capped(), ended).status).toEqual({ is: 'interrupted', why: 'capped', detail: 'logout' });
  });
});

describe('an ending by hand', () => {
  it('keeps who ended it and with which prompt', () => {
    expect(running({}, CANCELLED).status).toEqual({ is: 'cancelled', by: 'terminal', prompt: 'p7' });
    const why = { why: 'view', detail: 'not ours', evidence: 'evidence/1.md' } as const;
    expect(running({}, { type: 'aborted', at: LATER, ...why }).status).toEqual({ is: 'aborted', ...why });
  });

  it('voids all that follows, whatever its kind', () => {
    const loop = running({}, CANCELLED);
    const late: Event[] = [
      bound({ session: 's2' }),
      taken(loop),
      PUSHED,
      paused(),
      { type: 'compacted', at: LATER },
      { type: 'planned', at: LATER, by: 'terminal', plan: DEFAULT_PLAN },
      { type: 'held', at: LATER, for: 'pause', until: LATER },
    ];
    for (const event of late)
      expect(then(loop, event)).toMatchObject({
        ...loop,
        events: loop.events + 1,
        updatedAt: event.at,
        activeAt: event.at,
      });
  });
});

describe('a prune and a resume at once', () => {
  const pruned: Event = { type: 'pruned', at: LATER };

  it('is decided by the first line', () => {
    const ended = running({}, CANCELLED);
    expect(then(ended, pruned, resumed())).toMatchObject({ status: { is: 'cancelled' }, pruned: true });
    const reopened = then(ended, resumed(), pruned);
    expect(reopened.status.is).toBe('running');
    expect(reopened.pruned).toBeUndefined();
  });
});

describe('a resume', () => {
  it('gives the loop to the session that it names, which waits for its prompt', () => {
    expect(then(busy(), paused(), resumed({ session: 's2' }))).toMatchObject({
      session: {
        owner: { session: 's2', process: 9 },
        awaited: true,
        chain: null,
        compacted: true,
        boundAt: LATER,
        hold: null,
        queue: { offset: 0, waiting: 0 },
      },
      status: { is: 'running' },
    });
    expect(running({}, paused(), resumed({ prompt: 'p5' }))).toMatchObject({
      session: { awaited: false, chain: 'p5' },
    });
  });

  it('of a loop that a program drives waits for no prompt', () => {
    const awaited = (session: string) => running({}, paused(), resumed({ session })).session.awaited;
    expect(awaited('tools-1')).toBe(false);
    expect(awaited('my-tools-')).toBe(true);
  });

  it('of a loop that never had a session makes it ready for the first', () => {
    expect(told(created(), CANCELLED, resumed())).toMatchObject({
      session: { owner: null, awaited: false },
      status: { is: 'pending' },
    });
  });

  it('with a higher limit is remembered as what the view shows from here on', () => {
    const loop = running({}, paused(), resumed({ iterations: 80 }));
    expect(loop.frame.iterations).toBe(80);
    expect(loop.files.revisions.map(({ from, iterations }) => [from, iterations])).toEqual([
      [1, 50],
      [4, 80],
    ]);
    expect(running({}, paused(), resumed({ iterations: 50 })).files.revisions).toHaveLength(1);
  });

  it('of a paused loop needs no higher limit, whatever is used up', () => {
    const loop = running({ iterations: 1, passes: 1 }, paused(), resumed());
    expect(loop.status.is).toBe('running');
    expect(running({ iterations: null, passes: 9 }, CANCELLED, resumed()).status.is).toBe('running');
  });
});

describe('what is noted', () => {
  it('a compaction: the context is not known any more', () => {
    expect(then(busy(), { type: 'compacted', at: LATER })).toMatchObject({
      session: { compacted: true, context: null },
    });
  });

  it('who wakes the session: the first for a stop, and for the next stop another', () => {
    const woken = (n: number, process: number): Event => ({ type: 'woken', at: LATER, n, process });
    const lost: Event = { type: 'lost', at: LATER, n: 1, why: 'died' };
    const first = [claim(1), woken(1, 11), woken(1, 22)];
    expect(running({}, ...first).session.woken).toEqual({ n: 1, process: 11 });
    expect(running({}, ...first, lost, claim(2), woken(2, 22)).session.woken).toEqual({ n: 2, process: 22 });
  });

  it('nobody wakes it for a stop before the last one, nor while a person holds it', () => {
    const woken = (n: number): Event => ({ type: 'woken', at: LATER, n, process: 11 });
    const lost: Event = { type: 'lost', at: LATER, n: 1, why: 'died' };
    const paused: Event = { type: 'paused', at: LATER, by: 'terminal', why: 'command' };
    expect(running({}, claim(1), lost, claim(2), woken(1)).session.woken).toBeNull();
    expect(running({}, claim(1), lost, paused, woken(1)).session.woken).toBeNull();
  });

  it('a plan, and what the driver waits for', () => {
    const held: Event = { type: 'held', at: LATER, for: 'rate', until: after(2 * HOUR) };
    expect(running({}, { type: 'planned', at: LATER, by: 'terminal', plan: DEFAULT_PLAN }).run.plan).toEqual(
      DEFAULT_PLAN,
    );
    expect(running({}, held).status).toEqual({ is: 'waiting', for: 'rate', until: after(2 * HOUR) });
  });

  it('a lost claim frees that claim alone', () => {
    const lost = (n: number): Event => ({ type: 'lost', at: LATER, n, why: 'died' });
    expect(running({}, claim(1), lost(1)).open).toBeNull();
    expect(running({}, claim(1), lost(2)).open?.n).toBe(1);
  });

  it('one file for each kind of view, the newest', () => {
    const viewed = (kind: EventOf<'viewed'>['kind'], file: string): Event => ({
      type: 'viewed',
      at: LATER,
      kind,
      file,
    });
    const loop = running(
      {},
      viewed('markdown', 'a.md'),
      viewed('stack', 't1'),
      viewed('vault', 'v'),
      viewed('stack', 't2'),
    );
    expect(loop.files.view).toBe('a.md');
    expect(loop.files.views).toEqual([
      { kind: 'vault', file: 'v' },
      { kind: 'stack', file: 't2' },
    ]);
  });

  it('the last checkpoint and the last words of a person beside each other', () => {
    const kept = (file: string): Event => ({ type: 'checkpointed', at: LATER, hook: 'h', phase: null, file });
    const restored: Event = { type: 'restored', at: LATER, by: 'terminal', file: 'b', words: 'go on' };
    const loop = running({}, kept('a'), restored, kept('b'));
    expect(loop.noted).toEqual({ checkpointed: kept('b'), restored });
  });

  it('a commit changes nothing', () => {
    const recorded: Event = { type: 'recorded', at: LATER, iteration: 1, commit: 'c', onBranch: true };
    const loop = running();
    expect(then(loop, recorded)).toMatchObject({ ...loop, events: 3, updatedAt: LATER, activeAt: LATER });
  });

  it('what a pass cost that was broken off, also where the loop is paused by then', () => {
    const used = { costUsd: 0.25, tokens: 300 };
    const paused: Event = { type: 'paused', at: LATER, by: 'terminal', why: 'command' };
    const loop = running({}, { type: 'spent', at: LATER, used }, paused, { type: 'spent', at: LATER, used });
    expect(loop).toMatchObject({ spent: { costUsd: 0.5, tokens: 600 }, status: { is: 'paused' }, stops: 0 });
  });

  it('faults: how many, how many in a row, the last of them, and what they cost', () => {
    const faulted = (detail: string): Event => ({
      type: 'faulted',
      at: LATER,
      fault: 'crashed',
      detail,
      attempt: 1,
      until: after(2 * HOUR),
      evidence: null,
      used: { costUsd: 0.5, tokens: 10 },
    });
    const loop = running({}, faulted('one'), faulted('two'));
    expect(loop.run.faults).toEqual({
      total: 2,
      inARow: 2,
      last: { at: LATER, fault: 'crashed', detail: 'two' },
    });
    expect(loop.spent).toEqual({ costUsd: 1, tokens: 20 });
    expect(loop.status).toEqual({ is: 'waiting', for: 'retry', until: after(2 * HOUR) });
  });
});

describe('what the agent says by a tool', () => {
  const said = (what: 'done' | 'blocked', words: string): Event => ({ type: 'said', at: LATER, what, words });
  const DONE = said('done', 'All tests pass.');

  it('counts at its next stop, and the last word counts', () => {
    expect(running({}, DONE).session.said).toEqual({ what: 'done', words: 'All tests pass.' });
    expect(running({}, DONE, said('blocked', 'no key')).session.said).toEqual({
      what: 'blocked',
      words: 'no key',
    });
  });

  it('is over with that stop, also where nobody could hear it to its end', () => {
    expect(running({}, DONE, claim(1)).session.said).not.toBeNull();
    expect(running({}, DONE, claim(1), verdict(1)).session.said).toBeNull();
    expect(
      running({}, claim(1), DONE, { type: 'lost', at: LATER, n: 1, why: 'died' }).session.said,
    ).toBeNull();
  });

  it('is not what the next agent says', () => {
    expect(running({}, DONE, paused(), resumed()).session.said).toBeNull();
    const loop = running({}, DONE);
    expect(then(loop, taken(loop)).session.said).toBeNull();
  });
});

describe('lessons for later passes', () => {
  const noted = (words: string): Event => ({ type: 'noted', at: LATER, words });

  it('are kept in their order, each with the pass in which it was learned', () => {
    expect(running({}, noted('a'), claim(1), verdict(1), noted('b')).notes).toEqual([
      { pass: 1, words: 'a' },
      { pass: 2, words: 'b' },
    ]);
  });

  it('count the passes of inner tasks too', () => {
    const done = { mode: 'loop', outcome: 'complete', why: 'w', item: null, iterations: 4 } as const;
    const ended = verdict(1, { verdict: { ...GO_ON, popped: [done] } });
    expect(running({}, PUSHED, claim(1), ended, noted('a')).notes).toEqual([{ pass: 5, words: 'a' }]);
  });

  it('given twice are kept once, at the later place', () => {
    const words = running({}, noted('a'), noted('b'), noted('a')).notes.map((note) => note.words);
    expect(words).toEqual(['b', 'a']);
  });

  it('are the last few, however many there were', () => {
    const loop = running({}, ...Array.from({ length: 40 }, (_, k) => noted(`lesson ${k}`)));
    expect(loop.notes).toHaveLength(12);
    expect(loop.notes.at(-1)?.words).toBe('lesson 39');
  });
});

describe('a sign of life', () => {
  it.each<[string, Event]>([
    ['a stop that is being heard', claim(1, { at: LATER })],
    ['a claim that was lost', { type: 'lost', at: LATER, n: 1, why: 'died' }],
    ['another process of the session', bound({ at: LATER, how: 'takeover' })],
  ])('is not %s: staleness looks behind it', (_, event) => {
    expect(then(running(), event)).toMatchObject({ activeAt: after(0), updatedAt: LATER, events: 3 });
  });

  it.each<[string, Event]>([
    ['a session that takes the loop', bound({ at: LATER, how: 'command' })],
    ['a prompt', { type: 'prompted', at: LATER, prompt: 'p5' }],
    ['a verdict', verdict(1, { at: LATER })],
    ['a compaction', { type: 'compacted', at: LATER }],
  ])('is %s', (_, event) => {
    expect(then(running(), claim(1), event).activeAt).toBe(LATER);
  });
});

describe('the clock', () => {
  it('leaves out the time that the machine slept, and no more than that', () => {
    const slept = { type: 'slept', at: after(10 * MINUTE), ms: 8 * MINUTE } as const;
    expect(running({}, slept).clock).toEqual({ workedMs: 0, since: after(8 * MINUTE), until: null });
    expect(running({}, { ...slept, ms: 20 * MINUTE }).clock.since).toBe(after(10 * MINUTE));
    const still = running({}, paused()).clock;
    expect(running({}, paused(), slept).clock).toEqual(still);
  });

  it('runs from when the loop first ran, through all that goes on, and is stopped by a pause', () => {
    const loop = running({}, claim(1), verdict(1));
    expect(loop.clock).toEqual({ workedMs: 0, since: after(0), until: null });
    const still = { workedMs: MINUTE, since: null, until: after(MINUTE) };
    expect(running({}, paused()).clock).toEqual(still);
    expect(running({}, paused(), { type: 'compacted', at: LATER }).clock).toEqual(still);
    expect(running({}, paused(), resumed({ prompt: 'p5' })).clock).toEqual({ ...still, since: LATER });
  });

  it('waits for a session that is named but has not taken the loop up', () => {
    expect(running({}, paused(), resumed()).clock.since).toBeNull();
  });
});

describe('new limits', () => {
  const bounded = (over: Partial<EventOf<'bounded'>>): Event => ({
    type: 'bounded',
    at: LATER,
    by: 'terminal',
    timeMs: null,
    costUsd: null,
    tokens: null,
    ...over,
  });

  it('stand for the whole loop; what is not given stays as it was', () => {
    const loop = running({ timeMs: HOUR, costUsd: 5, tokens: null });
    expect(then(loop, bounded({ costUsd: 10 }))).toMatchObject({
      limits: { timeMs: HOUR, costUsd: 10, tokens: null },
    });
    expect(then(loop, bounded({ timeMs: 2 * HOUR, tokens: 7 }))).toMatchObject({
      limits: { timeMs: 2 * HOUR, costUsd: 5, tokens: 7 },
    });
  });

  it('are void behind an ending, until a person has opened the loop again', () => {
    const over = verdict(1, { verdict: { is: 'exhaust', limit: 'cost', missing: [] } });
    const ended = running({ costUsd: 5 }, claim(1), over);
    expect(then(ended, bounded({ costUsd: 10 })).limits.costUsd).toBe(5);
    expect(then(ended, resumed(), bounded({ costUsd: 10 }))).toMatchObject({
      limits: { costUsd: 10 },
      status: { is: 'running' },
    });
  });
});

describe('a fault that no retry can fix', () => {
  it('keeps how to log in, where the host says it', () => {
    const nothing = { attempt: 1, until: null, evidence: null, used: null };
    const fault = { type: 'faulted', at: LATER, fault: 'fatal', detail: 'auth: no key', ...nothing } as const;
    const why = { is: 'fatal', words: 'auth: no key' };
    expect(then(running(), fault).status).toStrictEqual({ is: 'escalated', why });
    const login = 'type /login';
    expect(then(running(), { ...fault, login }).status).toStrictEqual({
      is: 'escalated',
      why: { ...why, login },
    });
  });
});

describe('a plan for another host', () => {
  it('keeps what is ours, and leaves the words of the host before behind', () => {
    const words = {
      model: 'opus',
      fallbackModel: 'haiku',
      permissionMode: 'plan',
      tools: ['Bash'],
      extra: ['-x'],
    };
    expect(forOtherHost({ ...DEFAULT_PLAN, ...words, pauseMs: 7, branch: 'b' })).toEqual({
      ...DEFAULT_PLAN,
      pauseMs: 7,
      branch: 'b',
    });
  });
});

it('files that the host would run, and that nobody agreed to, need a person', () => {
  const files = ['.codex/hooks.json'];
  const loop = then(running(), { type: 'planted', at: LATER, host: 'codex', files, digests: [null] });
  expect(loop.status).toEqual({ is: 'escalated', why: { is: 'planted', host: 'codex', files } });
});
