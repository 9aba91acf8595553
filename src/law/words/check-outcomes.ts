/** Words that few stops need: why the circuit opened, and how a proof ended. */
import { duration, few, sayCheck, sayMissing } from './phrases.ts';
import type { Loop } from '../loop.ts';
import type { Facts } from '../stop.ts';
import { oneLine } from '#base/words/sanitize.ts';
import { isMeasured, type ProofOutcome } from '../proof/outcome.ts';
import type { CheckOutcome, CheckProof } from '../record/verdict.ts';

const MAX_MISSING_LISTED = 6;

type Stalled = Pick<Facts, 'stop' | 'proofs' | 'standing' | 'stalls'> & { readonly loop: Loop };

export function sayStalls({ loop, stop, proofs, standing: { missing }, stalls: times }: Stalled): string {
  const { drift = null, best = null } = proofs.trend ?? {};
  if (drift !== null) {
    const how = loop.driver === 'fresh' ? ` (dacapo rollback --best --loop ${loop.id})` : '';
    return (
      `${drift}, the last of several stops without ` +
      `progress${best === null ? '' : `; best after iteration ${best.iteration}${how}`}`
    );
  }
  const still = stop.toolUsed ? 'nothing changed in the work tree' : 'no tool was called';
  const wants = few(missing, sayMissing, MAX_MISSING_LISTED).join('; ');
  return `the same at ${times} stops in a row, and ${still}: ${wants}`;
}

export function sayProof(proof: ProofOutcome): string {
  switch (proof.is) {
    case 'ran':
      return isMeasured(proof) ? 'measured' : sayOutcome(proof.outcome);
    case 'judged':
      return proof.holds ? 'holds' : proof.says;
    case 'broken-off':
      return 'broken off';
  }
}

export function sayOutcome(outcome: CheckOutcome | undefined): string {
  if (outcome === undefined) return 'has not been run yet (it runs when the promise is given)';
  switch (outcome.is) {
    case 'passed':
      return 'passed';
    case 'failed':
      return `failed with exit code ${outcome.exit}`;
    case 'not-yet':
      return 'says "not yet" (exit code 75)';
    case 'killed':
      return `was ended by ${outcome.signal}`;
    case 'timed-out':
      return `did not finish within ${duration(outcome.afterMs)}`;
    case 'unstartable':
      return `could not be run (${oneLine(outcome.error, 200)})`;
  }
}

/** Those of the checks that said "not yet", as a person knows them. */
export function sayNotYet(proofs: readonly CheckProof[]): string {
  const waits = proofs.filter(({ outcome }) => outcome.is === 'not-yet');
  return few(waits, ({ name, command }) => sayCheck({ name: null, command: name ?? command }), 3).join(', ');
}
