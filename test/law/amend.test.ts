/** How an `amended` event changes the gates of a loop, as the fold sees it. */
import { describe, expect, it } from 'vitest';
import { fold } from '#law/fold/index.ts';
import { framesOf, outermostOf, type Loop } from '#law/loop.ts';
import type { Gate, Measure } from '#law/record/definition.ts';
import type { Event, EventOf } from '#law/record/events.ts';
import { after, check, features, GO_ON, MINUTE, pass, PROMISE, running, verdict, claim } from './given.ts';

const TEST = check('npm test');
const LINT = check('npm run lint');
const BUILD = check('npm run build');

const PUSHED = {
  mode: 'loop',
  prompt: 'hash-inner',
  require: 'all',
  atLeast: 0,
  iterations: null,
  items: null,
  item: null,
} as const;

type CheckGate = Extract<Gate, { kind: 'check' }>;

function checkGate(gate: Gate): CheckGate {
  if (gate.kind !== 'check') throw new Error('not a check');
  return gate;
}

function amended(over: Partial<EventOf<'amended'>>): EventOf<'amended'> {
  return { type: 'amended', at: after(MINUTE), by: 'terminal', prompt: null, iterations: null, ...over };
}

function adding(add: readonly Gate[], remove: readonly string[] = []): EventOf<'amended'> {
  return amended({ checks: { add: add.map(checkGate), remove: [...remove] } });
}

function then(loop: Loop, ...events: Event[]): Loop {
  return events.reduce<Loop>((sofar, event) => fold(sofar, event) ?? sofar, loop);
}

function gatesOf(loop: Loop, at = 0): readonly Gate[] | undefined {
  return framesOf(loop)[at]?.gates;
}

/** A list whose first item is at work. */
function grinding(gates: readonly Gate[]): Loop {
  const item = { id: 'i1', title: 'Item 1', n: 1, of: 3, prompt: 'hash-1' };
  return running(
    { mode: 'grind', gates: [...gates], items: { from: { is: 'file', file: 'todo.md' }, most: 3 } },
    claim(1),
    verdict(1, { verdict: { ...GO_ON, item } }),
  );
}

describe('checks', () => {
  it('are added behind the gates that stay, in the order given', () => {
    const loop = running({ gates: [PROMISE, TEST] }, adding([LINT, BUILD]));
    expect(gatesOf(loop)).toEqual([PROMISE, TEST, LINT, BUILD]);
  });

  it('are removed by their command, and nothing else is', () => {
    const gates = [PROMISE, TEST, features(), LINT];
    expect(gatesOf(running({ gates }, adding([], ['npm test'])))).toEqual([PROMISE, features(), LINT]);
    expect(gatesOf(running({ gates }, adding([], ['COMPLETE'])))).toEqual(gates);
  });

  it('replace one with the same command', () => {
    const slow = { ...checkGate(TEST), timeoutMs: 1_000 };
    expect(gatesOf(running({ gates: [TEST, LINT] }, adding([slow])))).toEqual([LINT, slow]);
  });

  it('leave the promise alone', () => {
    expect(gatesOf(running({ gates: [PROMISE] }, adding([TEST])))).toEqual([PROMISE, TEST]);
  });
});

describe('a promise', () => {
  const NEW: Gate = { kind: 'promise', text: 'NEW' };

  it('takes the place of the old one, first of all gates', () => {
    expect(gatesOf(running({ gates: [TEST, PROMISE] }, amended({ promise: 'NEW' })))).toEqual([NEW, TEST]);
  });

  it('takes the place of a signal', () => {
    const loop = running({ gates: [{ kind: 'signal' }, TEST] }, amended({ promise: 'NEW' }));
    expect(gatesOf(loop)).toEqual([NEW, TEST]);
  });

  it('comes with new checks in one event', () => {
    const both = { ...adding([LINT], ['npm test']), promise: 'NEW' };
    expect(gatesOf(running({ gates: [PROMISE, TEST] }, both))).toEqual([NEW, LINT]);
  });
});

describe('what the last verdict saw', () => {
  const judged = running({ gates: [PROMISE, TEST] }, ...pass(1));

  it('does not speak for a new promise', () => {
    expect(judged.last?.looked).toEqual(GO_ON);
    const after = then(judged, amended({ promise: 'NEW' }));
    expect(after.last).toEqual({ ...judged.last, looked: null });
  });

  it('still speaks for the same promise, whatever else is new', () => {
    expect(then(judged, adding([LINT])).last).toEqual(judged.last);
    expect(then(judged, amended({ promise: 'COMPLETE' })).last).toEqual(judged.last);
  });

  it('is nothing before the first stop', () => {
    expect(running({ gates: [PROMISE] }, amended({ promise: 'NEW' })).last).toBeNull();
  });
});

it('changes nothing where neither is given', () => {
  const before = running({ gates: [PROMISE, TEST] });
  expect(framesOf(then(before, amended({})))).toEqual(framesOf(before));
});

