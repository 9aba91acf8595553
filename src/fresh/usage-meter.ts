/**
 * Reports the cost and context of a pass while it runs, because a pass may take an hour. The figures come from its
 * messages; the host's own figure replaces them when the pass is over.
 */
import { isCrowded } from '../hearing/answer.ts';
import type { Context } from '../core/record/events.ts';
import type { Loop } from '../core/loop.ts';
import { planOf } from '../core/record/plan.ts';
import { sayContext } from '../text/usage.ts';
import type { StreamEvent, PassRecord } from '../hosts/stream.ts';
import type { RunEventBody } from './run-event.ts';
import { EMPTY_RECORD, recordEvent, usedIn } from './pass/pass-record.ts';

export interface Meter {
  readonly hear: (event: StreamEvent) => RunEventBody[];
}

/** `loop`: as it was when the pass began. */
export function openMeter(loop: Loop): Meter {
  let record: PassRecord = EMPTY_RECORD;
  let window: number | null = null;
  let last = '';
  let hasWarned = false;
  return {
    hear: (event) => {
      const { is } = event.is === 'subagent' ? event.event : event;
      if (!COUNTS.includes(is)) return [];
      if (event.is === 'init') ({ window } = event);
      record = recordEvent(record, event);
      const context =
        record.context === null ? null : { ...record.context, window: record.context.window ?? window };
      const usage = usageOf(loop, record, context);
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

const COUNTS: readonly StreamEvent['is'][] = ['init', 'context', 'usage', 'result'];

function usageOf({ spent }: Loop, record: PassRecord, context: Context | null): RunEventBody {
  const used = usedIn(record);
  return {
    is: 'usage',
    costUsd: spent.costUsd + (used?.costUsd ?? 0),
    tokens: spent.tokens + (used?.tokens ?? 0),
    contextTokens: context?.tokens ?? null,
    contextWindow: context?.window ?? null,
    isReckoned: true,
  };
}

function sayNearlyFull(loop: Loop, context: Context): RunEventBody {
  const { context: kept } = planOf(loop);
  const advice =
    kept.is === 'same' && kept.compactEvery === null ? '; --compact-every N makes it smaller in time' : '';
  return {
    is: 'warning',
    text: `The context is at ${sayContext(context)}: the host will soon compact it, and what is only there is lost${advice}.`,
  };
}
