/**
 * Runs the commands of a stop: its checks, twice if something touched the files they rest on, and its
 * measures.
 */
import { reviewsOf } from '#law/gates.ts';
import type { GateResult } from '#law/record/verdict.ts';
import { sayCheck } from '#law/words/phrases.ts';
import { proveChecks, type CheckRun } from '#evidence/proofs/checks.ts';
import { proveInRoom } from '#evidence/proofs/ground/look.ts';
import { openHeldOut } from '#evidence/proofs/held-out.ts';
import { measuresResult, takeMeasures, type TakenMeasure } from '#evidence/proofs/measures.ts';
import { proveUntouched, type Checked } from '#evidence/proofs/untouched.ts';
import { evidenceFile } from '#store/evidence.ts';
import { readLate } from './late-room.ts';
import { changedMeanwhile } from './look-around.ts';
import { AFTER_CHECKS_MS, FOR_REVIEW_MS, leftMs, type ProofTaking } from './taking.ts';

export async function runChecks(taking: ProofTaking): Promise<Checked> {
  const { hearing, loop, checks, seen } = taking;
  const { open, runtime } = hearing;
  const { session, ground } = loop;
  const late = session.awaits === null ? null : await readLate(open, runtime);
  const run = async () => {
    if (late !== null) return late;
    const checkRun = () => checkRunFor(taking, 'check');
    return ground?.clean && checks.length > 0
      ? proveInRoom({ open, runtime, checks, checkRun })
      : proveChecks(checks, checkRun());
  };
  return proveUntouched(run, () => changedMeanwhile(open, seen, runtime), open, runtime);
}

interface Measured {
  readonly taken: readonly TakenMeasure[];
  readonly gateResults: readonly GateResult[];
}

export async function runMeasures(taking: ProofTaking): Promise<Measured> {
  const { measures = [] } = taking.loop.frame;
  const taken = await takeMeasures(measures, checkRunFor(taking, 'measure'));
  return { taken, gateResults: measures.length === 0 ? [] : [measuresResult(measures, taken)] };
}

/** `room`: the checks once more, in a clean copy of the work tree. */
type CommandRun = 'check' | 'measure' | 'room';

/** `holds`: what the room holds, in words. */
export function checkRunFor(
  { hearing, loop, signal, progress }: ProofTaking,
  as: CommandRun,
  holds = '',
): CheckRun {
  const { open, n, runtime } = hearing;
  const { parallel, timeoutMs } = loop.limits.checking;
  const reserved = reviewsOf(loop.frame).length === 0 ? AFTER_CHECKS_MS : FOR_REVIEW_MS;
  return {
    cwd: loop.project,
    heldOut: openHeldOut(open.blobs),
    runner: runtime.runner,
    parallel,
    budgetMs: Math.min(timeoutMs, leftMs(hearing) - reserved),
    signal,
    evidence: () => evidenceFile(open, `stop-${n}-${as}.txt`),
    begun: (check) => progress.begun(sayRun(check, as, holds), `${as}=${JSON.stringify(check.command)}`),
    ended: (proof, value = null) => {
      const { outcome } = proof;
      const ran = as === 'measure' ? ({ as, value } as const) : ({ as: 'check' } as const);
      progress.ended(sayRun(proof, as, holds), { is: 'ran', ...ran, outcome });
    },
  };
}

/** A second run of the same check needs another name, or nobody knows why it fails after it passed. */
function sayRun(check: Parameters<typeof sayCheck>[0], as: CommandRun, holds: string): string {
  return as === 'room' ? `${sayCheck(check)} in a clean copy ${holds}` : sayCheck(check);
}
