/** Takes measures: each is a command, run as a check is, and the last number that it prints. */
import { hasReached, sayMeasures, type MeasureReading } from '../core/measures.ts';
import type { Measure } from '../core/record/definition.ts';
import type { CheckProof, GateResult } from '../core/record/verdict.ts';
import { sayOutcome } from '../core/words/seldom.ts';
import { harmless } from '../core/words/sanitize.ts';
import { readEnd } from '../files/read.ts';
import { proveChecks, type CheckBench } from './checks.ts';

/** The last number stands at the end, however much was printed before. */
const READ = 64 * 1024;

export type ToMeasure = Pick<Measure, 'name' | 'command' | 'timeoutMs'>;

/** `isUnstartable`: nobody but a person can change that. */
export type Taken = MeasureReading & { readonly isUnstartable: boolean };

/** Those that an abort kept from starting are missing. */
export async function takeMeasures(measures: readonly ToMeasure[], bench: CheckBench): Promise<Taken[]> {
  const checks = measures.map((measure) => ({ kind: 'check' as const, ...measure }));
  const proofs = await proveChecks(checks, bench);
  return proofs.map((proof) => ({ ...readingOf(proof), isUnstartable: proof.outcome.is === 'unstartable' }));
}

function readingOf({ name: given, outcome, evidence }: CheckProof): MeasureReading {
  const name = given ?? '';
  if (outcome.is !== 'passed' || evidence === null)
    return { name, value: null, why: `its command ${sayOutcome(outcome)}` };
  const value = lastNumber(readEnd(evidence, READ));
  return value === null ? { name, value, why: 'its command printed no number' } : { name, value };
}

/** A number may have a sign, a fraction and commas between thousands. Digits inside a word, as in `x86`, are none. */
const NUMBER = /(?<![\w.])-?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?/g;

export function lastNumber(output: string): number | null {
  const last = harmless(output).match(NUMBER)?.at(-1);
  return last === undefined ? null : Number(last.replaceAll(',', ''));
}

export function measuresSight(measures: readonly Measure[], taken: readonly Taken[]): GateResult {
  const isLost = ({ name, goals }: Measure) =>
    goals.length > 0 && taken.some((one) => one.name === name && one.isUnstartable);
  const says = sayMeasures(measures, taken);
  return {
    gate: 'measures',
    holds: measures.every((measure) => hasReached(measure, taken)),
    says,
    trouble: measures.some(isLost) ? says : null,
  };
}
