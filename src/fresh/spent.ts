/** Sums of what was spent. */
import type { Spent } from '../hosts/stream.ts';

export const NOTHING_SPENT: Spent = {
  costUsd: 0,
  tokens: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
};

export function plus(a: Spent, b: Spent): Spent {
  return {
    costUsd: (a.costUsd ?? 0) + (b.costUsd ?? 0),
    tokens: {
      input: a.tokens.input + b.tokens.input,
      output: a.tokens.output + b.tokens.output,
      cacheRead: a.tokens.cacheRead + b.tokens.cacheRead,
      cacheWrite: a.tokens.cacheWrite + b.tokens.cacheWrite,
    },
  };
}
