/** What the child of a worker does about its lease. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { initialDriven, stepDriven, type DrivenNews } from '#fleet/driven/driven-step.ts';
import type { SettledAs, ToChild } from '#fleet/worker/protocol.ts';

type Timed = DrivenNews & { readonly at?: number };
const said = (message: ToChild): DrivenNews => ({ is: 'worker-said', message });
const OURS: SettledAs = { is: 'settled', as: 'ours', mostUsd: null, inbox: [] };
const LOST: SettledAs = { ...OURS, as: 'lost' };

/** The lease is over after a second. */
function play(canFreeze: boolean, ...news: readonly Timed[]) {
  let state = initialDriven(1_000, canFreeze);
  let effects: ReturnType<typeof stepDriven>['effects'] = [];
  for (const one of news) ({ state, effects } = stepDriven(state, { at: 0, ...one }));
  return effects;
}

const BEGINS: DrivenNews = { is: 'drive-begins' };
const ASKED: DrivenNews = { is: 'settle-asked' };
const STOP = said({ is: 'stop' });
const LATE = { is: 'look-again', at: 1_001 } as const;

test.each<[string, readonly Timed[], readonly object[]]>([
  ['nothing while the lease lasts', [{ is: 'look', at: 1_000 }], []],
  ['a second look when it may be over', [{ is: 'look', at: 1_001 }], [{ is: 'look-again' }]],
  ['everything stands still after that', [BEGINS, LATE], [{ is: 'freeze' }, { is: 'tell-standing' }]],
  ['and what has started since', [BEGINS, LATE, LATE], [{ is: 'freeze' }]],
  ['unless the lease was renewed meanwhile', [said({ is: 'lease', until: 3_000 }), LATE], []],
  [
    'a renewal lets it go on',
    [LATE, { ...said({ is: 'lease', until: 3_000 }), at: 1_500 }],
    [{ is: 'thaw' }],
  ],
  ['an old renewal does not', [LATE, { ...said({ is: 'lease', until: 1_200 }), at: 1_500 }], []],
  ['a stop before the driver ends the process', [STOP], [{ is: 'stop-driver' }, { is: 'leave' }]],
  ['a stop ends the pass in order', [BEGINS, STOP], [{ is: 'stop-driver' }]],
  ['and then the process', [BEGINS, STOP, { is: 'drive-ended' }], [{ is: 'leave' }]],
  ['without a stop the driver ends alone', [BEGINS, { is: 'drive-ended' }], []],
  ['the driver is answered once', [BEGINS, ASKED, said(OURS)], [{ is: 'answer-driver', settled: OURS }]],
  ['and not again', [BEGINS, ASKED, said(OURS), said(OURS)], []],
  [
    'a stop answers it too',
    [BEGINS, ASKED, STOP],
    [{ is: 'stop-driver' }, { is: 'answer-driver', settled: LOST }],
  ],
  ['an answer that comes too late waits', [BEGINS, ASKED, { ...said(OURS), at: 1_001 }], []],
  [
    'until the lease is renewed',
    [BEGINS, ASKED, { ...said(OURS), at: 1_001 }, { ...said({ is: 'lease', until: 3_000 }), at: 1_500 }],
    [{ is: 'thaw' }, { is: 'answer-driver', settled: OURS }],
  ],
  [
    'or its loop is lost',
    [BEGINS, ASKED, { ...said(OURS), at: 1_001 }, STOP],
    [{ is: 'stop-driver' }, { is: 'answer-driver', settled: LOST }],
  ],
  ['after a stop nothing is asked', [BEGINS, STOP, ASKED], [{ is: 'answer-driver', settled: LOST }]],
])('%s', (_, news, expected) => {
  expect(play(true, ...news)).toEqual(expected);
});

test('where nothing can be stopped, the process ends instead', () => {
  expect(play(false, BEGINS, LATE)).toEqual([{ is: 'leave' }]);
});

test('in any order: it stands still whenever its lease is over, and each question gets one answer', () => {
  const move = fc.oneof(
    fc.constant<DrivenNews>({ is: 'look-again' }),
    fc.nat(4_000).map((until): DrivenNews => said({ is: 'lease', until })),
    fc.constantFrom<DrivenNews>(ASKED, said(OURS), STOP),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(move, fc.nat(400)), { maxLength: 40 }), (chosen) => {
      let state = stepDriven(initialDriven(1_000, true), { ...BEGINS, at: 0 }).state;
      let [at, frozen, open] = [0, false, 0];
      for (const [news, ms] of chosen) {
        at += ms;
        if (news === ASKED && open > 0) continue;
        if (news === ASKED) open++;
        const stepped = stepDriven(state, { ...news, at });
        state = stepped.state;
        for (const { is } of stepped.effects) {
          if (is === 'freeze') frozen = true;
          if (is === 'thaw') frozen = false;
          if (is === 'answer-driver') open--;
        }
        assert(news.is !== 'look-again' || frozen || at <= state.leaseUntil, 'works without a lease');
        assert(open === 0 || (open === 1 && !state.isStopped), 'a question without one answer');
      }
    }),
  );
});
