/**
 * The proofs that cost most, so they come when nothing else is missing: a second run of the checks, and
 * reviewers.
 */
import { checksOf, reviewerOf, reviewsOf } from '#law/gates.ts';
import type { GateResult } from '#law/record/verdict.ts';
import { standingOf } from '#law/standing.ts';
import type { Proofs } from '#law/stop.ts';
import { sayNotBefore, sayReviewer } from '#law/words/phrases.ts';
import { lookAtGround } from '#evidence/proofs/ground/look.ts';
import { hearReviews } from '#evidence/proofs/review.ts';
import { keepLate } from './late-room.ts';
import { checkRunFor } from './run-commands.ts';
import { AFTER_ALL_MS, AFTER_CHECKS_MS, leftMs, type ProofTaking } from './taking.ts';

/**
 * Looks at the ground of the checks when all else holds but a review, which costs a whole agent. `began`:
 * when the checks did.
 */
export async function askGround(
  taking: ProofTaking,
  proofs: Proofs,
  began: number,
): Promise<GateResult | null> {
  const { hearing, loop, stop, signal } = taking;
  const { open, runtime } = hearing;
  if (loop.ground === null || signal.aborted || !holdsBut(taking, proofs)) return null;
  const passed = proofs.checks.filter(({ outcome }) => outcome.is === 'passed');
  const checks = checksOf(loop.frame).filter(({ command }) =>
    passed.some((proof) => proof.command === command),
  );
  const tookMs = passed.reduce((sum, { ms }) => sum + ms, 0);
  const left = () => leftMs(hearing) - AFTER_CHECKS_MS;
  const checkRun = (holds: string) => checkRunFor(taking, 'room', holds);
  const ground = await lookAtGround({ open, runtime, checks, tookMs, began, leftMs: left, checkRun });
  if (ground?.waits) await keepLate(open, { proofs: proofs.checks, message: stop.message }, runtime);
  return ground;
}

/** Each costs a whole agent. */
export async function askReviewers(taking: ProofTaking, proofs: Proofs): Promise<readonly GateResult[]> {
  const { hearing, loop, signal, progress } = taking;
  const { open, n, runtime } = hearing;
  const gates = reviewsOf(loop.frame);
  if (gates.length === 0 || signal.aborted) return [];
  const assumed = assumedReviews(taking);
  if (!holdsBut(taking, proofs)) return assumed.map((result) => ({ ...result, holds: false }));
  // What is claimed now is proven again at the stop.
  if (hearing.isRehearsal) return assumed;
  const name = `review by ${gates.map(sayReviewer).join(' and ')}`;
  progress.begun(name, 'review');
  const terms = { signal, leftMs: leftMs(hearing) - AFTER_ALL_MS };
  const results = await hearReviews({ open, gates, proofs, n }, terms, runtime);
  if (results === null) {
    progress.ended(name, { is: 'broken-off' });
    return [];
  }
  const says = results.map((result) => result.says).join('; ');
  progress.ended(name, { is: 'judged', holds: results.every(({ holds }) => holds), says });
  return results;
}

/** Whether nothing is missing but the reviews. */
function holdsBut(taking: ProofTaking, proofs: Proofs): boolean {
  const gateResults = [...proofs.gateResults, ...assumedReviews(taking)];
  const { done, trouble } = standingOf(taking.loop.frame, { ...proofs, gateResults });
  return done && trouble === null;
}

function assumedReviews({ loop }: ProofTaking): GateResult[] {
  const frame = loop.frame;
  return reviewsOf(frame).map((gate) => {
    const says = `review by ${sayReviewer(gate)} comes when all else holds${sayNotBefore(frame)}`;
    return { gate: 'review', by: reviewerOf(gate), holds: true, says, trouble: null };
  });
}
