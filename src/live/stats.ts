/** Statistics over loops: how often they complete, what that takes, which gates refuse, which models do what. Pure. */
import { groupBy } from '../core/group-by.ts';
import type { StatusWord } from '../core/loop.ts';
import type { Tally } from './tally.ts';

export interface Stats {
  readonly loops: number;
  readonly ended: number;
  readonly completed: number;
  /** Of the loops that have ended; null: none has. */
  readonly completionRate: number | null;
  readonly byStatus: Readonly<Partial<Record<StatusWord, number>>>;
  readonly iterations: number;
  /** Of the completed loops; null: there is none. */
  readonly iterationsToDone: Spread | null;
  readonly claims: number;
  readonly claimsRefused: number;
  readonly workedMs: number;
  readonly waitedMs: number;
  /** The loops whose use was counted. Cost and tokens are theirs alone. */
  readonly counted: number;
  readonly costUsd: number;
  readonly tokens: number;
  /** Of the completed loops; null: there is none, or no cost was counted. */
  readonly costUsdToDone: Spread | null;
  /** The most tested first. */
  readonly gates: readonly GateStats[];
  /** The most used first. */
  readonly models: readonly ModelStats[];
  /** By the day on which a loop began, the oldest first. Local time. */
  readonly days: readonly DayStats[];
}

export interface Spread {
  readonly least: number;
  readonly median: number;
  readonly mean: number;
  readonly most: number;
}

export interface GateStats {
  readonly gate: string;
  readonly loops: number;
  readonly tested: number;
  readonly held: number;
  /** How long all its runs took. */
  readonly ms: number;
}

export interface ModelStats {
  readonly model: string | null;
  readonly loops: number;
  readonly completed: number;
  readonly iterations: number;
  readonly costUsd: number;
  readonly tokens: number;
}

export interface DayStats {
  /** `2026-01-31` */
  readonly day: string;
  readonly loops: number;
  readonly completed: number;
  readonly iterations: number;
  readonly costUsd: number;
}

export function statsOf(tallies: readonly Tally[]): Stats {
  const ended = tallies.filter(({ endedAt }) => endedAt !== null);
  const done = tallies.filter(isDone);
  return {
    loops: tallies.length,
    ended: ended.length,
    completed: done.length,
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
    counted: tallies.filter(({ tokens }) => tokens > 0).length,
    costUsd: cents(sum(tallies, 'costUsd')),
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

function gatesIn(tallies: readonly Tally[]): GateStats[] {
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

function modelsIn(tallies: readonly Tally[]): ModelStats[] {
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

function daysIn(tallies: readonly Tally[]): DayStats[] {
  return [...groupBy(tallies, ({ startedAt }) => dayOf(startedAt))]
    .map(([day, ones]) => ({
      day,
      loops: ones.length,
      completed: ones.filter(isDone).length,
      iterations: sum(ones, 'iterations'),
      costUsd: cents(sum(ones, 'costUsd')),
    }))
    .toSorted((a, b) => (a.day < b.day ? -1 : 1));
}

function dayOf(at: string): string {
  const date = new Date(at);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

function spreadOf(values: readonly number[]): Spread | null {
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

function sum<K extends string>(ones: readonly Readonly<Record<K, number>>[], key: K): number {
  return ones.reduce((all, one) => all + one[key], 0);
}
