/**
 * Rule 10 where frames lie in frames: what the end of one means for those around it, and how the fold keeps
 * it.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { factsOf, judge, withItems } from '#law/decide.ts';
import { itemsWanted, type ItemsSeen } from '#law/nesting.ts';
import type { Definition, FrameRecord, Gate } from '#law/record/definition.ts';
import type { Event, EventOf } from '#law/record/events.ts';
import type { Verdict } from '#law/record/verdict.ts';
import { fold } from '#law/fold/index.ts';
import { framesOf, outermostOf, MAX_FRAMES, type Loop } from '#law/loop.ts';
import type { Stop } from '#law/stop.ts';
import {
  GO_ON,
  MINUTE,
  MOVE,
  PROMISE,
  after,
  check,
  claim,
  list,
  proof,
  proofsOf,
  running,
  stop,
  tag,
  verdict,
  type Seen,
  decided,
} from './given.ts';

const INNER: FrameRecord = {
  mode: 'loop',
  prompt: 'hash-of-inner',
  gates: [PROMISE],
  require: 'all',
  atLeast: 0,
  iterations: 5,
  items: null,
  item: null,
};
const LIST = { from: { is: 'file', file: 'todo.md' }, most: 3 } as const;
const GRIND = { mode: 'grind', gates: [check('npm test')], items: LIST } as const;

function item(n: number) {
  return { id: `i${n}`, title: `Item ${n}`, n, of: 9, prompt: `hash-${n}` };
}

function pushed(over: Partial<FrameRecord> = {}, prompt: string | null = 'p2'): EventOf<'pushed'> {
  return { type: 'pushed', at: after(MINUTE), by: 'session', prompt, frame: { ...INNER, ...over } };
}

function then(loop: Loop, ...events: Event[]): Loop {
  const next = events.reduce<Loop | null>(fold, loop);
  if (next === null) throw new Error('no loop');
  return next;
}

/** The verdict on the whole loop, where its list of items reads so. */
function judged(loop: Loop, seen: Seen, items: ItemsSeen | null = null, over: Partial<Stop> = {}): Verdict {
  const facts = factsOf(loop, stop({ prompt: loop.session.chain, ...over }), proofsOf(loop, seen), null);
  const ruling = judge(loop, facts, after(2 * MINUTE));
  return (ruling.wants && items ? withItems(loop, facts, ruling, items) : ruling).verdict;
}

function heard(loop: Loop, seen: Seen, items: ItemsSeen | null = null): Loop {
  const n = loop.stops + 1;
  return then(
    loop,
    claim(n, { prompt: loop.session.chain }),
    verdict(n, { verdict: judged(loop, seen, items) }),
  );
}

const DONE: Seen = { tags: [tag('COMPLETE')] };
const ITEM_DONE: Seen = {
  tags: [tag('DONE', { name: 'issue-complete' })],
  checks: [proof('npm test', { is: 'passed' })],
};

describe('the fold of a push', () => {
  it('puts a frame on top and rides on the prompt that brought it', () => {
    const loop = then(running(), pushed());
    expect(loop.around).toHaveLength(1);
    expect(loop.frame).toMatchObject({ prompt: 'hash-of-inner', passes: 0, promptGiven: true });
    expect(loop.session.chain).toBe('p2');
    expect(then(running(), pushed({}, null)).frame.promptGiven).toBe(false);
    expect(then(running(), { ...pushed({}, null), by: 'mcp' }).frame.promptGiven).toBe(true);
  });

  it('is void where it would be too deep, and after an ending', () => {
    const deep = then(running(), ...Array.from({ length: 20 }, () => pushed()));
    expect(deep.around).toHaveLength(MAX_FRAMES - 1);
    const over = then(running(), { type: 'cancelled', at: after(0), by: 'session', prompt: null }, pushed());
    expect(over.around).toHaveLength(0);
  });

  it('ends a hold: the person has put work in', () => {
    const allow = { is: 'allow', why: 'background', shells: [], until: after(9 * MINUTE) } as const;
    const waiting = running({}, claim(1), verdict(1, { verdict: allow }));
    expect(waiting.status.is).toBe('waiting');
    expect(then(waiting, pushed()).status.is).toBe('running');
  });
});

