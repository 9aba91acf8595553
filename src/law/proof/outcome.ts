/**
 * How one proof ended, as a value. Screens put it into words (`sayProof`), and nobody reads those words
 * again.
 */
import type { CheckOutcome } from '../record/verdict.ts';

export type ProofOutcome =
  /** A command ran. `value`: the number that a measure printed. */
  | {
      readonly is: 'ran';
      readonly as: 'check' | 'measure';
      readonly outcome: CheckOutcome;
      readonly value?: number | null;
    }
  /** Stop hooks or reviewers gave their opinion. */
  | { readonly is: 'judged'; readonly holds: boolean; readonly says: string }
  | { readonly is: 'broken-off' };

export function isMeasured(proof: ProofOutcome): boolean {
  return proof.is === 'ran' && proof.as === 'measure' && proof.outcome.is === 'passed';
}

/** Null: neither, as for a measure and for a check that says "not yet". */
export function hasPassed(proof: ProofOutcome): boolean | null {
  if (proof.is !== 'ran') return proof.is === 'judged' && proof.holds;
  return isMeasured(proof) || proof.outcome.is === 'not-yet' ? null : proof.outcome.is === 'passed';
}

/** Null: it is no measure, or printed no number. */
export function measuredValueOf(proof: ProofOutcome): number | null {
  return proof.is === 'ran' ? (proof.value ?? null) : null;
}

/** The end of what the command printed. */
export function outputTailOf(proof: ProofOutcome): string {
  return proof.is === 'ran' && 'tail' in proof.outcome ? proof.outcome.tail : '';
}
