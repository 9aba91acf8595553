/** The gate of a feature list: it holds when every item passes. */
import type { FeaturesProof } from '../core/record/definition.ts';
import type { GateResult } from '../core/record/verdict.ts';
import { sayFeatures } from '../text/features.ts';

/**
 * `before`: what the previous stop saw. A broken file that the agent can correct goes back to it once. If the file
 * can't be read at the next stop either, a person has to look.
 */
export function featuresSight(
  file: string,
  proof: FeaturesProof,
  before: FeaturesProof | null = null,
): GateResult {
  const isNews = before?.is !== 'unreadable';
  return {
    gate: 'features',
    holds: proof.is === 'read' && proof.facts.next === null,
    says: sayFeatures(file, proof),
    trouble: proof.is === 'unreadable' && !(proof.broken === true && isNews) ? proof.why : null,
  };
}
