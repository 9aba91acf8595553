/**
 * The one read model of a loop: what `dacapo status --json` prints. Lists, cards, the fleet's rows, MCP and
 * the library take their fields from it.
 */
import { framesOf, hasEnded, workedMs, type Frame, type Loop } from '#law/loop.ts';
import { doneOf } from '#law/proof/done.ts';
import { gateStatuses } from './gate-status.ts';
import { asShown, iterationShown, sayStatus } from './person/status.ts';

export type LoopStatus = Readonly<ReturnType<typeof statusOf>>;

export function statusOf(loop: Loop, now: string) {
  const shown = asShown(loop);
  const { frame } = shown;
  const done = doneOf(shown);
  return {
    id: shown.id,
    name: shown.name,
    host: shown.host,
    status: shown.status.is,
    reason: sayStatus(shown),
    /**
     * By what it is done: `check`, `review`, `measure`, `moved`, `list`, `said`, `accepted`. Null: it is not
     * done.
     */
    doneBy: done?.by ?? null,
    /** Whether something other than the agent shows it, on ground that the loop has not changed. */
    proven: done?.proven ?? null,
    /**
     * `unchanged`, `old`: the checks also pass with the tests of the start, or `changed`. Null: no checks, or
     * not known.
     */
    ground: done?.ground ?? null,
    /** The tests and configs behind the checks that have changed. */
    ground_changed: done?.files ?? [],
    /** `check`, `approval`, `limit` …; null: it does not wait. */
    waits_for: 'for' in shown.status ? shown.status.for : null,
    /** At most; null: it does not wait, or nobody knows. */
    waits_until: 'until' in shown.status ? shown.status.until : null,
    /**
     * The open pass; for an ended loop, the last pass that ended. All iterations of a list belong to its
     * items.
     */
    iteration: iterationShown(shown) + (frame.items === null ? 0 : frame.inner.iterations),
    max_iterations: frame.iterations,
    session_id: shown.session.owner?.session ?? null,
    gates: gateStatuses(shown),
    /**
     * The outermost first. The last one is at work, and `iteration`, `max_iterations` and `gates` are its
     * own.
     */
    frames: framesOf(shown).map((one) => frameStatus(one, hasEnded(shown))),
    driver: shown.driver,
    project: shown.project,
    worked_seconds: Math.round(workedMs(shown, now) / 1000),
    /** The total that was counted. In a session the cost is estimated from the tokens. */
    cost_usd: Math.round(shown.spent.costUsd * 1e6) / 1e6,
    max_cost_usd: shown.limits.costUsd,
    tokens: shown.spent.tokens,
    max_tokens: shown.limits.tokens,
    /** Stops in a row that showed the same result while nothing changed. */
    stalls: shown.circuit.times,
    max_stalls: shown.limits.stalls,
    context_tokens: shown.session.context?.tokens ?? null,
    context_window: shown.session.context?.window ?? null,
    started_at: shown.startedAt,
    updated_at: shown.updatedAt,
  };
}

function frameStatus({ mode, passes, iterations, item, inner }: Frame, hasItEnded: boolean) {
  return {
    mode,
    iteration: hasItEnded ? passes : passes + 1,
    max_iterations: iterations,
    item,
    /** Ended frames inside it: the totals by outcome, and the last few. */
    inner,
  };
}
