/** Money and tokens: what all frames of a loop have used bounds them all. */
import type { Used } from './events.ts';
import type { Loop } from './loop.ts';
import type { Overrun } from './stop.ts';

export function overBudget({ spent, costUsd, tokens }: Loop, used: Used | null): Overrun | null {
  if (costUsd !== null && spent.costUsd + (used?.costUsd ?? 0) >= costUsd) return { limit: 'cost' };
  if (tokens !== null && spent.tokens + (used?.tokens ?? 0) >= tokens) return { limit: 'tokens' };
  return null;
}
