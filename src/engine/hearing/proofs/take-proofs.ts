/** Takes the proofs that a stop needs, one after the other. Most stops need none of it. */
import { hooksOf, reviewsOf, type CheckGate } from '#law/gates.ts';
import { standingOf } from '#law/standing.ts';
import type { Proofs, Stop } from '#law/stop.ts';
import { trendAt } from '#law/trend.ts';
import { whileAlive } from '#base/process/abort-with-parent.ts';
import { restoreEnvironment } from '#evidence/proofs/environment.ts';
import type { TakenMeasure } from '#evidence/proofs/measures.ts';
import { changedFiles } from '#evidence/proofs/stop-hooks/ask.ts';
import type { Hearing } from '../claim.ts';
import { askHooks } from './ask-hooks.ts';
import { askGround, askReviewers } from './ask-last.ts';
import { AWAITING } from './late-room.ts';
import { changedMeanwhile } from './look-around.ts';
import { openProgress } from './progress.ts';
import { runChecks, runMeasures } from './run-commands.ts';
import type { ProofTaking } from './taking.ts';

/** `broken-off`: this process was told to end, or its host is gone. Everything it had begun was ended too. */
type TakenProofs =
  | { readonly is: 'taken'; readonly proofs: NewProofs }
  | { readonly is: 'broken-off'; readonly why: 'terminated' | 'orphaned' };

type NewProofs = Pick<Proofs, 'checks' | 'gateResults' | 'trend'>;

/** `seen`: what was proven before. */
export async function takeProofs(
  hearing: Hearing,
  checks: readonly CheckGate[],
  seen: Proofs,
  stop: Stop,
): Promise<TakenProofs> {
  const { open, runtime } = hearing;
  const loop = open.loop();
  const frame = loop.frame;
  const commands = [...checks, ...(frame.measures ?? [])];
  if (commands.length + reviewsOf(frame).length === 0 && hooksOf(frame) === null)
    return { is: 'taken', proofs: { checks: [], gateResults: seen.gateResults } };
  restoreEnvironment(open, runtime);
  const watch = whileAlive(loop.session.owner?.process ?? null, runtime);
  const progress = openProgress(hearing);
  try {
    const proofs = await takeInOrder({ hearing, loop, checks, seen, stop, signal: watch.signal, progress });
    const why = watch.why();
    return why === null ? { is: 'taken', proofs } : { is: 'broken-off', why };
  } finally {
    progress.over();
    watch.end();
  }
}

/** The checks run first, because measures may read what they wrote, and the stop hooks see their results. */
async function takeInOrder(taking: ProofTaking): Promise<NewProofs> {
  const { seen, hearing, loop } = taking;
  const { open, runtime } = hearing;
  const frame = loop.frame;
  const files = hooksOf(frame) === null ? null : await changedFiles(open, runtime);
  // By the clock of the files, which these times are compared with.
  const began = Date.now();
  const { proven, doubt, ...checked } = await runChecks(taking);
  const measured = await runMeasures(taking);
  const proofs = { ...seen, checks: proven, gateResults: [...seen.gateResults, ...measured.gateResults] };
  keepMessage(taking, proofs);
  const heard = files === null ? null : await askHooks(taking, proofs, files);
  // The hooks come first, because their veto precedes anything else that could not be proven.
  const gateResults = [heard, doubt, ...proofs.gateResults].filter((gateResult) => gateResult !== null);
  const ground =
    checked.tampering === null ? await askGround(taking, { ...proofs, gateResults }, began) : null;
  if (ground !== null) gateResults.push(ground);
  gateResults.push(...(await askReviewers(taking, { ...proofs, gateResults })));
  const ranMore =
    measured.gateResults.length + reviewsOf(frame).length > 0 || (proven.length > 0 && heard !== null);
  const tampering = checked.tampering ?? (ranMore ? changedMeanwhile(open, seen, runtime) : null);
  if (tampering !== null) return { checks: [], gateResults: [tampering, ...gateResults] };
  return { checks: proven, gateResults, ...trendNow(taking, { ...proofs, gateResults }, measured.taken) };
}

/** A later look may be by another process, and the stop hooks want to see the message then, too. */
function keepMessage({ hearing, loop, stop }: ProofTaking, proofs: Proofs): void {
  if (saysNotYet(proofs) || reviewsOf(loop.frame).length > 0)
    hearing.open.blobs.write(AWAITING, stop.message);
}

function saysNotYet({ checks }: Proofs): boolean {
  return checks.some(({ outcome }) => outcome.is === 'not-yet');
}

/**
 * While background work runs, or a check says "not yet", the pass is not over, and its result may still
 * change.
 */
function trendNow(
  { loop, stop }: ProofTaking,
  proofs: Proofs,
  taken: readonly TakenMeasure[],
): Pick<NewProofs, 'trend'> {
  const { checks } = proofs;
  if (stop.background.length > 0 || saysNotYet(proofs) || checks.length + taken.length === 0) return {};
  return { trend: trendAt(loop, { checks, missing: standingOf(loop.frame, proofs).missing, taken }) };
}
