/** What a worker does with one loop, without any process: by tables, and by any order of what can happen. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LoopEffect, LoopNews } from '#fleet/worker/leased-loop/state.ts';
import { initialState, meterOf } from '#fleet/worker/leased-loop/state.ts';
import { stepLoop } from '#fleet/worker/leased-loop/step.ts';
import { leasedRow } from './leased-row.ts';
import {
  answered,
  AWAY,
  BASE,
  EXITED,
  HEAD,
  LEASE_MS,
  LOADED,
  OURS,
  PUSHED,
  said,
  settle,
  shipment,
  World,
} from './loop-world.ts';

/** Steps through these, and gives the state and the effects of the last one. */
function play(...news: readonly (LoopNews & { readonly at?: number })[]) {
  let state = initialState(leasedRow({ branch: 'dacapo/x' }), 0, LEASE_MS);
  let effects: readonly LoopEffect[] = [];
  for (const one of news) ({ state, effects } = stepLoop(state, { at: 0, ...one }));
  return { state, effects };
}

const STARTED: readonly LoopNews[] = [{ is: 'started' }, answered(1, LOADED)];
const IN_PASS: readonly LoopNews[] = [
  ...STARTED,
  said(settle('taken', 0)),
  answered(2, { is: 'begun', shipped: OURS, events: shipment(0).events }),
];
const RECORDING: readonly LoopNews[] = [
  ...IN_PASS,
  said(settle('recorded', 1, 0.5)),
  answered(3, { is: 'lease', isHeld: true }),
  { is: 'git', n: 4, result: PUSHED },
  { is: 'git', n: 5, result: { is: 'branch-read', from: BASE } },
  answered(6, { is: 'permit', permit: 'ours', push: { from: BASE, to: HEAD } }),
  { is: 'git', n: 7, result: { is: 'branch-pushed', head: HEAD } },
];
const kinds = (effects: readonly LoopEffect[]): string[] =>
  effects.map((effect) => (effect.is === 'ask' ? `ask ${effect.ask.is}` : effect.is));

test('a pass is begun in the record before the child may go on', () => {
  const { state, effects } = play(...IN_PASS);
  expect(kinds(effects)).toEqual(['notify', 'tell-child']);
  expect(effects[1]).toMatchObject({ message: { is: 'settled', as: 'ours' } });
  expect(state).toMatchObject({ phase: { is: 'driving' }, pass: 1, work: { base: BASE } });
});

test('a pass is recorded after its point and its branch were pushed, with what it has used', () => {
  const { effects } = play(...RECORDING);
  expect(effects).toEqual([
    {
      is: 'ask',
      n: 8,
      ask: {
        is: 'record-pass',
        shipment: shipment(1, 0.5),
        published: { head: HEAD, point: PUSHED.point, point_ref: PUSHED.point_ref },
        used: { costUsd: 0.5, tokens: 0 },
      },
    },
  ]);
});

