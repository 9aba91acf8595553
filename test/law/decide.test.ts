import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wantsProof } from '#law/decide.ts';
import type { Definition } from '#law/record/definition.ts';
import type { Event, EventOf } from '#law/record/events.ts';
import type { CheckOutcome, Verdict } from '#law/record/verdict.ts';
import { fold } from '#law/fold/index.ts';
import { hasEnded, isLive, type Loop } from '#law/loop.ts';
import type { Tag } from '#law/proof/promise.ts';
import type { BackgroundTask, Proofs, Stop } from '#law/stop.ts';
import {
  HOUR,
  MINUTE,
  MOVE,
  NO_PROOFS,
  PROMISE,
  SECOND,
  after,
  bound,
  check,
  claim,
  passes,
  proof,
  running,
  saying,
  stop,
  tag,
  verdict,
  decided,
  checksFor,
} from './given.ts';

const AGENT: BackgroundTask = { id: 'a1', kind: 'agent', description: 'review the code' };
const SERVER: BackgroundTask = { id: 'b1', kind: 'shell', description: 'npm run dev' };
const DONE: Proofs = { ...NO_PROOFS, said: saying([tag('COMPLETE')]) };

/** A verdict in one word, with its reason. */
function inShort(given: Verdict): string {
  switch (given.is) {
    case 'continue':
    case 'complete':
      return given.is;
    case 'escalate':
      return `escalate ${given.why.is}`;
    case 'exhaust':
      return `exhaust ${given.limit}`;
    case 'allow':
      return `allow ${given.why}`;
  }
}

describe('the order of the law: of two rules that apply at once the earlier decides', () => {
  // One check and nothing else, so that every rule can be made to apply beside every other.
  interface Scene {
    definition: Partial<Definition>;
    stop: Partial<Stop>;
    outcome: CheckOutcome;
    tags: Tag[];
    now: number;
  }
  const rules: { rule: number; is: string; makes: (scene: Scene) => void }[] = [
    { rule: 6, is: 'allow queue', makes: (s) => (s.stop = { ...s.stop, queue: { offset: 9, waiting: 1 } }) },
    {
      rule: 7,
      is: 'exhaust staleness',
      makes: (s) => {
        s.stop = { ...s.stop, prompt: 'p2' };
        s.now = 3 * HOUR;
      },
    },
    {
      rule: 8,
      is: 'escalate unprovable',
      makes: (s) => (s.outcome = { is: 'unstartable', error: 'not found', tail: '' }),
    },
    { rule: 10, is: 'complete', makes: (s) => (s.outcome = { is: 'passed' }) },
    { rule: 11, is: 'escalate blocked', makes: (s) => (s.tags = [tag('BLOCKED: no key')]) },
    {
      rule: 12,
      is: 'exhaust time',
      makes: (s) => {
        s.definition = { ...s.definition, timeMs: MINUTE };
        s.now = Math.max(s.now, 10 * MINUTE);
      },
    },
    { rule: 13, is: 'allow background', makes: (s) => (s.stop = { ...s.stop, background: [AGENT] }) },
    {
      rule: 14,
      is: 'exhaust iterations',
      makes: (s) => (s.definition = { ...s.definition, iterations: 1 }),
    },
    { rule: 15, is: 'continue', makes: () => undefined },
  ];

  function judged(...makers: ((scene: Scene) => void)[]): string {
    const scene: Scene = {
      definition: { gates: [check('test')] },
      stop: {},
      outcome: { is: 'failed', exit: 1, tail: '' },
      tags: [],
      now: 5 * MINUTE,
    };
    for (const make of makers) make(scene);
    const loop = running(scene.definition);
    const said = saying(scene.tags, loop);
    const proofs = { ...NO_PROOFS, said, checks: [proof('test', scene.outcome)] };
    return inShort(decided(loop, stop(scene.stop), proofs, after(scene.now)));
  }

  it.each(rules)('rule $rule alone: $is', ({ is, makes }) => {
    expect(judged(makes)).toBe(is);
  });

  const pairs = rules.flatMap((first, i) => rules.slice(i + 1).map((second) => ({ first, second })));
  // A check can't both pass and be unstartable.
  const possible = pairs.filter(({ first, second }) => !(first.rule === 8 && second.rule === 10));
  it.each(possible.map(({ first, second }) => [first.rule, second.rule, first, second] as const))(
    'rule %i before rule %i',
    (_a, _b, first, second) => {
      expect(judged(first.makes, second.makes)).toBe(first.is);
      expect(judged(second.makes, first.makes)).toBe(first.is);
    },
  );
});