describe('an item of a list', () => {
  const first = (list: Partial<Definition>) => {
    const loop = running({ ...GRIND, ...list });
    return heard(loop, ITEM_DONE, { is: 'next', item: item(1) }).frame;
  };

  it('is confirmed and measured as the whole would be, and needs all of its gates', () => {
    const measures = [{ name: 'tests', command: 'count', timeoutMs: 1, begun: 1, goals: [] }];
    expect(first({ confirm: 2, measures, require: 'any' })).toMatchObject({
      confirm: 2,
      measures,
      require: 'all',
    });
    expect(first({})).not.toHaveProperty('confirm');
    expect(first({})).not.toHaveProperty('measures');
  });
});

describe('the fold of a pop', () => {
  it('counts outcomes without end and keeps the last twenty, so that the cache stays small', () => {
    let loop = running({ ...GRIND, items: { ...LIST, most: 1_000 } });
    let longest = 0;
    for (let n = 1; n <= 200; n++) {
      const ended = {
        mode: 'issue',
        outcome: 'complete',
        why: 'w',
        item: `Item ${n}`,
        iterations: 1,
      } as const;
      loop = then(
        loop,
        claim(n),
        verdict(n, { verdict: { ...GO_ON, popped: n === 1 ? [] : [ended], item: item(n) } }),
      );
      if (n === 60) longest = JSON.stringify({ ...outermostOf(loop), handled: [] }).length;
    }
    const list = outermostOf(loop);
    expect(list.inner).toMatchObject({ complete: 199, exhaust: 0, escalate: 0, iterations: 199 });
    expect(list.inner.last).toHaveLength(20);
    expect(list.handled).toHaveLength(199);
    expect(JSON.stringify({ ...list, handled: [] }).length).toBeLessThan(longest + 200);
    expect(loop.files.revisions.length).toBeLessThanOrEqual(16);
  });

  it('forgets what was seen of the frame that ended', () => {
    const loop = then(running({ gates: [PROMISE, check('npm test')] }), pushed());
    const saw = {
      proofs: [proof('npm test', { is: 'passed' })],
      gateResults: [{ gate: 'moved', holds: false, says: 'not there', trouble: null } as const],
      features: list(1),
    };
    const goesOn = then(loop, claim(1), verdict(1, saw));
    expect(goesOn.last).toMatchObject(saw);
    const ended = then(loop, claim(1), verdict(1, { ...saw, verdict: judged(loop, DONE) }));
    expect(ended.around).toHaveLength(0);
    expect(ended.last).toMatchObject({ proofs: [], gateResults: [], features: null, n: 1 });
    expect(then(running(), pushed()).last).toBeNull();
  });

  it('a task beside the items of a list is not an item of it', () => {
    const loop = heard(then(running(GRIND), pushed()), DONE, { is: 'next', item: item(1) });
    expect(framesOf(loop)).toMatchObject([{ handled: [], undone: [] }, { item: { id: 'i1' } }]);
  });
});

