/** What the checks said before the first pass: a check that failed then and passes later is news. */
import type { CheckGate } from './gates.ts';
import type { CheckProof } from './record/verdict.ts';

export type Begun = NonNullable<CheckGate['begun']>;

/** Null: it was cut short before its own time was over, so nobody knows. */
export function begunOf({ outcome }: CheckProof, { timeoutMs }: Pick<CheckGate, 'timeoutMs'>): Begun | null {
  if (outcome.is === 'passed') return 'passed';
  return outcome.is === 'timed-out' && outcome.afterMs < timeoutMs ? null : 'failed';
}