describe('max_iterations', () => {
  function run(
    iterations: number,
    doneIn: number | null,
  ): { continues: number; verdict: Verdict; loop: Loop } {
    let loop: Loop | null = running({ iterations });
    for (let n = 1; n <= iterations + 1; n++) {
      const now = after(n * SECOND);
      const said = decided(loop, stop(), n === doneIn ? DONE : NO_PROOFS, now);
      loop = fold(fold(loop, claim(n, { at: now })), verdict(n, { at: now, verdict: said }));
      if (loop === null) throw new Error('no loop');
      if (said.is !== 'continue') return { continues: n - 1, verdict: said, loop };
    }
    throw new Error('it goes on past its last iteration');
  }

  it('N means exactly N passes, for any N', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), (limit) => {
        const { continues, verdict: last, loop } = run(limit, null);
        expect(continues).toBe(limit - 1);
        expect(inShort(last)).toBe('exhaust iterations');
        expect(loop.frame.passes).toBe(limit);
      }),
    );
  });

  it('a task finished in its last allowed pass is complete', () => {
    const { verdict: last, loop } = run(4, 4);
    expect(last).toEqual({ is: 'complete' });
    expect(loop.status).toEqual({ is: 'completed' });
    expect(loop.frame.passes).toBe(4);
  });

  it('unlimited has no bound, by name only', () => {
    const loop = running({ iterations: null }, ...passes(500));
    expect(inShort(decided(loop, stop(), NO_PROOFS, after(HOUR)))).toBe('continue');
  });

  it('lowered under what is used already, it ends at the next stop', () => {
    const loop = running({}, ...passes(5), {
      type: 'amended',
      at: after(6 * MINUTE),
      by: 'view',
      prompt: null,
      iterations: 2,
    });
    expect(inShort(decided(loop, stop(), NO_PROOFS, after(7 * MINUTE)))).toBe('exhaust iterations');
  });
});

