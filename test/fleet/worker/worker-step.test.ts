/** What a worker does with its places, without a database or a process. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  ENDLESS_SHIFT,
  initialWorker,
  type Shift,
  type WorkerEffect,
  type WorkerNews,
  type WorkerState,
} from '#fleet/worker/worker-state.ts';
import { stepWorker } from '#fleet/worker/worker-step.ts';
import { leasedRow } from './leased-row.ts';

const CAPACITY = 2;
const LEASE_MS = 3_000;
const NOBODY = { asked: new Map(), mine: new Set<string>(), isDraining: false };
const loopOf = (id: string, epoch = 1) => leasedRow({ id, epoch });

type Timed = WorkerNews & { readonly at?: number };

function play(...news: readonly Timed[]) {
  return playShift(ENDLESS_SHIFT, ...news);
}

function playShift(shift: Shift, ...news: readonly Timed[]) {
  let state = initialWorker({ capacity: CAPACITY, shift, leaseMs: LEASE_MS }, 0);
  let effects: readonly WorkerEffect[] = [];
  for (const one of news) ({ state, effects } = stepWorker(state, { at: 0, ...one }));
  return { state, effects };
}

const TIDY: readonly WorkerNews[] = [{ is: 'tick' }, { is: 'tidied' }];
const leased = (id: string, epoch = 1): WorkerNews => ({ is: 'leased', sentAt: 0, loop: loopOf(id, epoch) });
const beaten = (asked: Record<string, number>, ...mine: string[]): WorkerNews => ({
  is: 'beat',
  sentAt: 0,
  answer: { asked: new Map(Object.entries(asked)), mine: new Set(mine), isDraining: false },
});

test('it shows that it lives, and looks for work until its places are taken', () => {
  expect(play({ is: 'tick' }).effects).toEqual([{ is: 'beat', sentAt: 0 }, { is: 'tidy' }]);
  expect(play(...TIDY).effects).toEqual([{ is: 'lease', sentAt: 0 }]);
  const first = play(...TIDY, leased('a'));
  expect(first.effects.map(({ is }) => is)).toEqual(['report', 'start-loop', 'lease']);
  expect(play(...TIDY, leased('a'), leased('b')).effects.map(({ is }) => is)).toEqual([
    'report',
    'start-loop',
  ]);
});

test('without work it looks again after a second, or when it hears of some', () => {
  const none = { is: 'leased', sentAt: 0, loop: null } as const;
  const idle = [...TIDY, { is: 'beat', sentAt: 0, answer: NOBODY }, none] as const;
  const kinds = (...more: readonly (WorkerNews & { readonly at?: number })[]) =>
    play(...idle, ...more).effects.map(({ is }) => is);
  expect(kinds({ is: 'tick', at: 999 })).toEqual([]);
  expect(kinds({ is: 'tick', at: 1_000 })).toEqual(['beat', 'lease']);
  expect(kinds({ is: 'loop-ready', at: 100 })).toEqual(['wake']);
  // Whatever is said, a heartbeat is due once a second.
  expect(kinds({ is: 'loop-ready', at: 100 }, { is: 'tick', at: 120 })).toEqual(['lease']);
});

test('a heartbeat renews the leases that it finds, and the others are lost', () => {
  const { effects } = play(...TIDY, leased('a'), leased('b'), beaten({ a: 1, b: 1, c: 1 }, 'a'));
  expect(effects).toEqual([
    { is: 'tell-loop', loop: 'a', news: { is: 'renewed', sentAt: 0 } },
    { is: 'tell-loop', loop: 'b', news: { is: 'fenced' } },
  ]);
});

test('a heartbeat from before a loop was leased again says nothing of it', () => {
  const again = [
    ...TIDY,
    leased('a'),
    { is: 'loop-ended', loop: 'a', epoch: 1, how: { is: 'lost' } },
  ] as const;
  expect(play(...again, leased('a', 3), beaten({ a: 1 })).effects).toEqual([]);
});

test('a loop that comes back while its last pass ends here waits for the tree', () => {
  const waiting = play(...TIDY, leased('a'), leased('a', 3));
  expect(waiting.effects).toEqual([]);
  const ended = { is: 'loop-ended', loop: 'a', epoch: 1, how: { is: 'lost' } } as const;
  const { effects, state } = play(...TIDY, leased('a'), leased('a', 3), ended);
  expect(effects.map(({ is }) => is)).toEqual(['report', 'report', 'start-loop', 'lease']);
  expect(state.loops).toEqual(new Map([['a', 3]]));
});

test('after an outage the others renew their leases first', () => {
  const away = { is: 'database-away', from: 'beat', why: 'down' } as const;
  const idle = [...TIDY, { is: 'leased', sentAt: 0, loop: null }, away] as const;
  expect(play(...idle).effects).toEqual([
    { is: 'report', event: { is: 'waits', for: 'database', why: 'down' } },
  ]);
  const back = { is: 'beat', sentAt: 5_000, answer: NOBODY, at: 5_000 } as const;
  const asks = (at: number) =>
    play(
      ...idle,
      { is: 'tick', at: 5_000 },
      back,
      { is: 'loop-ready', at: at - 30 },
      { is: 'tick', at },
    ).effects.filter(({ is }) => is === 'lease').length;
  expect(asks(11_999)).toBe(0);
  expect(asks(12_000)).toBe(1);
});

test('words are answered by one heartbeat, however many they are', () => {
  const words = Array.from(
    { length: 10 },
    (_, at) => ({ is: 'loop-fenced', loop: 'a', at: 500 + at }) as const,
  );
  const begun = [...TIDY, leased('a'), leased('b'), beaten({ a: 1, b: 1 }, 'a', 'b')] as const;
  let state: WorkerState = play(...begun).state;
  const effects: WorkerEffect[] = [];
  for (const word of words) {
    const stepped = stepWorker(state, word);
    state = stepped.state;
    effects.push(...stepped.effects.filter(({ is }) => is === 'beat'));
    state = stepWorker(state, { ...beaten({ a: 1, b: 1 }, 'a', 'b'), at: word.at }).state;
  }
  expect(effects).toHaveLength(1);
  expect(play(...begun, { is: 'loop-fenced', loop: 'elsewhere', at: 500 }).effects).toEqual([]);
});

const BEATEN: Timed = { is: 'beat', sentAt: 0, answer: NOBODY };
const NOTHING: Timed = { is: 'leased', sentAt: 0, loop: null };
const kindsOf = ({ effects }: { readonly effects: readonly WorkerEffect[] }) => effects.map(({ is }) => is);
const endOf = (loop: string): WorkerNews => ({
  is: 'loop-ended',
  loop,
  epoch: 1,
  how: { is: 'let-go', until: null },
});

test('for one loop: it takes one, takes no other, and leaves when that one has ended here', () => {
  const once = { ...ENDLESS_SHIFT, maxLoops: 1, idleMs: 0 };
  const begun = [...TIDY, BEATEN, leased('a')] as const;
  expect(kindsOf(playShift(once, ...begun))).toEqual(['report', 'start-loop']);
  expect(kindsOf(playShift(once, ...begun, { is: 'loop-ready', at: 50 }, { is: 'tick', at: 500 }))).toEqual([
    'tell-loop',
  ]);
  expect(kindsOf(playShift(once, ...begun, endOf('a')))).toEqual(['report', 'wake', 'leave']);
});

test('for one loop: where there is none to take, it leaves at once, or after as long as it may wait', () => {
  const once = { ...ENDLESS_SHIFT, maxLoops: 1, idleMs: 0 };
  expect(kindsOf(playShift(once, ...TIDY, BEATEN, NOTHING))).toEqual(['leave']);
  const waits = { ...once, idleMs: 60_000 };
  const idle = [...TIDY, BEATEN, NOTHING] as const;
  expect(kindsOf(playShift(waits, ...idle))).toEqual([]);
  expect(kindsOf(playShift(waits, ...idle, { is: 'tick', at: 60_000 }, { ...BEATEN, at: 60_000 }))).toEqual(
    [],
  );
  const late = [
    { is: 'tick', at: 60_000 },
    { ...BEATEN, at: 60_000 },
    { ...NOTHING, at: 60_000 },
  ] as const;
  expect(kindsOf(playShift(waits, ...idle, ...late))).toEqual(['leave']);
});

test('until idle: the time counts from the end of its last loop', () => {
  const shift = { ...ENDLESS_SHIFT, idleMs: 5_000 };
  const worked = [
    ...TIDY,
    BEATEN,
    leased('a'),
    leased('b'),
    endOf('a'),
    { ...endOf('b'), at: 9_000 },
  ] as const;
  expect(kindsOf(playShift(shift, ...worked, { ...NOTHING, at: 13_999 }))).not.toContain('leave');
  expect(
    kindsOf(playShift(shift, ...worked, { ...BEATEN, at: 14_000 }, { ...NOTHING, at: 14_000 })),
  ).not.toContain('lease');
});

test('after its time it hands its loops over, and takes nothing new', () => {
  const shift = { ...ENDLESS_SHIFT, maxMs: 7_200_000 };
  const begun = [...TIDY, BEATEN, leased('a'), NOTHING] as const;
  const over = playShift(shift, ...begun, { is: 'tick', at: 7_200_000 });
  expect(over.effects).toContainEqual({
    is: 'tell-loop',
    loop: 'a',
    news: { is: 'drain', when: 'end-of-pass' },
  });
  expect(kindsOf(over)).not.toContain('lease');
  expect(kindsOf(playShift(shift, ...begun, { is: 'tick', at: 7_199_999 }))).not.toContain('report');
});

test('told to leave while the database is away, it leaves when its heartbeat has failed', () => {
  const none = { is: 'leased', sentAt: 0, loop: null } as const;
  const away = { is: 'database-away', from: 'beat', why: 'away', at: 5_000 } as const;
  const { effects } = play(...TIDY, none, { is: 'drain', when: 'end-of-pass', at: 1 }, away);
  expect(effects.map(({ is }) => is)).toEqual(['report', 'leave']);
});

test('with a known grace, what has not ended in time is handed over before the machine is killed', () => {
  const shift = { ...ENDLESS_SHIFT, graceMs: 25_000 };
  const told = [
    ...TIDY,
    BEATEN,
    leased('a'),
    NOTHING,
    { is: 'drain', when: 'end-of-pass', at: 1_000 },
  ] as const;
  const atOnce = { is: 'tell-loop', loop: 'a', news: { is: 'drain', when: 'at-once' } };
  expect(playShift(shift, ...told, { is: 'tick', at: 20_999 }).effects).not.toContainEqual(atOnce);
  expect(playShift(shift, ...told, { is: 'tick', at: 21_000 }).effects).toContainEqual(atOnce);
  expect(play(...told, { is: 'tick', at: 3_600_000 }).effects).not.toContainEqual(atOnce);
});

test('in any order of events: places hold, no loop is started twice, and it leaves with empty hands', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(9), fc.nat(3)), { maxLength: 120, size: 'max' }), (chosen) => {
      let state = initialWorker({ capacity: CAPACITY, shift: ENDLESS_SHIFT, leaseMs: LEASE_MS }, 0);
      let [at, epoch, left] = [0, 0, 0];
      let [isLeasing, isBeating, isDraining, isTidying, isAway] = [false, false, false, false, false];
      const here = new Map<string, number>();
      const tell = (news: WorkerNews): void => {
        const stepped = stepWorker(state, { ...news, at });
        state = stepped.state;
        for (const effect of stepped.effects) perform(effect);
      };
      const perform = (effect: WorkerEffect): void => {
        assert.equal(left, 0);
        if (effect.is === 'lease') {
          assert(!isLeasing && !isDraining && !isAway, 'a lease that nobody may ask for');
          assert(here.size < CAPACITY);
          isLeasing = true;
        }
        if (effect.is === 'beat') {
          assert(!isBeating, 'two heartbeats at once');
          isBeating = true;
        }
        if (effect.is === 'tidy') isTidying = true;
        if (effect.is === 'start-loop') {
          assert(!here.has(effect.loop.id), 'a loop that is here twice');
          here.set(effect.loop.id, effect.loop.epoch);
          assert(here.size <= CAPACITY);
        }
        if (effect.is === 'leave') {
          assert.deepEqual([here.size, isLeasing, isBeating], [0, false, false]);
          left++;
        }
      };
      const lease = (id: string | null) => {
        if (!isLeasing) return;
        isLeasing = false;
        tell({ is: 'leased', sentAt: at, loop: id === null ? null : loopOf(id, ++epoch) });
      };
      const endLoop = (id: string | undefined) => {
        const of = id === undefined ? undefined : here.get(id);
        if (id === undefined || of === undefined) return;
        here.delete(id);
        tell({ is: 'loop-ended', loop: id, epoch: of, how: { is: 'lost' } });
      };
      const beat = () => {
        if (!isBeating) return;
        [isBeating, isAway] = [false, false];
        tell({ is: 'beat', sentAt: at, answer: { asked: here, mine: new Set(here.keys()), isDraining } });
      };
      const tidied = () => {
        if (!isTidying) return;
        isTidying = false;
        tell({ is: 'tidied' });
      };
      const fail = () => {
        if (!isBeating) return;
        [isBeating, isAway] = [false, true];
        tell({ is: 'database-away', from: 'beat', why: 'down' });
      };
      const moves: ((which: number) => void)[] = [
        () => tell({ is: 'tick' }),
        () => (at += 400),
        (which) => lease(which === 0 ? null : `loop${which}`),
        (which) => endLoop([...here.keys()][which]),
        beat,
        tidied,
        fail,
        () => tell({ is: 'loop-ready' }),
        (which) => tell({ is: 'loop-fenced', loop: `loop${which}` }),
        (which) => {
          if (which > 0) return;
          isDraining = true;
          tell({ is: 'drain', when: 'end-of-pass' });
        },
      ];
      for (const [move, which] of chosen) moves[move]?.(which);
      expect(state.loops).toEqual(here);
      // Told to leave, it leaves as soon as its loops have ended.
      isDraining = true;
      tell({ is: 'drain', when: 'at-once' });
      for (let k = 0; k < 10; k++) {
        lease(null);
        tidied();
        for (const id of here.keys()) endLoop(id);
        beat();
      }
      expect(left).toBe(1);
    }),
    { numRuns: 2_000 },
  );
});