describe('frames', () => {
  const inner = (item: null = null): Event => ({
    type: 'pushed',
    at: after(MINUTE),
    by: 'session',
    prompt: null,
    frame: {
      mode: 'loop',
      prompt: 'hash-of-inner',
      gates: [PROMISE],
      require: 'all',
      atLeast: 0,
      iterations: 5,
      items: null,
      item,
    },
  });

  it('changes the frame at work, not the ones around it', () => {
    const loop = then(running({ gates: [PROMISE] }), inner(), adding([TEST]));
    expect(gatesOf(loop, 0)).toEqual([PROMISE]);
    expect(gatesOf(loop, 1)).toEqual([PROMISE, TEST]);
  });

  it('changes an item and its list, so that later items have the checks too', () => {
    const loop = then(grinding([TEST]), adding([LINT]));
    expect(loop.around).toHaveLength(1);
    expect(gatesOf(loop, 0)).toContainEqual(LINT);
    expect(gatesOf(loop, 1)).toContainEqual(LINT);
  });

  it('gives a new promise to the list alone: an item is claimed by its own signal', () => {
    const before = grinding([PROMISE, TEST]);
    const loop = then(before, amended({ promise: 'NEW' }));
    expect(gatesOf(loop, 0)).toContainEqual({ kind: 'promise', text: 'NEW' });
    expect(gatesOf(loop, 1)).toEqual(gatesOf(before, 1));
  });
});

describe('a loop that has ended', () => {
  /** The rest counts events and instants. */
  const state = ({ frame, around, status }: Loop) => ({ frame, around, status });
  const cancelled: Event = { type: 'cancelled', at: after(0), by: 'terminal', prompt: null };
  const ended = running({ gates: [PROMISE] }, cancelled);
  const done = running(
    { gates: [PROMISE] },
    claim(1),
    verdict(1, { verdict: { is: 'complete', popped: [] } }),
  );

  it('takes new gates from a terminal, and stays ended', () => {
    const loop = then(ended, adding([TEST]));
    expect(gatesOf(loop)).toEqual([PROMISE, TEST]);
    expect(loop.status.is).toBe('cancelled');
    expect(gatesOf(then(ended, amended({ promise: 'NEW' })))).toEqual([{ kind: 'promise', text: 'NEW' }]);
  });

  it('takes nothing else: no other hand, no other change, no other event', () => {
    expect(state(then(ended, { ...adding([TEST]), by: 'session' }))).toEqual(state(ended));
    expect(state(then(ended, amended({ iterations: 9 })))).toEqual(state(ended));
    expect(state(then(ended, { type: 'compacted', at: after(MINUTE) }))).toEqual(state(ended));
    expect(state(then(ended, ...pass(7)))).toEqual(state(ended));
  });

  it('takes no new gates once it is complete', () => {
    expect(done.status.is).toBe('completed');
    expect(state(then(done, adding([TEST])))).toEqual(state(done));
  });
});

describe('measures', () => {
  const MEASURES: Gate = { kind: 'measures', begun: 'failed' };
  const tests: Measure = {
    name: 'tests',
    command: 'count',
    timeoutMs: 1_000,
    begun: 12,
    goals: [{ is: '>=', bound: 12 }],
  };
  const told = { ...tests, goals: [] };
  const open = { ...tests, goals: [{ is: '>=', bound: 20 }] } satisfies Measure;

  it('are replaced with their gate, behind the gates that stay', () => {
    const loop = running({ gates: [MEASURES, TEST], measures: [told] }, amended({ measures: [tests] }));
    expect(outermostOf(loop)).toMatchObject({ measures: [tests] });
    expect(gatesOf(loop)).toEqual([TEST, { kind: 'measures', begun: 'passed' }]);
    expect(gatesOf(then(loop, amended({ measures: [open] })))).toEqual([TEST, MEASURES]);
    expect(gatesOf(then(loop, amended({ measures: [told] })))).toEqual([TEST]);
  });

  it('stay as they are where an amendment names none', () => {
    const loop = running({ gates: [MEASURES, TEST], measures: [open] });
    expect(outermostOf(then(loop, adding([LINT])))).toMatchObject({ measures: [open] });
    expect(gatesOf(then(loop, adding([LINT])))).toEqual([MEASURES, TEST, LINT]);
  });

  it('are those of the item at work as well, and of no task inside it', () => {
    const loop = then(grinding([TEST]), amended({ measures: [open] }));
    expect(gatesOf(loop, 0)).toContainEqual(MEASURES);
    expect(gatesOf(loop, 1)).toContainEqual(MEASURES);
    const frame = { ...PUSHED, gates: [TEST] };
    const pushed = { type: 'pushed', at: after(0), by: 'terminal', prompt: null, frame, passes: 0 } as const;
    const inner = then(running({ gates: [TEST] }, pushed), amended({ measures: [open] }));
    expect(gatesOf(inner, 0)).toEqual([TEST, MEASURES]);
    expect(gatesOf(inner, 1)).toEqual([TEST]);
    const deep = then(grinding([TEST]), pushed, amended({ measures: [open] }));
    expect([0, 1, 2].map((at) => gatesOf(deep, at)?.some(({ kind }) => kind === 'measures'))).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('forget the best point, how far it was, and what the old ones showed', () => {
    const gateResult = { holds: false, says: 'tests is 9', trouble: null } as const;
    const trend = {
      iteration: 1,
      seen: [],
      failures: 'same',
      back: true,
      away: 0.5,
      best: { iteration: 1, away: 0.5 },
      drift: 'worse',
    };
    const gateResults = [
      { gate: 'measures', ...gateResult },
      { gate: 'moved', ...gateResult },
    ] as const;
    const before = running(
      { gates: [MEASURES], measures: [open] },
      claim(1),
      verdict(1, { gateResults, trend }),
    );
    const loop = then(before, amended({ measures: [tests] }));
    expect(before.circuit.trend).toMatchObject({ away: 0.5, best: { iteration: 1 } });
    expect(loop.circuit.trend).toEqual({ ...trend, away: null, best: null });
    expect(loop.last?.gateResults.map(({ gate }) => gate)).toEqual(['moved']);
    expect(then(running({ gates: [TEST] }), amended({ measures: [tests] })).last).toBeNull();
  });
});