describe('completion', () => {
  const both = { gates: [PROMISE, check('npm test'), check('npm run lint')] };
  const passed = (command: string) => proof(command, { is: 'passed' });

  it('needs every gate', () => {
    const now = after(MINUTE);
    const loop = running(both);
    const said = saying([tag('COMPLETE')]);
    const all = { ...NO_PROOFS, said, checks: [passed('npm test'), passed('npm run lint')] };
    expect(decided(loop, stop(), all, now)).toEqual({ is: 'complete' });
    expect(inShort(decided(loop, stop(), { ...all, said: null }, now))).toBe('continue');
    expect(inShort(decided(loop, stop(), { ...all, checks: [passed('npm test')] }, now))).toBe('continue');
  });

  it('a near miss is told precisely, and is not a completion', () => {
    const cases: [Tag[], RegExp][] = [
      [[tag('COMPLETE', { where: 'code' })], /inside code/],
      [[tag('COMPLETE', { where: 'quote' })], /inside a quote/],
      [[tag('COMPLETE', { where: 'comment' })], /HTML comment/],
      [[tag('COMPLETE', { place: 'inside' })], /other text or markup around it/],
      [[tag('DONE')], /not the text of the promise/],
    ];
    for (const [tags, words] of cases) {
      const said = decided(running(), stop(), { ...NO_PROOFS, said: saying(tags) }, after(MINUTE));
      expect(said).toMatchObject({ is: 'continue', missing: [{ gate: 'promise', wanted: 'COMPLETE' }] });
      expect(JSON.stringify(said)).toMatch(words);
    }
  });

  it('a promise and a BLOCKED contradict each other: neither counts, and the agent is asked', () => {
    const tags = [tag('COMPLETE'), tag('BLOCKED: no key')];
    const said = decided(running(), stop(), { ...NO_PROOFS, said: saying(tags) }, after(MINUTE));
    expect(said.is).toBe('continue');
    expect(JSON.stringify(said)).toMatch(/contradict each other/);
  });

  it('the bare word in the message is not a claim: only tags are', () => {
    const said = decided(running(), stop({ message: 'COMPLETE. All done!' }), NO_PROOFS, after(MINUTE));
    expect(inShort(said)).toBe('continue');
  });

  it('a failing check names itself with its outcome', () => {
    const outcomes: [CheckOutcome, RegExp][] = [
      [{ is: 'failed', exit: 2, tail: 'boom' }, /exit code 2/],
      [{ is: 'killed', signal: 'SIGKILL', tail: '' }, /ended by SIGKILL/],
      [{ is: 'timed-out', afterMs: 90_000, tail: '' }, /within 1 min 30 s/],
    ];
    for (const [outcome, words] of outcomes) {
      const loop = running({ gates: [check('npm test')] });
      const said = decided(
        loop,
        stop(),
        { ...NO_PROOFS, checks: [proof('npm test', outcome)] },
        after(MINUTE),
      );
      expect(said).toMatchObject({ is: 'continue', missing: [{ gate: 'check', command: 'npm test' }] });
      expect(JSON.stringify(said)).toMatch(words);
    }
  });
});

describe('which checks a stop wants', () => {
  const claimed = [tag('COMPLETE')];
  const checks = [check('npm test'), check('npm run lint')];
  const guarded = running({ gates: [PROMISE, ...checks] });
  const wanted = (loop: Loop, at: Stop, tags: Tag[], now: string) =>
    wantsProof(loop, at, now) ? checksFor(loop, { ...NO_PROOFS, said: saying(tags, loop) }) : [];

  it('all of them on a claim, none without one', () => {
    expect(wanted(guarded, stop(), claimed, after(MINUTE))).toEqual(checks);
    expect(wanted(guarded, stop(), [], after(MINUTE))).toEqual([]);
    expect(wanted(guarded, stop(), [tag('COMPLETE', { where: 'code' })], after(MINUTE))).toEqual([]);
  });

  it('all of them at every stop where no promise is asked for', () => {
    expect(wanted(running({ gates: checks }), stop(), [], after(MINUTE))).toEqual(checks);
  });

  it('none where the stop is let through anyway: a person waits, or the chain is stale', () => {
    const queued = stop({ queue: { offset: 0, waiting: 1 } });
    expect(wanted(guarded, queued, claimed, after(MINUTE))).toEqual([]);
    expect(wanted(guarded, stop({ prompt: 'p2' }), claimed, after(3 * HOUR))).toEqual([]);
  });
});

describe('distress', () => {
  it.each([
    ['BLOCKED: no key', { is: 'blocked', words: 'no key' }],
    ['ESCALATE', { is: 'asked', words: '' }],
  ])('%s escalates', (text, why) => {
    const said = decided(running(), stop(), { ...NO_PROOFS, said: saying([tag(text)]) }, after(MINUTE));
    expect(said).toMatchObject({ is: 'escalate', why });
  });

  it('an agent that says its iterations are used up ends the loop at that limit', () => {
    const said = saying([tag('MAX_ITERATIONS', { name: 'loop-done' })]);
    expect(inShort(decided(running(), stop(), { ...NO_PROOFS, said }, after(MINUTE)))).toBe(
      'exhaust iterations',
    );
  });

  it('is contradicted by no claim where none is asked for', () => {
    const loop = running({ gates: [check('npm test')] });
    const said = saying([tag('COMPLETE', { name: 'loop-done' }), tag('BLOCKED: no key')], loop);
    expect(inShort(decided(loop, stop(), { ...NO_PROOFS, said }, after(MINUTE)))).toBe('escalate blocked');
  });

  it('in code it is a mention', () => {
    const tags = [tag('BLOCKED', { where: 'code' })];
    expect(inShort(decided(running(), stop(), { ...NO_PROOFS, said: saying(tags) }, after(MINUTE)))).toBe(
      'continue',
    );
  });
});

