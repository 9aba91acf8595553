/**
 * A set: the items of one list, each with a loop, a branch and a work tree of its own. The journals of its
 * loops name the set and the item, and git knows what is merged. So a set needs no record of its own.
 */
import { hasEnded, type Loop } from './loop.ts';

/**
 * What a new loop may use of a limit that holds for the whole set: one of `shares` equal parts of what is
 * left. A loop that has not ended keeps all that it may use, so the sum never exceeds the limit. Null: no
 * limit.
 */
export function shareOf(
  limit: 'costUsd' | 'tokens',
  most: number | null,
  loops: readonly Loop[],
  shares: number,
): number | null {
  if (most === null) return null;
  const taken = loops.map((loop) => {
    const spent = loop.spent[limit];
    return hasEnded(loop) ? spent : Math.max(spent, loop.limits[limit] ?? 0);
  });
  const left = most - taken.reduce((sum, one) => sum + one, 0);
  const share = Math.max(0, left) / shares;
  return limit === 'tokens' ? Math.floor(share) : Math.floor(share * 100) / 100;
}
