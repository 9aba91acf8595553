/** What the checks of a frame lack. Other gates are judged in `standing.ts`. */
import type { Requirements } from './gates.ts';
import type { Missing } from './record/verdict.ts';
import type { Proofs } from './stop.ts';
import { sayOutcome } from './words/check-outcomes.ts';

export function checksMissing({ checks, claim }: Requirements, proofs: Proofs): Missing[] {
  return checks.flatMap(({ name, command, heldOut }): Missing[] => {
    const outcome = proofs.checks.find((proof) => proof.command === command)?.outcome;
    if (outcome?.is === 'passed') return [];
    if (heldOut && outcome?.is === 'failed')
      return [{ gate: 'check', name, command, outcome: 'fails', heldOut }];
    // Without a promise the checks run at every stop. If they did not, another problem prevented it and has
    // its own line.
    const isLeftOut = outcome === undefined && claim === null;
    const how = isLeftOut ? 'was not run at this stop' : sayOutcome(outcome);
    return [{ gate: 'check', name, command, outcome: how, ...(heldOut && { heldOut }) }];
  });
}