describe('time', () => {
  const hour = { timeMs: HOUR };

  it('ends a loop whose work took as long', () => {
    expect(inShort(decided(running(hour), stop(), NO_PROOFS, after(HOUR - 1)))).toBe('continue');
    expect(inShort(decided(running(hour), stop(), NO_PROOFS, after(HOUR)))).toBe('exhaust time');
  });

  it('counts only while the loop runs: a pause of ten hours is free', () => {
    const loop = running(
      hour,
      { type: 'paused', at: after(10 * MINUTE), by: 'terminal', why: 'command' },
      {
        type: 'resumed',
        at: after(10 * HOUR),
        by: 'terminal',
        session: null,
        process: 100,
        prompt: 'p1',
        iterations: null,
      },
    );
    expect(inShort(decided(loop, stop(), NO_PROOFS, after(10 * HOUR + 49 * MINUTE)))).toBe('continue');
    expect(inShort(decided(loop, stop(), NO_PROOFS, after(10 * HOUR + 50 * MINUTE)))).toBe('exhaust time');
  });

  it('does not count while background work is waited for', () => {
    const loop = running(
      hour,
      claim(1),
      verdict(1, {
        at: after(MINUTE),
        verdict: { is: 'allow', why: 'background', shells: [], until: after(11 * MINUTE) },
      }),
      { type: 'prompted', at: after(5 * HOUR), prompt: 'p2' },
    );
    expect(inShort(decided(loop, stop({ prompt: 'p2' }), NO_PROOFS, after(5 * HOUR + MINUTE)))).toBe(
      'continue',
    );
  });

  it('no limit means no limit', () => {
    expect(inShort(decided(running({ timeMs: null }), stop(), NO_PROOFS, after(9_000 * HOUR)))).toBe(
      'continue',
    );
  });
});

describe('staleness', () => {
  it('a pass of three hours is not a stale loop: its chain goes on', () => {
    expect(inShort(decided(running(), stop(), NO_PROOFS, after(3 * HOUR)))).toBe('continue');
  });

  it('a new chain after more than the TTL revives nothing', () => {
    const late = stop({ prompt: 'p2' });
    expect(inShort(decided(running(), late, NO_PROOFS, after(2 * HOUR)))).toBe('continue');
    expect(inShort(decided(running(), late, NO_PROOFS, after(2 * HOUR + 1)))).toBe('exhaust staleness');
  });

  it('where the host names no prompts: a stop that follows a refused one is alive, any other is stale', () => {
    const loop = running({}, bound({ at: after(0), prompt: null }));
    const judge = (continuedByHook: boolean, ms: number) =>
      inShort(decided(loop, stop({ prompt: null, continuedByHook }), NO_PROOFS, after(ms)));
    expect(judge(false, 2 * HOUR)).toBe('continue');
    expect(judge(false, 2 * HOUR + 1)).toBe('exhaust staleness');
    expect(judge(true, 5 * HOUR)).toBe('continue');
  });

  it('the process that takes over from a dead one is no sign of life', () => {
    const loop = running({}, bound({ at: after(3 * HOUR), process: 200, how: 'takeover', prompt: 'p1' }));
    expect(inShort(decided(loop, stop({ prompt: 'p2' }), NO_PROOFS, after(3 * HOUR)))).toBe(
      'exhaust staleness',
    );
  });

  it('waiting is activity', () => {
    const hold = verdict(1, {
      verdict: { is: 'allow', why: 'background', shells: [], until: after(11 * MINUTE) },
    });
    const loop = running({}, claim(1), hold);
    expect(inShort(decided(loop, stop({ prompt: 'p2' }), NO_PROOFS, after(9 * HOUR)))).toBe('continue');
  });

  it('spends no pass', () => {
    const said = decided(running(), stop({ prompt: 'p2' }), NO_PROOFS, after(3 * HOUR));
    const loop = running({}, claim(1), verdict(1, { verdict: said }));
    expect(loop.status).toEqual({ is: 'stuck', limit: 'staleness' });
    expect(loop.frame.passes).toBe(0);
  });
});