describe('the fold of a resume', () => {
  const none: ItemsSeen = { is: 'none', gateResults: [] };
  const stuck: Seen = { tags: [tag('STUCK', { name: 'loop-done' })] };
  const next = (n: number): ItemsSeen => ({ is: 'next', item: item(n) });
  const resumed = (by: EventOf<'resumed'>['by'] = 'terminal'): Event => ({
    type: 'resumed',
    at: after(5 * MINUTE),
    by,
    session: 's1',
    process: 1,
    prompt: 'p9',
    iterations: null,
  });
  /** Item 1 is done, 2 is stuck, 3 has used up its iterations. */
  function ended(): Loop {
    const begun = heard(running({ ...GRIND, iterations: 1 }), {}, next(1));
    return heard(heard(heard(begun, ITEM_DONE, next(2)), stuck, next(3)), {}, none);
  }

  it('knows which items ended undone', () => {
    expect(outermostOf(ended())).toMatchObject({ handled: ['i1', 'i2', 'i3'], undone: ['i2', 'i3'] });
    expect(ended().status).toEqual({ is: 'escalated', why: { is: 'undone', items: 2 } });
  });

  it('gives those of a list that has ended another turn, and no other', () => {
    const loop = then(ended(), resumed());
    expect(loop.status.is).toBe('running');
    expect(outermostOf(loop)).toMatchObject({ handled: ['i1'], undone: [] });
    expect(outermostOf(loop).inner).toMatchObject({ complete: 1, exhaust: 0, escalate: 0, iterations: 3 });
    expect(outermostOf(loop).inner.last.map(({ item: title }) => title)).toEqual(['Item 1']);
    const again = heard(heard(heard(loop, {}, next(2)), ITEM_DONE, next(3)), ITEM_DONE, none);
    expect(again.status.is).toBe('completed');
    expect(outermostOf(again).inner).toMatchObject({ complete: 3, iterations: 5 });
  });

  it('gives it once: what is undone again is told again', () => {
    const loop = heard(heard(then(ended(), resumed()), {}, next(2)), stuck, none);
    expect(loop.status).toEqual({ is: 'escalated', why: { is: 'undone', items: 1 } });
    expect(outermostOf(loop)).toMatchObject({ handled: ['i1', 'i2'], undone: ['i2'] });
  });

  it('may come from the session, but not from a host that comes back late', () => {
    expect(then(ended(), resumed('session')).status.is).toBe('running');
    expect(then(ended(), resumed('host'))).toMatchObject({ status: { is: 'escalated' } });
  });

  it('leaves a list alone that is in its middle, or has ended otherwise', () => {
    const middle = heard(heard(running({ ...GRIND, iterations: 1 }), {}, next(1)), stuck, next(2));
    const cancelled = then(middle, { type: 'cancelled', at: after(0), by: 'session', prompt: null });
    for (const loop of [middle, cancelled])
      expect(outermostOf(then(loop, resumed()))).toMatchObject({ handled: ['i1'], undone: ['i1'] });
    const blind = heard(middle, ITEM_DONE, { is: 'unreadable', why: 'gone' });
    expect(outermostOf(then(blind, resumed()))).toMatchObject({ handled: ['i1', 'i2'], undone: ['i1'] });
  });
});

describe('items that left their list without a turn', () => {
  const none: ItemsSeen = { is: 'none', gateResults: [] };
  const shortened = (count: number, frame = 1, by: 'unknown' | 'terminal' = 'unknown'): Event => ({
    type: 'shortened',
    at: after(MINUTE),
    by,
    frame,
    file: 'todo.md',
    count,
    items: count === 0 ? [] : ['Item 8'],
  });
  const grinding = (): Loop => heard(running(GRIND), {}, { is: 'next', item: item(1) });

  it('keep a list from being done', () => {
    const loop = then(grinding(), shortened(2));
    expect(framesOf(loop).map(({ gone }) => gone)).toEqual([
      { count: 2, items: ['Item 8'] },
      { count: 0, items: [] },
    ]);
    expect(judged(loop, ITEM_DONE, none)).toMatchObject({
      is: 'escalate',
      why: { is: 'undone', items: 0, gone: 2 },
    });
  });

  it('count beside those that ended undone', () => {
    const stuck: Seen = { tags: [tag('STUCK', { name: 'loop-done' })] };
    expect(judged(then(grinding(), shortened(1)), stuck, none)).toMatchObject({
      is: 'escalate',
      why: { is: 'undone', items: 1, gone: 1 },
    });
  });

  it('do so no longer when they are back, or a person accepts it', () => {
    const back = then(grinding(), shortened(2), shortened(0, 1, 'terminal'));
    expect(judged(back, ITEM_DONE, none)).toMatchObject({ is: 'complete' });
  });

  it('are those of the frame that is named', () => {
    const inner = grinding().frame.id;
    expect(framesOf(then(grinding(), shortened(1, inner))).map(({ gone }) => gone.count)).toEqual([0, 1]);
    expect(framesOf(then(grinding(), shortened(1, 99))).map(({ gone }) => gone.count)).toEqual([0, 0]);
    const besides = then(running(GRIND), pushed());
    const named = then(besides, shortened(1, besides.frame.id));
    expect(framesOf(named).map(({ gone }) => gone.count)).toEqual([0, 1]);
  });

  it('change nothing of a list that goes on, or has ended', () => {
    const loop = then(grinding(), shortened(1));
    expect(judged(loop, ITEM_DONE, { is: 'next', item: item(2) })).toMatchObject({ is: 'continue' });
    const over = then(grinding(), { type: 'cancelled', at: after(0), by: 'session', prompt: null });
    expect(outermostOf(then(over, shortened(1))).gone.count).toBe(0);
  });
});

