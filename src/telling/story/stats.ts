/**
 * Statistics over loops: how often they complete, what that takes, which gates refuse, which models do what.
 * Pure.
 */
import { groupBy } from '#base/group-by.ts';
import { clockTime } from '../time.ts';
import { sum, type Tally } from './tally.ts';

/** `2026-01-31` */
const DATE_CHARS = 10;

export type Stats = Readonly<ReturnType<typeof statsOf>>;
export type Spread = NonNullable<Stats['iterationsToDone']>;

export function statsOf(tallies: readonly Tally[]) {
  const ended = tallies.filter(({ endedAt }) => endedAt !== null);
  const done = tallies.filter(isDone);
  return {
    loops: tallies.length,
    ended: ended.length,
    completed: done.length,
    /** Of the loops that have ended; null: none has. */
    completionRate: ended.length === 0 ? null : done.length / ended.length,
    byStatus: Object.fromEntries(
      [...groupBy(tallies, ({ status }) => status)].map(([is, ones]) => [is, ones.length]),
    ),
    iterations: sum(tallies, 'iterations'),
    iterationsToDone: spreadOf(done.map(({ iterations }) => iterations)),
    claims: sum(tallies, 'claims'),
    claimsRefused: sum(tallies, 'refused'),
    workedMs: sum(tallies, 'workedMs'),
    waitedMs: sum(tallies, 'waitedMs'),
    /** The loops whose use was counted. Cost and tokens are theirs alone. */
    counted: tallies.filter(({ tokens }) => tokens > 0).length,
    costUsd: cents(sum(tallies, 'costUsd')),
    /** Some of it is. */
    estimated: tallies.some(({ estimated }) => estimated),
    tokens: sum(tallies, 'tokens'),
    costUsdToDone: spreadOf(done.map(({ costUsd }) => costUsd).filter((usd) => usd > 0)),
    gates: gatesIn(tallies),
    models: modelsIn(tallies),
    days: daysIn(tallies),
  };
}

function isDone({ status }: Tally): boolean {
  return status === 'completed';
}

/** The most tested first. `ms`: how long all its runs took. */
function gatesIn(tallies: readonly Tally[]) {
  const all = tallies.flatMap(({ gates }) => gates);
  return [...groupBy(all, ({ gate }) => gate)]
    .map(([gate, ones]) => ({
      gate,
      loops: ones.length,
      tested: sum(ones, 'tested'),
      held: sum(ones, 'held'),
      ms: sum(ones, 'ms'),
    }))
    .toSorted((a, b) => b.tested - a.tested);
}

function modelsIn(tallies: readonly Tally[]) {
  const all = tallies.flatMap((one) => one.models.map((model) => ({ ...model, isDone: isDone(one) })));
  return [...groupBy(all, ({ model }) => model)]
    .map(([model, ones]) => ({
      model,
      loops: ones.length,
      completed: ones.filter((one) => one.isDone).length,
      iterations: sum(ones, 'iterations'),
      costUsd: cents(sum(ones, 'costUsd')),
      tokens: sum(ones, 'tokens'),
    }))
    .toSorted((a, b) => b.iterations - a.iterations);
}

/** By the day on which a loop began, the oldest first. Local time. */
function daysIn(tallies: readonly Tally[]) {
  return [...groupBy(tallies, ({ startedAt }) => clockTime(startedAt).slice(0, DATE_CHARS))]
    .map(([day, ones]) => ({
      day,
      loops: ones.length,
      completed: ones.filter(isDone).length,
      iterations: sum(ones, 'iterations'),
      costUsd: cents(sum(ones, 'costUsd')),
    }))
    .toSorted((a, b) => (a.day < b.day ? -1 : 1));
}

function spreadOf(values: readonly number[]) {
  const sorted = values.toSorted((a, b) => a - b);
  const [least, most] = [sorted[0], sorted.at(-1)];
  if (least === undefined || most === undefined) return null;
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? most;
  const lower = sorted.length % 2 === 1 ? upper : (sorted[middle - 1] ?? upper);
  const mean = sorted.reduce((all, one) => all + one, 0) / sorted.length;
  return { least, median: (lower + upper) / 2, mean, most };
}

/** Sums of fractions carry noise in the last digits. */
function cents(usd: number): number {
  return Math.round(usd * 1e6) / 1e6;
}