test.each<[string, readonly (LoopNews & { readonly at?: number })[], readonly string[]]>([
  ['a cancel in a pass', [...IN_PASS, { is: 'fenced' }], ['abort-git', 'tell-child', 'wait']],
  [
    'no room for the pass',
    [
      ...STARTED,
      said(settle('taken', 0)),
      answered(2, { is: 'begun', shipped: { is: 'refused' }, events: [] }),
    ],
    ['abort-git', 'tell-child', 'wait'],
  ],
  ['the child is gone after a cancel', [...IN_PASS, { is: 'fenced' }, EXITED], ['end-lost-pass', 'end']],
  [
    'the child is gone after a drain',
    [...STARTED, { is: 'drain', when: 'end-of-pass' }, EXITED],
    ['ask release'],
  ],
  ['a drain in a pass', [...IN_PASS, { is: 'drain', when: 'end-of-pass' }], []],
  [
    'a drain before a pass',
    [...STARTED, { is: 'drain', when: 'end-of-pass' }],
    ['abort-git', 'tell-child', 'wait'],
  ],
  ['a child that does not stop', [...IN_PASS, { is: 'fenced' }, { is: 'waited', n: 3 }], ['kill-child']],
  ['a child that dies', [...IN_PASS, EXITED], ['abort-git', 'ask release']],
  ['a child that dies while its pass is recorded', [...RECORDING, EXITED], []],
  [
    'a record that is away',
    [...RECORDING.slice(0, 5), { is: 'failed', n: 3, ask: { is: 'holds-lease' }, failure: AWAY }],
    ['wait'],
  ],
  [
    'a drain while the record is away, after a pass that has ended',
    [
      ...RECORDING.slice(0, 5),
      { is: 'drain', when: 'end-of-pass' },
      { is: 'look', at: LEASE_MS },
      { is: 'look', at: LEASE_MS },
    ],
    [],
  ],
  ['the answer to an earlier question', [...IN_PASS, answered(1, LOADED)], []],
  [
    'a lease that another has',
    [...IN_PASS, said(settle('recorded', 1)), answered(3, { is: 'lease', isHeld: false })],
    ['abort-git', 'tell-child', 'wait'],
  ],
  [
    'a push that failed',
    [...RECORDING.slice(0, 6), { is: 'git', n: 4, result: { is: 'git-failed', why: 'no' } }],
    ['wait'],
  ],
])('%s', (_, news, expected) => {
  expect(kinds(play(...news).effects)).toEqual(expected);
});

test('a pass that has ended is recorded before its loop is released, whatever happens meanwhile', () => {
  for (const meanwhile of [EXITED, { is: 'drain', when: 'at-once' } as const]) {
    const { state, effects } = play(
      ...RECORDING,
      meanwhile,
      answered(8, { is: 'recorded', shipped: OURS, events: shipment(1).events }),
    );
    expect(kinds(effects).slice(0, 2)).toEqual(['notify', 'abort-git']);
    expect(['stopping', 'releasing']).toContain(state.phase.is);
  }
});

test('a loop that has ended is released by its child, also where its worker drains', () => {
  const last = { ...settle('recorded', 1), shipment: shipment(1, 0, 'completed') };
  const recording = RECORDING.map((one) => (one === RECORDING[4] ? said(last) : one));
  const answer = answered(8, { is: 'recorded', shipped: OURS, events: shipment(1).events });
  const drained = play(...recording, { is: 'drain', when: 'at-once' }, answer);
  expect(kinds(drained.effects)).toEqual(['notify', 'tell-child']);
  const drainedAfter = play(...recording, answer, { is: 'drain', when: 'end-of-pass' });
  expect(kinds(drainedAfter.effects)).toEqual([]);
  // A child that is gone can't: the record keeps others from taking it.
  const gone = play(...recording, EXITED, answer);
  expect(kinds(gone.effects)).toContain('ask release');
});

test('what the record has taken is told to people, also after the loop was given up', () => {
  const { effects } = play(
    ...RECORDING,
    { is: 'fenced' },
    answered(8, { is: 'recorded', shipped: OURS, events: shipment(1).events }),
  );
  expect(effects).toEqual([{ is: 'notify', events: shipment(1).events }]);
});

test('a lease that may be over ends a pass that does not stand still, and no other', () => {
  const late = { is: 'look', at: LEASE_MS - 4_000 + 1_401 } as const;
  const early = { ...late, at: late.at - 1 };
  expect(kinds(play(...IN_PASS, early, early).effects)).toEqual([]);
  expect(kinds(play(...IN_PASS, late, late).effects)).toEqual(['abort-git', 'tell-child', 'wait']);
  expect(kinds(play(...IN_PASS, said({ is: 'stands' }), late, late).effects)).toEqual([]);
  // What was said while this process was frozen is heard between the two.
  expect(kinds(play(...IN_PASS, late, said({ is: 'stands' }), late).effects)).toEqual([]);
  const renewed = [said({ is: 'stands' }), { is: 'renewed', sentAt: 3_000 } as const];
  expect(play(...IN_PASS, ...renewed).state).toMatchObject({
    isStanding: false,
    lease: { renewedAt: 3_000 },
  });
  expect(kinds(play(...IN_PASS, ...renewed, late, late).effects)).toEqual([]);
});

