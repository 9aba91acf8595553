import { beforeEach, describe, expect, test } from 'vitest';
import { watchPass, type After, type PassCut } from '#engine/driver/pass/watches.ts';

let now: number;
let waiting: { at: number; act: () => void }[];
let cuts: PassCut[];

const after: After = (ms, act) => {
  const one = { at: now + ms, act };
  waiting.push(one);
  return () => void (waiting = waiting.filter((other) => other !== one));
};

function pass(ms: number): void {
  for (const end = now + ms; ;) {
    const [next] = waiting.filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at);
    if (next === undefined) return void (now = end);
    now = next.at;
    waiting = waiting.filter((one) => one !== next);
    next.act();
  }
}

function watch(passMs: number | null, silenceMs: number | null, hangMs: number) {
  return watchPass({ passMs, silenceMs, hangMs }, (why) => cuts.push(why), after);
}

beforeEach(() => {
  now = 0;
  waiting = [];
  cuts = [];
});

describe('a pass', () => {
  test('is not silent while nobody listens', () => {
    const { deaf, heard } = watch(null, 100, 10);
    deaf();
    pass(1_000);
    expect(cuts).toEqual([]);
    heard();
    pass(100);
    expect(cuts).toEqual(['silent']);
  });

  test('may be silent for so long', () => {
    const { heard } = watch(null, 100, 10);
    for (let k = 0; k < 5; k++) {
      pass(99);
      heard();
    }
    expect(cuts).toEqual([]);
    pass(100);
    expect(cuts).toEqual(['silent']);
  });

  test('may take so long, however much it says', () => {
    const { heard } = watch(1_000, 100, 10);
    for (let k = 0; k < 30; k++) {
      pass(50);
      heard();
    }
    expect(cuts).toEqual(['timed-out']);
  });

  test('may live on for a moment after its result, and chatter does not prolong it', () => {
    const { heard, settled } = watch(10_000, 1_000, 50);
    settled(true);
    for (let k = 0; k < 10; k++) {
      pass(20);
      heard();
      settled(true);
    }
    expect(cuts).toEqual(['hung']);
  });

  test('goes on where a new turn begins after a result', () => {
    const { settled } = watch(null, null, 50);
    settled(true);
    pass(40);
    settled(false);
    pass(1_000);
    expect(cuts).toEqual([]);
    settled(true);
    pass(50);
    expect(cuts).toEqual(['hung']);
  });

  test('that has ended is not cut, and leaves no timer', () => {
    const { heard, settled, end } = watch(100, 100, 100);
    settled(true);
    end();
    heard();
    settled(true);
    pass(1_000);
    expect([cuts, waiting]).toEqual([[], []]);
  });
});
