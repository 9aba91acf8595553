import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LONGEST_MS, MAX_ATTEMPTS, mayBeginAt, retryAfter } from '#engine/driver/backoff.ts';

const NOW = '2026-01-05T10:00:00.000Z';
const after = (ms: number) => new Date(Date.parse(NOW) + ms).toISOString();
const transient = { is: 'transient', resetsAt: null } as const;
const msUntil = (until: string | null) => (until === null ? null : Date.parse(until) - Date.parse(NOW));

describe('after a fault', () => {
  it('each wait is twice the one before, half of it by chance', () => {
    expect([1, 2, 3, 4].map((attempt) => msUntil(retryAfter(transient, attempt, NOW, 0)))).toEqual([
      1_000, 2_000, 4_000, 8_000,
    ]);
    expect(msUntil(retryAfter(transient, 3, NOW, 0.5))).toBe(6_000);
  });

  it('no wait is longer than a quarter of an hour, and none is shorter than half of its share', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: MAX_ATTEMPTS - 1 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (n, chance) => {
          const ms = msUntil(retryAfter(transient, n, NOW, chance)) ?? -1;
          expect(ms).toBeGreaterThanOrEqual(Math.min(LONGEST_MS, 2_000 * 2 ** (n - 1)) / 2);
          expect(ms).toBeLessThanOrEqual(LONGEST_MS);
        },
      ),
    );
  });

  it('an outage is not tried for ever', () => {
    expect(retryAfter(transient, MAX_ATTEMPTS, NOW, 0)).toBeNull();
    expect(retryAfter({ is: 'crashed', resetsAt: null }, MAX_ATTEMPTS, NOW, 0)).toBeNull();
  });
});

describe('a usage limit', () => {
  it('is waited for until the reset that the host names, and a moment longer', () => {
    const limit = { is: 'limit', resetsAt: after(3 * 3_600_000) } as const;
    expect(retryAfter(limit, 1, NOW, 0)).toBe(limit.resetsAt);
    expect(msUntil(retryAfter(limit, 40, NOW, 0.5))).toBe(3 * 3_600_000 + 2_500);
  });

  it('without a reset, or with one that is over, is tried again, at last every quarter of an hour, however often', () => {
    const unnamed = { is: 'limit', resetsAt: null } as const;
    expect(msUntil(retryAfter(unnamed, 1, NOW, 0))).toBe(1_000);
    expect(msUntil(retryAfter(unnamed, 1_000, NOW, 0.999_999))).toBeCloseTo(LONGEST_MS, -1);
    expect(msUntil(retryAfter({ is: 'limit', resetsAt: after(-1) }, 2, NOW, 0))).toBe(2_000);
  });
});

describe('with a number of calls per hour', () => {
  const at = (minute: number) =>
    new Date(Date.parse('2026-01-05T10:00:00.000Z') + minute * 60_000).toISOString();

  it('without a limit a pass may always begin', () => {
    expect(mayBeginAt([], 1, at(3))).toBeNull();
  });

  it('with one, the pass waits until the oldest of so many is an hour ago', () => {
    expect(mayBeginAt([at(0), at(10)], 3, at(20))).toBeNull();
    expect(mayBeginAt([at(0), at(10), at(20)], 3, at(30))).toBe(at(60));
    expect(mayBeginAt([at(-70), at(0), at(10), at(20)], 3, at(30))).toBe(at(60));
    expect(mayBeginAt([at(0), at(10), at(20)], 3, at(60))).toBeNull();
  });

  it('passes from before the clock was set back do not count', () => {
    expect(mayBeginAt([at(10_000), at(10_001), at(10_002)], 3, at(0))).toBeNull();
  });
});