test('who drains waits for the database no longer than a lease', () => {
  const failed: LoopNews = {
    is: 'failed',
    n: 3,
    ask: { is: 'release', shipment: null, how: { until: 'now' } },
    failure: AWAY,
  };
  const leaving: readonly LoopNews[] = [...STARTED, { is: 'drain', when: 'at-once' }, EXITED];
  const ask = play(...leaving);
  expect(ask.effects).toMatchObject([{ is: 'ask', n: ask.state.n }]);
  const now = { ...failed, n: ask.state.n };
  expect(kinds(play(...leaving, { ...now, at: LEASE_MS }).effects)).toEqual(['wait']);
  expect(play(...leaving, { ...now, at: LEASE_MS + 1 }).effects).toEqual([
    { is: 'end', ended: { is: 'lost' } },
  ]);
});

test('the heartbeat says what the pass has used since it began', () => {
  const usage = {
    is: 'usage',
    costUsd: 2.5,
    tokens: 70,
    contextTokens: null,
    contextWindow: null,
    isReckoned: true,
  } as const;
  const begun = [
    ...STARTED,
    said(settle('taken', 0, 2)),
    answered(2, { is: 'begun', shipped: OURS, events: [] }),
  ] as const;
  expect(meterOf(play(...begun).state)).toMatchObject({ costUsd: 0, tokens: 0 });
  const { state } = play(...begun, said({ is: 'tell', event: usage }));
  expect(meterOf(state)).toMatchObject({ costUsd: 0.5, tokens: 70, epoch: 1 });
});

test('in any order of events: one child, no push of a lost loop, each pass recorded once, one end', () => {
  let mostRecorded = 0;
  // Mostly the world goes on well. Now and then something fails, or strikes it.
  const choice = fc.oneof(
    { weight: 12, arbitrary: fc.constant({ is: 'move', which: 0 }) },
    { weight: 3, arbitrary: fc.record({ is: fc.constant('move'), which: fc.nat(12) }) },
    { weight: 2, arbitrary: fc.record({ is: fc.constant('strike'), which: fc.nat(12) }) },
  );
  const choices = fc.array(choice, { maxLength: 80, size: 'max' });
  fc.assert(
    fc.property(choices, (chosen) => {
      const world = new World();
      for (const { is, which } of chosen) {
        const moves = is === 'strike' ? world.strikes() : world.moves();
        moves[which % Math.max(1, moves.length)]?.();
      }
      // From here on everything answers, and the worker is told to leave: the loop leaves it, once.
      world.tell({ is: 'drain', when: 'at-once' });
      for (let k = 0; k < 200 && world.ended === 0; k++) {
        if (world.isStopAsked) world.exit();
        world.moves()[0]?.();
      }
      expect(world.ended).toBe(1);
      // People are told of each pass once, and of none that the record does not have.
      expect(world.notified).toEqual([...new Set(world.notified)]);
      mostRecorded = Math.max(mostRecorded, world.recorded.size);
    }),
    { numRuns: 3_000 },
  );
  // The orders go deep enough to mean something.
  expect(mostRecorded).toBeGreaterThan(1);
});

test('a loop that was taken too often is set aside, and no child is started', () => {
  const takes = Array.from({ length: 6 }, (_, k) => ({ epoch: k + 1, worker: `w${k}`, at: '' }));
  const record = { events: [], files: [], inbox: [], lost: null };
  const begun = stepLoop(initialState(leasedRow({ epoch: 6, takes }), 0, 10_000), { is: 'started', at: 0 });
  const answer = { is: 'loaded', record } as const;
  const { state, effects } = stepLoop(begun.state, { is: 'answered', n: begun.state.n, answer, at: 0 });
  expect(effects).toMatchObject([
    { is: 'ask', ask: { is: 'set-aside', why: expect.stringContaining('w4') } },
  ]);
  expect(state.hasChild).toBe(false);
});