describe('around', () => {
  it('leaves the verdict on an only frame as it is', () => {
    for (const seen of [DONE, {}, { tags: [tag('BLOCKED')] }])
      expect(judged(running(), seen)).toEqual(
        decided(running(), stop(), proofsOf(running(), seen), after(MINUTE)),
      );
  });

  it.each<[string, Partial<FrameRecord>, Seen, object]>([
    ['done', {}, DONE, { outcome: 'complete', why: 'done' }],
    ['out of passes', { iterations: 1 }, {}, { outcome: 'exhaust', why: 'max iterations reached' }],
    [
      'out of items',
      { mode: 'grind', gates: [{ kind: 'signal' }] },
      { tags: [tag('MAX_ISSUES', { name: 'grind-done' })] },
      { mode: 'grind', outcome: 'exhaust', why: 'max items reached' },
    ],
    [
      'blocked',
      {},
      { tags: [tag('BLOCKED: no key')] },
      { outcome: 'escalate', why: expect.stringContaining('no key') },
    ],
    [
      'stuck',
      {},
      { tags: [tag('STUCK', { name: 'loop-done' })] },
      { outcome: 'escalate', why: expect.any(String) },
    ],
  ])('%s, an inner frame ends alone, and the one around it goes on', (_, over, seen, popped) => {
    const said = judged(then(running(), pushed(over)), seen);
    expect(said).toMatchObject({ is: 'continue', missing: [], item: null });
    expect(said).toHaveProperty('popped', [{ mode: 'loop', item: null, iterations: 1, ...popped }]);
  });

  it.each<[string, Partial<Definition>, Seen, object]>([
    ['the time', { timeMs: MINUTE }, {}, { is: 'exhaust', limit: 'time' }],
    [
      'a wish for a person',
      {},
      { tags: [tag('ESCALATE: which one?')] },
      { is: 'escalate', why: { is: 'asked', words: 'which one?' } },
    ],
    [
      'a check that cannot be started',
      {},
      { checks: [proof('npm test', { is: 'unstartable', error: 'not found', tail: '' })] },
      { is: 'escalate', why: { is: 'unprovable' } },
    ],
  ])('%s ends the whole loop, from whatever frame', (_, definition, seen, verdicts) => {
    const loop = then(running(definition), pushed({ gates: [PROMISE, check('npm test')] }));
    const said = judged(loop, seen);
    expect(said).toMatchObject(verdicts);
    expect(said).not.toHaveProperty('popped');
    expect(heard(loop, seen).around).toHaveLength(1);
  });

  it('counts the iterations of a frame with those of the frames that ended inside it', () => {
    const loop = heard(then(running(), pushed(), pushed({}, 'p3')), DONE);
    expect(judged(loop, DONE)).toMatchObject({ popped: [{ iterations: 2 }] });
  });

  it('gives the agent the task of a frame that it does not know yet, and names nothing as missing', () => {
    expect(judged(then(running(), pushed({}, null)), {})).toMatchObject({ is: 'continue', missing: [] });
  });

  it('begins an item with nothing missing', () => {
    const begun = judged(running(GRIND), {}, { is: 'next', item: item(1) });
    expect(begun).toMatchObject({ is: 'continue', item: { id: 'i1' }, missing: [] });
  });

  it('a stop that is only let through ends no frame', () => {
    const loop = then(running(), pushed());
    const background = [{ id: 'a', kind: 'agent', description: 'tests' } as const];
    expect(judged(loop, {}, null, { background })).toMatchObject({ is: 'allow', why: 'background' });
    const queue = { offset: 0, waiting: 1 };
    expect(judged(loop, DONE, null, { queue })).toMatchObject({ is: 'allow', why: 'queue' });
  });

  it('with --approve-done a person confirms the end of the loop, and of nothing inside it', () => {
    const approvals = { rules: [], done: true, timeoutMs: MINUTE, policy: 'file', folder: null } as const;
    const nested = then(running({ approvals }), pushed());
    expect(judged(nested, DONE)).toMatchObject({ is: 'continue', popped: [{ outcome: 'complete' }] });
    expect(judged(heard(nested, DONE), DONE)).toMatchObject({ is: 'allow', asks: { kind: 'completion' } });
    const inItem = heard(running({ ...GRIND, approvals }), {}, { is: 'next', item: item(1) });
    expect(judged(inItem, ITEM_DONE, { is: 'none', gateResults: [] })).toMatchObject({
      is: 'allow',
      asks: { kind: 'completion' },
    });
  });

  it('a list that can no longer be read is for a person, and what ended before stays ended', () => {
    const loop = heard(running(GRIND), {}, { is: 'next', item: item(1) });
    const unreadable = { is: 'unreadable', why: 'todo.md is gone' } as const;
    expect(judged(loop, ITEM_DONE, unreadable)).toEqual({
      is: 'escalate',
      why: unreadable,
      missing: [],
      popped: [{ mode: 'issue', outcome: 'complete', why: 'done', item: 'Item 1', iterations: 1 }],
    });
  });

  it('more items than are allowed end the list: it says so and asks for nothing more', () => {
    const loop = heard(running({ ...GRIND, items: { ...LIST, most: 1 } }), {}, { is: 'next', item: item(1) });
    const said = judged(loop, ITEM_DONE, { is: 'next', item: item(2) });
    expect(said).toMatchObject({ is: 'exhaust', limit: 'items', missing: [], popped: [{ item: 'Item 1' }] });
  });

  it('a list whose items are all done is judged by gates of its own, never by its checks', () => {
    const loop = heard(
      running({ ...GRIND, gates: [...GRIND.gates, MOVE] }),
      {},
      { is: 'next', item: item(1) },
    );
    const moved = (holds: boolean) => ({ gate: 'moved', holds, says: 'not there', trouble: null }) as const;
    const said = (holds: boolean) => judged(loop, ITEM_DONE, { is: 'none', gateResults: [moved(holds)] });
    expect(said(false)).toMatchObject({ is: 'continue', missing: [{ gate: 'moved', says: 'not there' }] });
    expect(said(false)).toHaveProperty('popped.length', 1);
    expect(said(true)).toMatchObject({ is: 'complete' });
  });

  it('a list at work with no item left stands by what its own stop said', () => {
    const loop = running({ ...GRIND, gates: [{ kind: 'signal' }] });
    const none: ItemsSeen = { is: 'none', gateResults: [] };
    const claims: Seen = { tags: [tag('NO_MORE_ISSUES', { name: 'grind-done' })] };
    expect(judged(loop, claims, none)).toEqual({ is: 'complete' });
    expect(judged(loop, {}, none)).toMatchObject({ is: 'continue', missing: [{ gate: 'signal' }] });
  });

  it('a list of which an item ended undone is not complete, whenever that was', () => {
    const none: ItemsSeen = { is: 'none', gateResults: [] };
    const stuck: Seen = { tags: [tag('STUCK', { name: 'loop-done' })] };
    const first = heard(running(GRIND), {}, { is: 'next', item: item(1) });
    expect(judged(first, stuck, none)).toMatchObject({ is: 'escalate', why: { is: 'undone', items: 1 } });
    const second = heard(first, stuck, { is: 'next', item: item(2) });
    expect(judged(second, ITEM_DONE, none)).toMatchObject({
      is: 'escalate',
      why: { is: 'undone', items: 1 },
    });
    expect(judged(second, stuck, none)).toMatchObject({
      is: 'escalate',
      why: { is: 'undone', items: 2 },
      missing: [],
    });
    // Neither where an item of its own has used up its iterations.
    const short = heard(running({ ...GRIND, iterations: 1 }), {}, { is: 'next', item: item(1) });
    expect(judged(short, {}, none)).toMatchObject({ is: 'escalate', why: { is: 'undone', items: 1 } });
  });

  it('a list inside another task that is not done is popped as that, and the task goes on', () => {
    const loop = then(
      running({ gates: [{ kind: 'signal' }] }),
      pushed({ mode: 'grind', items: LIST, gates: [] }, null),
      pushed({ mode: 'issue', gates: [{ kind: 'signal' }], item: { id: 'a', title: 'A', n: 1, of: 1 } }),
    );
    const said = judged(
      loop,
      { tags: [tag('STUCK', { name: 'loop-done' })] },
      { is: 'none', gateResults: [] },
    );
    expect(said).toMatchObject({
      is: 'continue',
      popped: [
        { item: 'A', outcome: 'escalate' },
        { mode: 'grind', outcome: 'escalate', why: 'every item had its turn, and 1 of them is not done' },
      ],
    });
  });

  it('what was spent inside counts for each frame that ends with it', () => {
    const loop = heard(
      then(
        running(GRIND),
        pushed({ mode: 'grind', items: LIST, gates: [] }, null),
        pushed({ mode: 'issue', gates: [{ kind: 'signal' }], item: { id: 'a', title: 'A', n: 1, of: 1 } }),
      ),
      {},
    );
    const tags = [tag('DONE', { name: 'issue-complete' })];
    const said = judged(loop, { tags }, { is: 'none', gateResults: [] });
    expect(said).toMatchObject({
      popped: [
        { item: 'A', iterations: 2 },
        { item: null, iterations: 2 },
      ],
    });
  });

  it('a list is read when it goes on or when a frame right inside it has ended, and at no other stop', () => {
    const grinding = running(GRIND);
    const inItem = heard(grinding, {}, { is: 'next', item: item(1) });
    const time: Verdict = { is: 'exhaust', limit: 'time', missing: [] };
    expect(itemsWanted(grinding, GO_ON)).toMatchObject({ frame: outermostOf(grinding), handled: [] });
    expect(itemsWanted(grinding, time)).toBeNull();
    expect(itemsWanted(inItem, GO_ON)).toBeNull();
    expect(itemsWanted(inItem, time)).toBeNull();
    expect(itemsWanted(then(running(), pushed()), { is: 'complete' })).toBeNull();
    const besides = then(grinding, pushed());
    expect(itemsWanted(besides, { is: 'complete' })).toMatchObject({
      frame: outermostOf(besides),
      handled: [],
    });
  });

  it('two lists in each other: the inner one ends, and the outer one is read at the next stop', () => {
    const loop = then(
      running(GRIND),
      pushed({ mode: 'grind', items: LIST, gates: [] }, null),
      pushed({ mode: 'issue', gates: [{ kind: 'signal' }], item: { id: 'a', title: 'A', n: 1, of: 1 } }),
    );
    const tags = [tag('DONE', { name: 'issue-complete' })];
    expect(itemsWanted(loop, { is: 'complete' })?.frame).toBe(framesOf(loop)[1]);
    const said = judged(loop, { tags }, { is: 'none', gateResults: [] });
    expect(said).toMatchObject({
      is: 'continue',
      popped: [{ mode: 'issue' }, { mode: 'grind' }],
      item: null,
    });
    const left = heard(loop, { tags }, { is: 'none', gateResults: [] });
    expect(left.around).toHaveLength(0);
    expect(itemsWanted(left, judged(left, {}))?.frame).toBe(outermostOf(left));
  });

  it('a list at work with items left gives out the next one, and spends nothing', () => {
    const loop = running(GRIND);
    const next = heard(loop, {}, { is: 'next', item: item(1) });
    expect(framesOf(next).map(({ mode, passes }) => [mode, passes])).toEqual([
      ['grind', 0],
      ['issue', 0],
    ]);
    const hooks: Gate = { kind: 'hooks', names: ['lint'], timeoutMs: 1, allMs: 1, mark: null };
    const gates = [MOVE, check('npm test'), hooks];
    const watched = heard(running({ ...GRIND, gates }), {}, { is: 'next', item: item(1) });
    // Its checks and stop hooks are for each item, its other gates for the list alone.
    expect(watched.frame.gates).toEqual([{ kind: 'signal' }, check('npm test'), hooks]);
  });

  it('an item that was handled is never given out again by the fold, whatever the outcome', () => {
    const first = heard(running(GRIND), {}, { is: 'next', item: item(1) });
    const second = heard(
      first,
      { tags: [tag('STUCK', { name: 'loop-done' })] },
      { is: 'next', item: item(2) },
    );
    expect(outermostOf(second).handled).toEqual(['i1']);
    expect(itemsWanted(second, { is: 'complete' })?.handled).toEqual(['i1', 'i2']);
  });

  it('MAX_ISSUES and NO_MORE_ISSUES count in a grind frame that is at work, and there alone', () => {
    const grinding = running({ mode: 'grind', gates: [{ kind: 'signal' }] });
    const say = (text: string): Seen => ({ tags: [tag(text, { name: 'grind-done' })] });
    expect(judged(grinding, say('NO_MORE_ISSUES'))).toEqual({ is: 'complete' });
    expect(judged(grinding, say('MAX_ISSUES'))).toMatchObject({ is: 'exhaust', limit: 'items' });
    for (const mode of ['loop', 'issue'] as const) {
      const other = judged(running({ mode }), say('NO_MORE_ISSUES'));
      expect(other.is).toBe('continue');
      expect(JSON.stringify(other)).toContain('which is not what ends this task');
      expect(judged(running({ mode }), say('MAX_ISSUES')).is).toBe('continue');
    }
    const inItem = heard(running(GRIND), {}, { is: 'next', item: item(1) });
    expect(judged(inItem, say('NO_MORE_ISSUES')).is).toBe('continue');
  });

  it('for any order of pushes and endings: as many passes as stops, never deeper than allowed, never lost', () => {
    const moves = fc.array(fc.constantFrom('push', 'go on', 'done', 'blocked', 'stuck', 'max'), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(moves, (taken) => {
        let loop = running({ iterations: null });
        let stops = 0;
        for (const move of taken) {
          if (loop.status.is !== 'running') break;
          if (move === 'push') {
            loop = then(loop, pushed({ iterations: null }, `p${loop.events}`));
            continue;
          }
          const tags = {
            'go on': [],
            done: [tag('COMPLETE')],
            blocked: [tag('BLOCKED')],
            stuck: [tag('STUCK', { name: 'loop-done' })],
            max: [tag('MAX_ITERATIONS', { name: 'loop-done' })],
          }[move];
          const depth = framesOf(loop).length;
          loop = heard(loop, { tags });
          stops++;
          expect(framesOf(loop).length).toBe(move === 'go on' || depth === 1 ? depth : depth - 1);
        }
        const spent = framesOf(loop).reduce((sum, { passes, inner }) => sum + passes + inner.iterations, 0);
        expect(spent).toBe(stops);
        expect(framesOf(loop).length).toBeLessThanOrEqual(MAX_FRAMES);
      }),
    );
  });

  it('a list that gets its items one by one ends after exactly as many as there are, or as are allowed', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 8 }), (count, most) => {
        let loop = heard(running({ ...GRIND, items: { ...LIST, most } }), {}, { is: 'next', item: item(1) });
        let given = 1;
        while (loop.status.is === 'running' && given < 20) {
          const seen: ItemsSeen =
            given < count ? { is: 'next', item: item(given + 1) } : { is: 'none', gateResults: [] };
          loop = heard(loop, ITEM_DONE, seen);
          given++;
        }
        expect(loop.status.is).toBe(count > most ? 'exhausted' : 'completed');
        expect(outermostOf(loop).inner.complete).toBe(Math.min(count, most));
      }),
    );
  });
});

