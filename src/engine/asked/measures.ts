/**
 * The measures of a loop: those that a person typed and those of the config, what refuses them, and their
 * first values.
 */
import { refuse, type Refusal } from '#base/refusal.ts';
import type { Goal, Measure } from '#law/record/definition.ts';
import type { StartRequest } from '#input/arguments.ts';
import type { Reading } from '#input/values.ts';
import type { TakenMeasure, ToMeasure } from '#evidence/proofs/measures.ts';
import type { Configured } from '#evidence/proofs/stop-hooks/configure.ts';

/** `keep`: never below its first value. `targets`: what else it has to reach. */
export interface AskedMeasure extends ToMeasure {
  readonly keep: boolean;
  readonly targets: readonly Goal[];
}

type MeasuresWanted = Pick<StartRequest, 'measures' | 'keep' | 'targets' | 'require'>;

/**
 * A measure that the person typed replaces the one of that name in the config. Typed goals are added to its
 * goals there.
 */
export function measuresOf(
  { measures, keep, targets }: MeasuresWanted,
  configured: Configured | null,
  timeoutMs: number,
): AskedMeasure[] {
  const typed = measures.map((measure) => ({ ...measure, timeoutMs: null, keep: false, target: null }));
  const found = (configured?.found.measures ?? []).filter(({ name }) =>
    typed.every((one) => one.name !== name),
  );
  return [...typed, ...found].map(({ name, command, timeoutMs: own, keep: kept, target }) => {
    const also = targets.filter((one) => one.name === name).map(({ is, bound }) => ({ is, bound }));
    return {
      name,
      command,
      timeoutMs: own ?? timeoutMs,
      keep: kept || keep.includes(name),
      targets: [...(target === null ? [] : [target]), ...also],
    };
  });
}

/**
 * Whether the config has a gate that shows the task done. Stop hooks may only watch, and so does a measure
 * that is kept.
 */
export function configProves(configured: Configured | null): boolean {
  const { checks = [], measures = [] } = configured?.found ?? {};
  return checks.length > 0 || measures.some(({ target }) => target !== null);
}

export function refuseMeasures(
  { keep, targets, require }: MeasuresWanted,
  measures: readonly AskedMeasure[],
): Refusal | null {
  const known = measures.map(({ name }) => name);
  const unknown = [...keep, ...targets.map(({ name }) => name)].find((name) => !known.includes(name));
  if (unknown !== undefined) return refuseMeasureName(unknown, known);
  return refuseKept(
    require,
    measures.some((measure) => measure.keep),
  );
}

export function refuseKept(require: 'all' | 'any', isKept: boolean): Refusal | null {
  if (require === 'all' || !isKept) return null;
  const why = '--keep needs its measure to hold always, but with --require any one gate is enough.';
  return refuse('bad-measure', why, 'Leave one of the two out.');
}

export function refuseMeasureName(unknown: string, known: readonly string[]): Refusal {
  const there = known.length === 0 ? '' : `There is: ${known.join(', ')}. `;
  const next = `${there}Add one: --measure ${unknown}=CMD.`;
  return refuse('bad-measure', `No measure has the name ${unknown}.`, next);
}

/** `more`: what else the person should know about a measure that can't be taken. */
export function withFirstValues(
  asked: readonly AskedMeasure[],
  taken: readonly TakenMeasure[],
  more: string,
): Reading<readonly Measure[]> {
  const measures: Measure[] = [];
  for (const { keep, targets, ...measure } of asked) {
    const first = taken.find(({ name }) => name === measure.name);
    if (first === undefined || first.value === null) {
      const why = first === undefined ? 'it was stopped before' : first.why;
      return refuse(
        'not-measured',
        `The measure ${measure.name} could not be taken: ${why}.`,
        'Its command has to exit with 0 and print a number; where another exit code is usual, write ' +
          `"CMD || true".${more}`,
      );
    }
    const kept = keep ? [{ is: '>=' as const, bound: first.value }] : [];
    measures.push({ ...measure, begun: first.value, goals: [...kept, ...targets] });
  }
  return { ok: true, value: measures };
}
