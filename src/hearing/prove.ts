/** Takes the proofs that a stop wants. A file of its own in the plugin: most stops want none. */
import type { CheckProof } from '../core/events.ts';
import { featuresSight } from '../core/features.ts';
import { featuresOf, movedBaselineOf, topFrame, type CheckGate } from '../core/loop.ts';
import { movedSight } from '../core/moved.ts';
import type { Proofs } from '../core/stop.ts';
import { keepEvidence } from '../journal/evidence.ts';
import { proveChecks } from '../proofs/checks.ts';
import { proveFeatures } from '../proofs/features.ts';
import { hasMoved } from '../proofs/moved.ts';
import type { OpenLoop } from '../journal/store.ts';
import { lookAtProtected } from './slips.ts';
import { whileAlive } from './vigil.ts';
import type { World } from './world.ts';

/** `broken-off`: this process was told to end, or its host is gone; what was begun has been ended too. */
export type Proven =
  | { readonly is: 'proven'; readonly proofs: CheckProof[] }
  | { readonly is: 'broken-off'; readonly why: 'terminated' | 'orphaned' };

export async function prove(
  checks: readonly CheckGate[],
  open: OpenLoop,
  n: number,
  world: World,
): Promise<Proven> {
  const loop = open.loop();
  const vigil = whileAlive(loop.owner?.process ?? null, world.isAlive);
  const proofs = await proveChecks(checks, {
    cwd: loop.project,
    runner: world.runner,
    signal: vigil.signal,
    evidence: () => keepEvidence(open.dir, `stop-${n}-check.txt`, ''),
    begun: (command) => world.log(`loop=${loop.id} stop=${n} check=${JSON.stringify(command)}`),
  });
  vigil.end();
  const why = vigil.why();
  return why === null ? { is: 'proven', proofs } : { is: 'broken-off', why };
}

/** What is seen by reading alone: at every stop, since it costs next to nothing. */
export function lookAtFiles(open: OpenLoop, world: World): Pick<Proofs, 'features' | 'sights'> {
  const loop = open.loop();
  const frame = topFrame(loop);
  const gate = featuresOf(frame);
  const baseline = movedBaselineOf(frame);
  const features = gate === null ? null : proveFeatures(gate.file, loop.project);
  return {
    features,
    sights: [
      ...lookAtProtected(open, world),
      ...(gate === null || features === null ? [] : [featuresSight(gate.file, features)]),
      ...(baseline === null ? [] : [movedSight(baseline, hasMoved(baseline, loop.project))]),
    ],
  };
}

export { nextFeature } from '../core/words-to-agent.ts';
