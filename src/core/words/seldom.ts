/** Words that few stops need: why the circuit opened, and how a check ended. */
import { duration, few, sayMissing } from './phrases.ts';
import type { Stop } from '../stop.ts';
import { oneLine } from './sanitize.ts';
import type { CheckOutcome, Missing } from '../record/verdict.ts';

const NAMED = 6;

export function sayStalls(stop: Stop, missing: readonly Missing[], times: number): string {
  const still = stop.toolUsed ? 'nothing changed in the work tree' : 'no tool was called';
  return `the same at ${times} stops in a row, and ${still}: ${few(missing, sayMissing, NAMED).join('; ')}`;
}

export function sayOutcome(outcome: CheckOutcome | undefined): string {
  if (outcome === undefined) return 'has not been run yet (it runs when the promise is given)';
  switch (outcome.is) {
    case 'passed':
      return 'passed';
    case 'failed':
      return `failed with exit code ${outcome.exit}`;
    case 'killed':
      return `was ended by ${outcome.signal}`;
    case 'timed-out':
      return `did not finish within ${duration(outcome.afterMs)}`;
    case 'unstartable':
      return `could not be run (${oneLine(outcome.error, 200)})`;
  }
}
