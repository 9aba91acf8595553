/** What reading alone can show. Done at every stop, because it costs next to nothing. */
import { featuresOf, movedBaselineOf } from '#law/gates.ts';
import { type Frame, type Loop } from '#law/loop.ts';
import type { GateResult } from '#law/record/verdict.ts';
import type { Proofs } from '#law/stop.ts';
import { lookAtProtected } from '#evidence/guard/changed.ts';
import { proveFeatures } from '#evidence/lists/file.ts';
import { featuresResult } from '#evidence/proofs/items.ts';
import { hasMoved, movedResult } from '#evidence/proofs/moved.ts';
import { configTrouble } from '#evidence/proofs/stop-hooks/config-trust.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import type { Runtime } from '#store/runtime.ts';

type LookedAround = Pick<Proofs, 'features' | 'gateResults'>;

export function lookAround(open: OpenLoop, runtime: Runtime): LookedAround {
  const loop = open.loop();
  const { features, gateResults } = lookAtFiles(loop, loop.frame);
  const trouble = loop.config === null ? null : configTrouble(loop, runtime.store);
  return {
    features,
    gateResults: [...(trouble === null ? [] : [trouble]), ...lookAtProtected(open, runtime), ...gateResults],
  };
}

export function lookAtFiles({ project, last }: Loop, frame: Frame): LookedAround {
  const gate = featuresOf(frame);
  const before = last?.features ?? gate?.begun ?? null;
  const baseline = movedBaselineOf(frame);
  const features = gate === null ? null : proveFeatures(gate.file, project, before);
  return {
    features,
    gateResults: [
      ...(gate === null || features === null ? [] : [featuresResult(gate.file, features, before)]),
      ...(baseline === null ? [] : [movedResult(baseline, hasMoved(baseline, project))]),
    ],
  };
}

/**
 * Checks run the agent's code, which may change what the proof is based on. Then their results are void.
 * Null: protected files, config and feature list have not changed since before the checks.
 */
export function changedMeanwhile(open: OpenLoop, seen: Proofs, runtime: Runtime): GateResult | null {
  const { protection, config } = open.loop();
  if ((protection.baseline ?? config ?? seen.features) === null) return null;
  const now = lookAround(open, runtime);
  if (restsOn(now) === restsOn(seen)) return null;
  const veto = now.gateResults.find(({ gate }) => gate === 'hooks');
  if (veto !== undefined) return veto;
  const altered = now.gateResults.find(({ gate, holds }) => gate === 'protected' && !holds);
  const what = altered?.says ?? 'The feature list has changed';
  const says = `${what}. It changed while the checks ran, so their results do not count`;
  return { gate: 'protected', holds: false, says, trouble: null };
}

/** Leaves out the moved file: if it moves while the checks run, that is what the loop waited for. */
function restsOn({ features, gateResults }: LookedAround): string {
  return JSON.stringify([features, gateResults.filter(({ gate }) => gate !== 'moved')]);
}