describe('a list that the agent broke', () => {
  const BROKEN: ItemsSeen = { is: 'unreadable', why: 'todo.md line 3 is not an item', broken: true };
  const SAYS = 'todo.md line 3 is not an item. Correct the list, and keep all of its items';
  const at = (): Loop => heard(running(GRIND), {}, { is: 'next', item: item(1) });

  it('goes back to the agent once, with its item still at work', () => {
    const said = judged(at(), ITEM_DONE, BROKEN);
    expect(said).toMatchObject({ is: 'continue', missing: [{ gate: 'features', says: SAYS }] });
    expect(heard(at(), ITEM_DONE, BROKEN).around).toHaveLength(1);
  });

  it('goes to a person if it is still broken in the same way', () => {
    expect(judged(heard(at(), ITEM_DONE, BROKEN), ITEM_DONE, BROKEN).is).toBe('escalate');
  });

  it('goes back once more if it is broken in another way', () => {
    const other: ItemsSeen = { ...BROKEN, why: 'todo.md is empty' };
    expect(judged(heard(at(), ITEM_DONE, BROKEN), ITEM_DONE, other)).toMatchObject({ is: 'continue' });
  });

  it('goes back to the agent whatever its last stop was', () => {
    const grinding = running({ ...GRIND, gates: [{ kind: 'signal' }] });
    const claims: Seen = { tags: [tag('NO_MORE_ISSUES', { name: 'grind-done' })] };
    const waits = { is: 'allow', why: 'queue', shells: [], until: null } as const;
    for (const loop of [grinding, then(grinding, claim(1), verdict(1, { verdict: waits }))])
      expect(judged(loop, claims, BROKEN)).toMatchObject({ is: 'continue', missing: [{ says: SAYS }] });
  });

  it('goes to a person where its item has ended undone', () => {
    const stuck: Seen = { tags: [tag('STUCK', { name: 'loop-done' })] };
    expect(judged(at(), stuck, BROKEN)).toMatchObject({ is: 'escalate', why: { is: 'unreadable' } });
  });

  it('is not the agent’s to correct where it can’t be read at all', () => {
    expect(judged(at(), ITEM_DONE, { is: 'unreadable', why: 'no such file' }).is).toBe('escalate');
  });
});