describe('background work', () => {
  function heldBy(tasks: readonly BackgroundTask[], at: number, loop = running()): Verdict {
    return decided(loop, stop({ background: tasks }), NO_PROOFS, after(at));
  }
  function afterHold(said: Verdict, n = 1, loop = running()): Loop {
    const next = fold(fold(loop, claim(n)), verdict(n, { verdict: said }));
    if (next === null) throw new Error('no loop');
    return next;
  }

  it('agents hold the loop, spend nothing, and hold it for ten minutes at most', () => {
    const first = heldBy([AGENT], MINUTE);
    expect(inShort(first)).toBe('allow background');
    const held = afterHold(first);
    expect(held.status).toEqual({ is: 'waiting', for: 'background' });
    expect(held.frame.passes).toBe(0);
    expect(inShort(heldBy([AGENT], 11 * MINUTE - 1, held))).toBe('allow background');
    expect(inShort(heldBy([AGENT], 11 * MINUTE, held))).toBe('continue');
  });

  it('a wake-up within the hour is waited for; a later one is a reminder, and no reason to wait', () => {
    const wake = (ms: number): BackgroundTask => ({ ...AGENT, due: after(ms) });
    expect(heldBy([wake(40 * MINUTE)], MINUTE)).toMatchObject({ is: 'allow', until: after(42 * MINUTE) });
    expect(heldBy([wake(5 * MINUTE)], MINUTE)).toMatchObject({ is: 'allow', until: after(11 * MINUTE) });
    expect(heldBy([wake(61 * MINUTE)], MINUTE)).toMatchObject({ is: 'allow', until: after(63 * MINUTE) });
    expect(heldBy([wake(61 * MINUTE + 1)], MINUTE).is).toBe('continue');
  });

  it('the ten minutes run from the first stop that waited', () => {
    const held = afterHold(heldBy([AGENT], MINUTE));
    const again = afterHold(heldBy([AGENT], 5 * MINUTE, held), 2, held);
    expect(inShort(heldBy([AGENT], 11 * MINUTE, again))).toBe('continue');
  });

  it('a shell holds the loop once, and is then named to the agent', () => {
    const first = heldBy([SERVER], MINUTE);
    expect(inShort(first)).toBe('allow background');
    const held = afterHold(first);
    expect(heldBy([SERVER], 2 * MINUTE, held)).toMatchObject({ is: 'continue', shells: ['npm run dev'] });
  });

  it('a new shell holds it once more, an old one with it does not', () => {
    const held = afterHold(heldBy([SERVER], MINUTE));
    const more = fold(held, { type: 'prompted', at: after(3 * MINUTE), prompt: 'p2' });
    const other: BackgroundTask = { id: 'b2', kind: 'shell', description: 'npm run build' };
    if (more === null) throw new Error('no loop');
    const continued = afterHold(heldBy([SERVER], 3 * MINUTE, more), 2, more);
    expect(inShort(heldBy([SERVER, other], 4 * MINUTE, continued))).toBe('allow background');
    expect(inShort(heldBy([SERVER], 4 * MINUTE, continued))).toBe('continue');
  });

  it('where nobody can wake the session no shell holds a loop', () => {
    const said = decided(
      running(),
      stop({ background: [SERVER], attended: false }),
      NO_PROOFS,
      after(MINUTE),
    );
    expect(said).toMatchObject({ is: 'continue', shells: ['npm run dev'] });
  });

  it('finished work is complete, whatever still runs', () => {
    expect(decided(running(), stop({ background: [AGENT] }), DONE, after(MINUTE))).toEqual({
      is: 'complete',
    });
  });
});

