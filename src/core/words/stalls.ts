/** Says why the circuit opened. Few stops need it. */
import { few, sayMissing } from './phrases.ts';
import type { Loop } from '../loop.ts';
import type { Facts } from '../standing.ts';

const NAMED = 6;

type Stalled = Pick<Facts, 'stop' | 'proofs' | 'standing' | 'stalls'> & { readonly loop: Loop };

export function sayStalls({ loop, stop, proofs, standing: { missing }, stalls: times }: Stalled): string {
  const { drift = null, best = null } = proofs.trend ?? {};
  if (drift !== null) {
    const how = loop.driver === 'fresh' ? ` (dacapo rollback --best --loop ${loop.id})` : '';
    return `${drift}, the last of several stops without progress${best === null ? '' : `; best after iteration ${best.iteration}${how}`}`;
  }
  const still = stop.toolUsed ? 'nothing changed in the work tree' : 'no tool was called';
  return `the same at ${times} stops in a row, and ${still}: ${few(missing, sayMissing, NAMED).join('; ')}`;
}
