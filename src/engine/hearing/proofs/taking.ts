/** What every step of taking proofs gets. */
import type { CheckGate } from '#law/gates.ts';
import type { Loop } from '#law/loop.ts';
import type { Proofs, Stop } from '#law/stop.ts';
import type { Hearing } from '../claim.ts';
import type { ProofProgress } from './progress.ts';

export interface ProofTaking {
  readonly hearing: Hearing;
  /** The loop as it was when the taking began. */
  readonly loop: Loop;
  readonly checks: readonly CheckGate[];
  /** What was proven before. */
  readonly seen: Proofs;
  readonly stop: Stop;
  /** Aborted: this process was told to end, or its host is gone. */
  readonly signal: AbortSignal;
  readonly progress: ProofProgress;
}

/** Time reserved after the checks for the stop hooks or a review, and after everything for the verdict. */
export const AFTER_CHECKS_MS = 60_000;
export const FOR_REVIEW_MS = 300_000;
export const AFTER_ALL_MS = 15_000;

/** The time until the host ends this process, counted from its start. Waiting for another stop counts too. */
export function leftMs({ arrival, runtime }: Hearing): number {
  return arrival.from.limits.stopMs - (Date.parse(runtime.now()) - Date.parse(runtime.started));
}