describe("the host's cap", () => {
  function afterContinues(count: number, toolUsed: boolean): Loop {
    const events: Event[] = Array.from({ length: count }, (_, k): Event[] => [
      claim(k + 1),
      verdict(k + 1, { toolUsed, cap: 8 }),
    ]).flat();
    return running({}, ...events);
  }
  const capped = (loop: Loop, over: Partial<Stop>) => {
    const said = decided(loop, stop({ cap: 8, toolUsed: false, ...over }), NO_PROOFS, after(HOUR));
    return said.is === 'continue' && said.capped;
  };

  it('is at risk from the ninth stop in a row without a tool call', () => {
    expect(capped(afterContinues(7, false), {})).toBe(false);
    expect(capped(afterContinues(8, false), {})).toBe(true);
  });

  it('is at risk after tool calls too, where they do not reset it', () => {
    const steady = { toolUsed: true, cap: 8, toolResetsCap: false };
    const events = Array.from({ length: 8 }, (_, k) => [claim(k + 1), verdict(k + 1, steady)]);
    expect(capped(running({}, ...events.slice(1).flat()), steady)).toBe(false);
    expect(capped(running({}, ...events.flat()), steady)).toBe(true);
  });

  it('is not at risk after a tool call, nor where it is lifted', () => {
    expect(capped(afterContinues(8, false), { toolUsed: true })).toBe(false);
    expect(capped(afterContinues(20, true), {})).toBe(false);
    expect(capped(afterContinues(50, false), { cap: null })).toBe(false);
  });
});

