/** Counts what each stop hook of a loop has done, from the loop's journal. */
import type { Event, EventOf } from '#law/record/events.ts';
import { accountOf, wasAsked, type HookRecord } from '#law/proof/stop-hooks.ts';
import type { HookMetrics } from '#surfaces/stop-hooks/metrics.ts';
import { accuracyOf, NO_METRICS, withAccount, withConfirmation } from '#surfaces/stop-hooks/metrics.ts';

export function metricsOf(events: readonly Event[]) {
  const metrics = new Map<string, HookMetrics>();
  for (const event of events) {
    if (event.type !== 'asked') continue;
    const others = otherGatesHeld(events, event.n);
    for (const account of accountOf(event))
      metrics.set(account.hook, counted(metrics.get(account.hook) ?? NO_METRICS, account, others));
  }
  return [...metrics].map(([hook, one]) => ({ hook, ...one, accuracy: accuracyOf(one) }));
}

/**
 * A `complete` is right when all other gates passed at that stop. What a `continue` prevented can't be known.
 */
function counted(metrics: HookMetrics, account: HookRecord, others: boolean | null): HookMetrics {
  if (!wasAsked(account)) return metrics;
  const { hook, is, action, reason, ms } = account;
  const next = withAccount(metrics, { hookId: hook, is, ms, error: null, result: { action, reason } });
  return action === 'complete' && others !== null ? withConfirmation(next, others) : next;
}

function otherGatesHeld(events: readonly Event[], n: number): boolean | null {
  const judged = events.find(
    (event): event is EventOf<'verdict'> => event.type === 'verdict' && event.n === n,
  );
  if (judged === undefined) return null;
  const { verdict } = judged;
  if (verdict.is === 'complete') return true;
  return 'missing' in verdict
    ? verdict.missing.every(({ gate }) => gate === 'hooks' || gate === 'passes')
    : null;
}
