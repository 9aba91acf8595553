/** Says why the circuit opened. Few stops need it. */
import { few, sayMissing } from './phrases.ts';
import type { Stop } from '../stop.ts';
import type { Missing } from '../record/verdict.ts';

const NAMED = 6;

export function sayStalls(stop: Stop, missing: readonly Missing[], times: number): string {
  const still = stop.toolUsed ? 'nothing changed in the work tree' : 'no tool was called';
  return `the same at ${times} stops in a row, and ${still}: ${few(missing, sayMissing, NAMED).join('; ')}`;
}