describe('model: whatever happens, in whatever order', () => {
  type Move = (at: string, loop: Loop) => Event[];
  const just = (make: (at: string) => Event): fc.Arbitrary<Move> => fc.constant((at) => [make(at)]);

  const proofs: fc.Arbitrary<Proofs> = fc.oneof(
    { weight: 8, arbitrary: fc.constant(NO_PROOFS) },
    { weight: 1, arbitrary: fc.constant(DONE) },
    { weight: 1, arbitrary: fc.constant({ ...NO_PROOFS, said: saying([tag('BLOCKED')]) }) },
  );
  const arrivals: fc.Arbitrary<Stop> = fc
    .record({
      prompt: fc.constantFrom('p1', 'p2', null),
      queue: fc.record({ offset: fc.nat(), waiting: fc.constantFrom(0, 0, 0, 1) }),
      background: fc.subarray([AGENT, SERVER]),
      toolUsed: fc.boolean(),
      attended: fc.boolean(),
      continuedByHook: fc.boolean(),
      cap: fc.constantFrom(8, null),
    })
    .map((over) => stop(over));
  /** What may come between a claim and its verdict. */
  const between: fc.Arbitrary<Move> = fc.oneof(
    { weight: 8, arbitrary: fc.constant((): Event[] => []) },
    {
      weight: 1,
      arbitrary: just((at): Event => ({ type: 'cancelled', at, by: 'terminal', prompt: null })),
    },
    {
      weight: 1,
      arbitrary: just((at): Event => ({ type: 'paused', at, by: 'terminal', why: 'command' })),
    },
  );
  const hearing: fc.Arbitrary<Move> = fc
    .tuple(arrivals, proofs, between)
    .map(([arrival, seen, meanwhile]): Move => (at, loop) => {
      const n = loop.stops + 1;
      const taken = claim(n, { at, prompt: arrival.prompt });
      const { queue, cap, toolUsed } = arrival;
      const said = verdict(n, { at, verdict: decided(loop, arrival, seen, at), queue, cap, toolUsed });
      return [taken, ...meanwhile(at, loop), said];
    });
  const moves: fc.Arbitrary<Move> = fc.oneof(
    { weight: 12, arbitrary: hearing },
    {
      weight: 2,
      arbitrary: fc.constantFrom(null, null, null, 1, 20).map((iterations): Move => (at) => [
        {
          type: 'resumed',
          at,
          by: 'terminal',
          session: null,
          process: 100,
          prompt: null,
          iterations,
        },
      ]),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom(1, 5, 'unlimited' as const).map((iterations): Move => (at) => [
        { type: 'amended', at, by: 'view', prompt: null, iterations },
      ]),
    },
    { weight: 1, arbitrary: just((at): Event => ({ type: 'prompted', at, prompt: 'p2' })) },
    { weight: 1, arbitrary: just((at): Event => ({ type: 'paused', at, by: 'session', why: 'prompt' })) },
    {
      weight: 1,
      arbitrary: just((at): Event => ({ type: 'interrupted', at, why: 'session-end', detail: '' })),
    },
    { weight: 1, arbitrary: just((at): Event => ({ type: 'compacted', at })) },
    {
      weight: 1,
      arbitrary: just((at): Event => ({ type: 'cancelled', at, by: 'session', prompt: null })),
    },
    {
      weight: 1,
      // From a hearing that nobody waited for, but one all the same: no verdict is made up.
      arbitrary: fc.nat({ max: 3 }).map((n): Move => (at, loop) => [
        verdict(n + 1, { at, verdict: decided(loop, stop(), NO_PROOFS, at) }),
      ]),
    },
    {
      weight: 1,
      arbitrary: fc.nat({ max: 3 }).map((n): Move => (at) => [claim(n + 1, { at })]),
    },
    {
      weight: 1,
      arbitrary: fc.nat({ max: 3 }).map((n): Move => (at) => [{ type: 'lost', at, n: n + 1, why: 'died' }]),
    },
  );

  it('only a live loop goes on, no limit is passed, an ending stands, nothing is counted twice', () => {
    const steps = fc.array(fc.tuple(moves, fc.integer({ min: 0, max: 40 * MINUTE })), { maxLength: 60 });
    fc.assert(
      fc.property(steps, fc.constantFrom(1, 2, 5, null), (script, iterations) => {
        let loop = running({ iterations });
        let now = 0;
        /** What a person lowers the limit to may lie under what is used: the open pass may still end. */
        let granted = 0;
        for (const [move, ms] of script) {
          now += ms;
          for (const event of move(after(now), loop)) {
            const before = loop;
            const next = fold(loop, event);
            if (next === null) throw new Error('the loop is gone');
            loop = next;
            const [was, is] = [before.frame, loop.frame];
            if (is.iterations !== was.iterations) granted = is.passes + 1;
            const bound = is.iterations === null ? Infinity : Math.max(is.iterations, granted);
            expect(is.passes - was.passes).toBeOneOf([0, 1]);
            expect(is.passes).toBeLessThanOrEqual(bound);
            expect({ spentWithoutVerdict: is.passes > was.passes && !wasAnswered(before, event) }).toEqual({
              spentWithoutVerdict: false,
            });
            const stands = before.status.is === 'completed' || (hasEnded(before) && event.type !== 'resumed');
            expect(loop.status).toEqual(stands ? before.status : loop.status);
            const revived = !isLive(before) && event.type === 'verdict' && isLive(loop);
            expect({ revived }).toEqual({ revived: false });
          }
        }
      }),
      { numRuns: 1_000 },
    );
  });

  function wasAnswered(before: Loop, event: Event): event is EventOf<'verdict'> {
    return event.type === 'verdict' && before.open?.n === event.n;
  }
});

