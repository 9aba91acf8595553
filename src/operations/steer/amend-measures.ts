/** A person adds measures to a loop that has begun, changes or removes them, or gives them other goals. */
import type { Loop } from '../../core/loop.ts';
import type { Goal, Measure } from '../../core/record/definition.ts';
import { refuse } from '../../core/refusal.ts';
import type { StartOptions } from '../../flags/options.ts';
import type { Reading } from '../../flags/values.ts';
import { takeMeasures } from '../../proofs/measures.ts';
import type { Runtime } from '../../store/runtime.ts';
import { CHECK_MS, refuseMissing } from '../begin/asked-gates.ts';
import { refuseKept, refuseName, withFirstValues } from '../begin/measures.ts';
import { onBench } from '../begin/prepare.ts';

/** `measures`: new ones, or another command for those that there are. Goals replace those that the measure had. */
export interface MeasureChange extends Pick<StartOptions, 'measures' | 'keep' | 'targets'> {
  readonly removeMeasures: readonly string[];
  readonly removeGoals: readonly string[];
}

/** `taken`: the new measures with their first values. Absent: the work tree is not on this machine. */
export interface TakenMeasures {
  readonly taken?: readonly Measure[];
}

const UNAIMED = { timeoutMs: CHECK_MS, added: true, goals: [] };

export function changesMeasures(change: MeasureChange): boolean {
  const { measures, removeMeasures, keep, targets, removeGoals } = change;
  return [measures, removeMeasures, keep, targets, removeGoals].some(({ length }) => length > 0);
}

export async function measureNow(
  measures: StartOptions['measures'],
  { project, limits: { checking } }: Loop,
  runtime: Runtime,
): Promise<Reading<readonly Measure[]>> {
  const commands = measures.map(({ command }) => command);
  const missing = refuseMissing(commands, runtime.env);
  if (missing !== null) return missing;
  const asked = measures.map((measure) => ({ ...measure, ...UNAIMED, keep: false, targets: [] }));
  const bench = { cwd: project, parallel: checking.parallel, budgetMs: checking.timeoutMs };
  const taken = await onBench(bench, runtime, (whole) => takeMeasures(asked, whole));
  return withFirstValues(asked, taken, ' Nothing was changed.');
}

/** The measures of the loop as they will be. One that is removed and given again begins without goals. */
export function measuresAfter(
  { frames: [{ measures: before = [], require }] }: Loop,
  change: MeasureChange & TakenMeasures,
): Reading<readonly Measure[]> {
  const { removeMeasures, keep, targets, removeGoals } = change;
  const given = change.taken ?? change.measures.map((measure): Measure => ({ ...UNAIMED, ...measure }));
  const namesOf = (measures: readonly Measure[]) => measures.map(({ name }) => name);
  const stay = before.filter(({ name }) => !removeMeasures.includes(name));
  const all = [
    ...stay.map((measure): Measure => {
      const other = given.find(({ name }) => name === measure.name);
      return other === undefined ? measure : { ...other, goals: measure.goals };
    }),
    ...given.filter(({ name }) => !namesOf(stay).includes(name)),
  ];
  const aimed = [...keep, ...removeGoals, ...targets.map(({ name }) => name)];
  const unknown =
    removeMeasures.find((name) => !namesOf(before).includes(name)) ??
    aimed.find((name) => !namesOf(all).includes(name));
  if (unknown !== undefined) return refuseName(unknown, namesOf(all));
  const kept = all.filter(({ name }) => keep.includes(name));
  const unseen = kept.find(({ begun }) => begun === undefined);
  if (unseen !== undefined)
    return refuse(
      'bad-measure',
      `The first value of ${unseen.name} is not known, so it can't be kept.`,
      `Give the number: --target "${unseen.name}>=NUMBER".`,
    );
  const goalsOf = ({ name, begun, goals }: Measure): readonly Goal[] => {
    const aims = targets.filter((one) => one.name === name).map(({ is, bound }) => ({ is, bound }));
    if (keep.includes(name) && begun !== undefined) aims.unshift({ is: '>=', bound: begun });
    return aims.length > 0 || removeGoals.includes(name) ? aims : goals;
  };
  const value = all.map((measure) => ({ ...measure, goals: goalsOf(measure) }));
  return refuseKept(require, kept.length > 0) ?? { ok: true, value };
}
