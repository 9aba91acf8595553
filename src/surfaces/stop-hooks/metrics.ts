/**
 * A hook's metrics so far, folded from the accounts of its evaluations: the same from memory and from a
 * record.
 */
import type { HookAccount } from './evaluate.ts';

export const NO_METRICS = {
  asked: 0,
  /** They add up to `asked`; a failure counts as an `escalate`, an abstention as a `continue`. */
  verdicts: { complete: 0, continue: 0, escalate: 0 },
  abstained: 0,
  failed: 0,
  timedOut: 0,
  totalMs: 0,
  longestMs: 0,
  /** Verdicts that turned out right or wrong, as far as `confirm` was called. */
  right: 0,
  wrong: 0,
};

export type HookMetrics = Readonly<typeof NO_METRICS>;

export function withAccount(metrics: HookMetrics, account: HookAccount): HookMetrics {
  if (!('result' in account)) return metrics;
  const { is, ms, result } = account;
  return {
    ...metrics,
    asked: metrics.asked + 1,
    verdicts: { ...metrics.verdicts, [result.action]: metrics.verdicts[result.action] + 1 },
    abstained: metrics.abstained + Number(is === 'abstained'),
    failed: metrics.failed + Number(is === 'failed'),
    timedOut: metrics.timedOut + Number(is === 'timed-out'),
    totalMs: metrics.totalMs + ms,
    longestMs: Math.max(metrics.longestMs, ms),
  };
}

export function withConfirmation(metrics: HookMetrics, wasRight: boolean): HookMetrics {
  return {
    ...metrics,
    right: metrics.right + Number(wasRight),
    wrong: metrics.wrong + Number(!wasRight),
  };
}

/** Null until `confirm` has said whether the hook was right. */
export function accuracyOf({ right, wrong }: HookMetrics): number | null {
  return right + wrong === 0 ? null : right / (right + wrong);
}