describe('what a verdict says', () => {
  const judged = (loop: Loop, over: Partial<Stop> = {}, proofs = NO_PROOFS, now = 2 * MINUTE) =>
    decided(loop, stop(over), proofs, after(now));
  const HOOKS = { kind: 'hooks', names: ['release'], timeoutMs: 1, allMs: 1, mark: null } as const;
  const SIGNAL = { gates: [{ kind: 'signal' }] } as const;

  it('people and staleness come with no reproach', () => {
    const queue = { offset: 9, waiting: 1 };
    expect(judged(running(), { queue })).toEqual({ is: 'allow', why: 'queue', shells: [], until: null });
    expect(judged(running(), { prompt: 'p2' }, NO_PROOFS, 3 * HOUR)).toEqual({
      is: 'exhaust',
      limit: 'staleness',
      missing: [],
    });
  });

  it('agents are waited for ten minutes, a shell alone for one', () => {
    const held = (...background: BackgroundTask[]) => judged(running(), { background });
    expect(held(AGENT)).toMatchObject({ shells: [], until: after(12 * MINUTE) });
    expect(held(SERVER)).toMatchObject({ shells: ['b1'], until: after(3 * MINUTE) });
    expect(held(AGENT, SERVER)).toMatchObject({ shells: ['b1'], until: after(12 * MINUTE) });
  });

  it('when the wait is over, the shells are named to the agent, and no agent is called a shell', () => {
    const hold: Verdict = { is: 'allow', why: 'background', shells: ['b1'], until: after(3 * MINUTE) };
    const loop = running({}, claim(1), verdict(1, { verdict: hold }));
    const said = judged(loop, { background: [AGENT, SERVER] }, NO_PROOFS, 4 * MINUTE);
    expect(said).toMatchObject({ is: 'continue', shells: ['npm run dev'] });
  });

  it('a host without a cap never overrides a continue', () => {
    expect(judged(running(), { cap: null, toolUsed: false })).toMatchObject({ capped: false });
    expect(judged(running(), { cap: 0, toolUsed: false })).toMatchObject({ capped: true });
  });

  it('the line that is asked for, where it is a signal of the mode', () => {
    const line = '<loop-done>COMPLETE</loop-done>';
    expect(judged(running(SIGNAL))).toMatchObject({
      missing: [{ gate: 'signal', says: `${line} has not been said` }],
    });
    const near = {
      ...NO_PROOFS,
      said: saying([tag('COMPLETE', { name: 'loop-done', where: 'code' })], running(SIGNAL)),
    };
    expect(judged(running(SIGNAL), {}, near)).toMatchObject({
      missing: [{ gate: 'signal', says: expect.stringContaining(`${line} inside code`) }],
    });
  });

  it('a check that was not run, and no word of a promise where none is asked for', () => {
    expect(judged(running({ gates: [check('npm test')] }))).toMatchObject({
      missing: [{ gate: 'check', outcome: 'was not run at this stop' }],
    });
  });

  it('a gate that nobody has looked at is missing by its name', () => {
    expect(judged(running({ gates: [MOVE] }))).toMatchObject({
      missing: [{ gate: 'moved', says: 'moved: not looked at yet' }],
    });
  });

  it('a veto over gates that hold leaves nothing to be missed', () => {
    const vetoed = { gate: 'hooks', holds: false, says: 'no', trouble: 'the config has changed' } as const;
    const loop = running({ gates: [PROMISE, HOOKS], require: 'any' });
    expect(judged(loop, {}, { ...DONE, gateResults: [vetoed] })).toEqual({
      is: 'escalate',
      why: { is: 'vetoed', why: 'the config has changed' },
      missing: [],
    });
  });

  it('a minimum of passes is for each item of a list, not for the list', () => {
    const items = { from: { is: 'file', file: 'todo.md' }, most: 9 } as const;
    const loop = running({ ...SIGNAL, mode: 'grind', items, atLeast: 5 });
    const said = saying([tag('NO_MORE_ISSUES', { name: 'grind-done' })], loop);
    expect(judged(loop, {}, { ...NO_PROOFS, said })).toEqual({ is: 'complete' });
  });
});
