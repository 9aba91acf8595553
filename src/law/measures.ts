/** Measures: numbers that commands print. With goals they are a gate; without, they are only told. */
import type { FrameRecord, Gate, Goal, Measure } from './record/definition.ts';

/** What one measure was at a stop. `why`: it could not be taken, in words. */
export type MeasureReading =
  | { readonly name: string; readonly value: number }
  | { readonly name: string; readonly value: null; readonly why: string };

/** How far a value is from a goal; 0 if it is met. */
function distance(value: number, { is, bound }: Goal): number {
  return Math.max(0, is === '<=' ? value - bound : bound - value);
}

/** The gate of the measures that have goals. It was open if one of them is known to have missed its goals. */
export function measuresGate(measures: readonly Measure[]): Gate[] {
  const aimed = measures.filter(({ goals }) => goals.length > 0);
  const isOpen = aimed.some(({ begun, goals }) => begun !== undefined && !isMet(begun, goals));
  return aimed.length === 0 ? [] : [{ kind: 'measures', begun: isOpen ? 'failed' : 'passed' }];
}

export function isMet(value: number, goals: readonly Goal[]): boolean {
  return goals.every((goal) => distance(value, goal) === 0);
}

/**
 * How far all measures together are from their goals: each as a part of how far it was at the start, so that
 * a count and a percentage weigh the same. Null: there are no goals, or a measure that has one could not be
 * taken.
 */
export function awayFrom(measures: readonly Measure[], taken: readonly MeasureReading[]): number | null {
  const aimed = measures.filter(({ goals }) => goals.length > 0);
  let away = aimed.length === 0 ? null : 0;
  for (const measure of aimed) {
    const value = valueOf(measure, taken);
    for (const goal of measure.goals) {
      const whole = distance(measure.begun ?? goal.bound, goal) || Math.abs(goal.bound) || 1;
      away = away === null || value === null ? null : away + distance(value, goal) / whole;
    }
  }
  return away;
}

function valueOf({ name }: Measure, taken: readonly MeasureReading[]): number | null {
  return taken.find((one) => one.name === name)?.value ?? null;
}

function hasReached(measure: Measure, taken: readonly MeasureReading[]): boolean {
  return measure.goals.length === 0 || isMet(valueOf(measure, taken) ?? Number.NaN, measure.goals);
}

export function missedOf(measures: readonly Measure[], taken: readonly MeasureReading[]): Measure[] {
  return measures.filter((measure) => !hasReached(measure, taken));
}

/** A line of all measures, those that miss a goal first. */
export function sayMeasures(measures: readonly Measure[], taken: readonly MeasureReading[]): string {
  const missed = missedOf(measures, taken);
  const others = measures.filter((measure) => !missed.includes(measure));
  const say = (measure: Measure) =>
    sayMeasure(
      measure,
      taken.find(({ name }) => name === measure.name),
      missed.length > 0 && !missed.includes(measure),
    );
  return [...missed, ...others].map(say).join('; ');
}

/** `isMet`: its goal is met, and that of another measure is not. */
function sayMeasure(
  { name, begun, added, goals }: Measure,
  reading: MeasureReading | undefined,
  isMet: boolean,
): string {
  if (reading === undefined) return `${name} was not measured`;
  if (reading.value === null) return `${name} could not be measured: ${reading.why}`;
  const was = begun === undefined ? [] : [`${begun} ${added ? 'when it was added' : 'at the start'}`];
  const more = [
    ...was,
    ...(goals.length === 0 ? [] : [`goal ${sayGoals(goals)}${isMet ? ', met' : ''}`]),
  ].join(', ');
  return `${name} is ${reading.value}${more && ` (${more})`}`;
}

function sayGoals(goals: readonly Goal[]): string {
  return goals.map(({ is, bound }) => `${is} ${bound}`).join(' and ');
}

/** Each measure with its goals. */
export function sayWanted(measures: readonly Measure[]): string {
  const say = ({ name, goals }: Measure) => [name, sayGoals(goals)].filter(Boolean).join(' ');
  return measures.map(say).join(' and ') || 'none';
}

/** What the gate of the measures asks for; none: it has no goals. */
export function sayGoalsOf({ measures = [] }: Pick<FrameRecord, 'measures'>): string[] {
  const aimed = measures.filter(({ goals }) => goals.length > 0);
  return aimed.length === 0 ? [] : [sayWanted(aimed)];
}
