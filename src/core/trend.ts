/**
 * Tells progress from going in circles and from getting worse. A loop circles when failures come back that an earlier pass
 * had and a later one had not. It gets worse when its measures are further from their goals than they have been, and do not
 * come closer. Either may happen once to a good agent, so one such stop only counts (`circuit.ts`).
 */
import { failures } from './circuit.ts';
import { hash } from './hash.ts';
import { iterationsInAll, topFrame, type Loop } from './loop.ts';
import { awayFrom, type Reading } from './measures.ts';
import type { CheckProof, Missing, Trend } from './record/verdict.ts';

/** Circles are small. Each failure is in every cache of the loop. */
const FAILURES_KEPT = 8;

/** What a stop showed. `missing`: what its gates lack. */
interface Shown {
  readonly checks: readonly CheckProof[];
  readonly missing: readonly Missing[];
  readonly taken: readonly Reading[];
}

export function trendAt(loop: Loop, { checks, missing, taken }: Shown): Trend {
  const { id, measures = [] } = topFrame(loop);
  const before = loop.circuit.trend ?? beginning(measures.map(({ name, begun }) => ({ name, value: begun })));
  const iteration = iterationsInAll(loop) + 1;
  const away = awayFrom(measures, taken);
  const best = before.best?.away ?? Infinity;
  const fails = checks.some(({ outcome }) => outcome.is !== 'passed');
  const others = missing.filter(({ gate }) => gate !== 'measures');
  const shown = fails ? hash(JSON.stringify([id, others, failures(checks)])) : null;
  const known = before.seen.find((one) => one.failures === shown);
  // The same failure all along is work that takes several passes.
  const isBack = known !== undefined && (shown !== before.failures || before.drift !== null);
  const isBetter = away !== null && away < best;
  const isWorse = away !== null && away > best && away >= (before.away ?? 0);
  const says = [
    ...(known !== undefined && isBack && !isBetter
      ? [`the failures of iteration ${known.iteration} are back`]
      : []),
    ...(isWorse
      ? [`the measures are further from their goals than after iteration ${before.best?.iteration ?? 0}`]
      : []),
  ];
  // Checks that all pass end whatever failed before: what fails after that is new.
  const seen = checks.length > 0 && !fails ? [] : before.seen;
  return {
    iteration,
    seen:
      shown === null || known !== undefined
        ? seen
        : [...seen, { iteration, failures: shown }].slice(-FAILURES_KEPT),
    failures: shown,
    away,
    best: away !== null && away <= best ? { iteration, away } : before.best,
    drift: says.length === 0 ? null : says.join(', and '),
  };

  /** Before the first pass: point 0, to which `dacapo rollback` can return as well. */
  function beginning(begun: readonly Reading[]): Trend {
    const first = awayFrom(measures, begun);
    const point = first === null ? null : { iteration: 0, away: first };
    return { iteration: 0, seen: [], failures: null, away: first, best: point, drift: null };
  }
}
