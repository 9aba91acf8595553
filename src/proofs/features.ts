/** The gate of a feature list: it holds when every item passes. */
import type { FeaturesProof } from '../core/features.ts';
import type { Sight } from '../core/sights.ts';
import { sayFeatures } from '../text/features.ts';

export function featuresSight(file: string, proof: FeaturesProof): Sight {
  return {
    gate: 'features',
    holds: proof.is === 'read' && proof.facts.next === null,
    says: sayFeatures(file, proof),
    trouble: proof.is === 'unreadable' ? proof.why : null,
  };
}
