/** The result of each check before the first pass. A check that failed then and passes later proves work. */
import type { CheckGate } from './gates.ts';
import type { CheckProof } from './record/verdict.ts';

export type Begun = NonNullable<CheckGate['begun']>;

/** Null: unknown, because the check was cut short before its own time limit. */
export function begunOf({ outcome }: CheckProof, { timeoutMs }: Pick<CheckGate, 'timeoutMs'>): Begun | null {
  if (outcome.is === 'passed') return 'passed';
  return outcome.is === 'timed-out' && outcome.afterMs < timeoutMs ? null : 'failed';
}
