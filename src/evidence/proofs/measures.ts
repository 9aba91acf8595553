/** Takes measures: each is a command, run as a check is, and the number that it prints. */
import { missedOf, sayMeasures, type MeasureReading } from '#law/measures.ts';
import type { Measure } from '#law/record/definition.ts';
import type { CheckProof, GateResult } from '#law/record/verdict.ts';
import { sayOutcome } from '#law/words/check-outcomes.ts';
import { readEnd } from '#base/files/read.ts';
import { proveChecks, type CheckRun } from './checks.ts';
import { readNumber } from './measure-number.ts';

/** The number stands at the end, however much was printed before. */
const OUTPUT_END_BYTES = 64 * 1024;

export type ToMeasure = Pick<Measure, 'name' | 'command' | 'timeoutMs'>;

/** `isUnstartable`: nobody but a person can change that. */
export type TakenMeasure = MeasureReading & { readonly isUnstartable: boolean };

/** Those that an abort kept from starting are missing. */
export async function takeMeasures(
  measures: readonly ToMeasure[],
  checkRun: CheckRun,
): Promise<TakenMeasure[]> {
  const checks = measures.map((measure) => ({ kind: 'check' as const, ...measure }));
  const errors = new Map<string, string>();
  const proofs = await proveChecks(checks, {
    ...checkRun,
    errors: (command) => {
      const file = checkRun.evidence(command);
      errors.set(command, file);
      return file;
    },
    ended: (proof) => checkRun.ended(proof, readMeasure(proof, errors.get(proof.command)).value),
  });
  return proofs.map((proof) => ({
    ...readMeasure(proof, errors.get(proof.command)),
    isUnstartable: proof.outcome.is === 'unstartable',
  }));
}

/** A warning on stderr has numbers of its own, such as a process id. It counts only where stdout has none. */
function readMeasure({ name: given, outcome, evidence }: CheckProof, errors?: string): MeasureReading {
  const name = given ?? '';
  if (outcome.is !== 'passed' || evidence === null)
    return { name, value: null, why: `its command ${sayOutcome(outcome)}` };
  const read = [evidence, ...(errors === undefined ? [] : [errors])].map((file) =>
    readEnd(file, OUTPUT_END_BYTES),
  );
  const number = read.map(readNumber).find((one) => one !== null);
  return { name, ...(number ?? { value: null, why: 'its command printed no number' }) };
}

export function measuresResult(measures: readonly Measure[], taken: readonly TakenMeasure[]): GateResult {
  const isLost = ({ name, goals }: Measure) =>
    goals.length > 0 && taken.some((one) => one.name === name && one.isUnstartable);
  const says = sayMeasures(measures, taken);
  const missed = missedOf(measures, taken);
  return {
    gate: 'measures',
    holds: missed.length === 0,
    says,
    ...(missed.length > 0 && { lacks: sayMeasures(missed, taken) }),
    trouble: measures.some(isLost) ? says : null,
  };
}
