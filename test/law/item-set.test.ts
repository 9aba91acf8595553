/** What the loops of a set may use together. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shareOf } from '#law/item-set.ts';
import { running } from './given.ts';

test('however loops begin at the same moment, they never get more than the limit together', () => {
  const counts = fc.record({ most: fc.integer({ min: 1, max: 100 }), open: fc.integer({ min: 1, max: 20 }) });
  fc.assert(
    fc.property(counts, fc.array(fc.integer({ min: 1, max: 20 })), ({ most, open }, waves) => {
      const loops = [running({ costUsd: 0 })];
      for (const wave of waves) {
        const share = shareOf('costUsd', most, loops, open) ?? 0;
        for (let n = 0; n < Math.min(wave, open); n++) loops.push(running({ costUsd: share }));
      }
      const all = loops.reduce((sum, { limits }) => sum + (limits.costUsd ?? 0), 0);
      expect(all).toBeLessThanOrEqual(most + 1e-9);
    }),
  );
});

test('without a limit there is no share; of tokens and cents there are no fractions', () => {
  expect(shareOf('costUsd', null, [], 3)).toBeNull();
  expect(shareOf('costUsd', 10, [], 3)).toBe(3.33);
  expect(shareOf('tokens', 10, [], 3)).toBe(3);
});
