/**
 * Tells progress from going in circles and from getting worse. A loop circles when failures come back that an
 * earlier pass had and a later one had not. It gets worse when its measures are further from their goals than
 * they have been, and do not come closer. Either may happen once to a good agent, so one such stop only
 * counts (`circuit.ts`).
 */
import { failures } from './circuit.ts';
import { hash } from '#base/hash.ts';
import { iterationsInAll, type Loop } from './loop.ts';
import { awayFrom, type MeasureReading } from './measures.ts';
import type { Measure } from './record/definition.ts';
import type { CheckProof, Missing, Trend } from './record/verdict.ts';

/** Circles are small. Each failure is in every cache of the loop. */
const MAX_FAILURES_KEPT = 8;

/** What a stop showed. `missing`: what its gates lack. */
interface TrendFacts {
  readonly checks: readonly CheckProof[];
  readonly missing: readonly Missing[];
  readonly taken: readonly MeasureReading[];
}

export function trendAt(loop: Loop, { checks, missing, taken }: TrendFacts): Trend {
  const { id, measures = [] } = loop.frame;
  const before = loop.circuit.trend ?? beginning(measures);
  const iteration = iterationsInAll(loop) + 1;
  const away = awayFrom(measures, taken);
  const least = before.best?.away ?? Infinity;
  const isWorse = away !== null && away > least && away >= (before.away ?? 0);
  const fails = checks.some(({ outcome }) => outcome.is !== 'passed');
  const others = missing.filter(({ gate }) => gate !== 'measures');
  const shown = fails ? hash(JSON.stringify([id, others, failures(checks)])) : null;
  const known = before.seen.find((one) => one.failures === shown);
  // The same failure all along is work that takes several passes. A better value is progress, whatever fails.
  const isBetter = away !== null && away < least;
  const back = known !== undefined && !isBetter && (before.back || shown !== before.failures) ? known : null;
  const says = [
    ...(back === null ? [] : [`the failures of iteration ${back.iteration} are back`]),
    ...(isWorse
      ? [`the measures are further from their goals than after iteration ${before.best?.iteration ?? 0}`]
      : []),
  ];
  // Checks that all pass end whatever failed before: what fails after that is new.
  const seen = fails || checks.length === 0 ? before.seen : [];
  const isNew = shown !== null && known === undefined;
  return {
    iteration,
    seen: isNew ? [...seen, { iteration, failures: shown }].slice(-MAX_FAILURES_KEPT) : seen,
    failures: checks.length === 0 ? before.failures : shown,
    back: back !== null,
    away,
    best: away !== null && away <= least ? { iteration, away } : before.best,
    drift: says.length === 0 ? null : says.join(', and '),
  };
}

/** Before the first pass: point 0, to which `dacapo rollback` can return as well. */
function beginning(measures: readonly Measure[]): Trend {
  const away = awayFrom(
    measures,
    measures.flatMap(({ name, begun }) => (begun === undefined ? [] : [{ name, value: begun }])),
  );
  return { ...UNKNOWN, away, best: away === null ? null : { iteration: 0, away } };
}

const UNKNOWN: Trend = {
  iteration: 0,
  seen: [],
  failures: null,
  back: false,
  away: null,
  best: null,
  drift: null,
};

/** With other measures or goals, no earlier point can be compared. */
export function withoutBest(trend: Trend = UNKNOWN): Trend {
  return { ...trend, away: null, best: null };
}
