/**
 * What a pass uses, told while it is at work: a pass may take an hour, and its money and context are of interest before
 * that. Reckoned from its messages; the host's own figure takes its place when the pass is over.
 */
import { isCrowded } from '../core/context.ts';
import type { Context } from '../core/events.ts';
import type { Loop } from '../core/loop.ts';
import { planOf } from '../core/plan.ts';
import { sayContext } from '../text/usage.ts';
import type { Seen, Told } from '../hosts/stream.ts';
import type { What } from './happening.ts';
import { NOTHING_TOLD, spentBy, tell } from './pass-record.ts';

export interface Meter {
  readonly hear: (seen: Seen) => What[];
}

/** `loop`: as it was when the pass began. */
export function openMeter(loop: Loop): Meter {
  let told: Told = NOTHING_TOLD;
  let window: number | null = null;
  let last = '';
  let hasWarned = false;
  return {
    hear: (seen) => {
      const { is } = seen.is === 'subagent' ? seen.seen : seen;
      if (!COUNTS.includes(is)) return [];
      if (seen.is === 'init') ({ window } = seen);
      told = tell(told, seen);
      const context =
        told.context === null ? null : { ...told.context, window: told.context.window ?? window };
      const usage = usageOf(loop, told, context);
      const figures = JSON.stringify(usage);
      const isNews = is === 'usage' && figures !== last;
      if (isNews) last = figures;
      const warns = isCrowded(context) && !hasWarned;
      if (warns) hasWarned = true;
      return [
        ...(isNews ? [usage] : []),
        ...(warns && context !== null ? [sayNearlyFull(loop, context)] : []),
      ];
    },
  };
}

const COUNTS: readonly Seen['is'][] = ['init', 'context', 'usage', 'result'];

function usageOf({ spent }: Loop, told: Told, context: Context | null): What {
  const used = spentBy(told);
  const tokens = used === null ? 0 : Object.values(used.tokens).reduce((sum, count) => sum + count, 0);
  return {
    is: 'usage',
    costUsd: spent.costUsd + (used?.costUsd ?? 0),
    tokens: spent.tokens + tokens,
    contextTokens: context?.tokens ?? null,
    contextWindow: context?.window ?? null,
    isReckoned: true,
  };
}

function sayNearlyFull(loop: Loop, context: Context): What {
  const { context: kept } = planOf(loop);
  const advice =
    kept.is === 'same' && kept.compactEvery === null ? '; --compact-every N makes it smaller in time' : '';
  return {
    is: 'warning',
    text: `The context is at ${sayContext(context)}: the host will soon compact it, and what stands only there is lost${advice}.`,
  };
}
