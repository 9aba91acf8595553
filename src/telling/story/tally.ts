/** What one loop adds to the statistics: a few figures, however long it ran. Pure. */
import { hasEnded, iterationsInAll, workedMs, type Loop } from '#law/loop.ts';
import { amount, flag, instant, list, orNull, record, text, whole, type Infer } from '#base/shape.ts';
import { groupBy } from '#base/group-by.ts';
import { cleanLine } from './clean.ts';
import { isIteration, type StoryEntry, type StoryIteration } from './story.ts';

const gateTally = record({ gate: text, tested: whole, held: whole, ms: whole });
const modelTally = record({ model: orNull(text), iterations: whole, costUsd: amount, tokens: whole });

/** A shape, because a tally of an ended loop is kept beside its journal. */
export const tally = record({
  status: text,
  startedAt: instant,
  endedAt: orNull(instant),
  iterations: whole,
  claims: whole,
  /** Claims to be done that a gate contradicted. */
  refused: whole,
  workedMs: whole,
  waitedMs: whole,
  costUsd: amount,
  /** The cost is estimated from tokens: the host tells none. */
  estimated: flag,
  tokens: whole,
  gates: list(gateTally),
  models: list(modelTally),
});
export type Tally = Infer<typeof tally>;

const MAX_LABEL_CHARS = 80;
/** A loop whose checks are amended at every stop must not fill the file. */
const MAX_TALLIES_KEPT = 50;

export function tallyOf(loop: Loop, entries: readonly StoryEntry[], now: string): Tally {
  const judged = entries.filter(isIteration).filter(({ verdict }) => verdict !== null && !verdict.isVoid);
  const claimed = judged.filter(({ claim }) => claim === 'done' || claim === 'item');
  const endedAt = hasEnded(loop) ? loop.updatedAt : null;
  const worked = workedMs(loop, now);
  return {
    status: loop.status.is,
    startedAt: loop.startedAt,
    endedAt,
    iterations: iterationsInAll(loop),
    claims: claimed.length,
    refused: claimed.filter(wasRefused).length,
    workedMs: Math.round(worked),
    waitedMs: Math.max(0, Math.round(Date.parse(endedAt ?? now) - Date.parse(loop.startedAt) - worked)),
    costUsd: loop.spent.costUsd,
    estimated: loop.spent.estimated === true,
    tokens: loop.spent.tokens,
    gates: gatesOf(judged),
    models: modelsOf(judged),
  };
}

function wasRefused({ claim, verdict, checks }: StoryIteration): boolean {
  if (claim === 'item') return checks.some(({ holds }) => holds !== true);
  return verdict?.is !== 'complete' && (verdict?.reasons.length ?? 0) > 0;
}

function gatesOf(judged: readonly StoryIteration[]): Tally['gates'] {
  const tested = judged.flatMap(({ checks, gateResults }) => [
    ...checks.map(({ name, command, holds, ms }) => ({
      gate: cleanLine(name ?? command, MAX_LABEL_CHARS),
      holds,
      ms,
    })),
    ...gateResults.map(({ gate, holds }) => ({ gate, holds, ms: 0 })),
  ]);
  const known = tested.filter(({ holds }) => holds !== null);
  return [...groupBy(known, ({ gate }) => gate)].slice(0, MAX_TALLIES_KEPT).map(([gate, ones]) => ({
    gate,
    tested: ones.length,
    held: ones.filter(({ holds }) => holds).length,
    ms: sum(ones, 'ms'),
  }));
}

function modelsOf(judged: readonly StoryIteration[]): Tally['models'] {
  return [...groupBy(judged, ({ model }) => model)].slice(0, MAX_TALLIES_KEPT).map(([model, ones]) => {
    const used = ones.flatMap((one) => one.used ?? []);
    const iterations = ones.filter(({ iteration }) => iteration !== null).length;
    return { model, iterations, costUsd: sum(used, 'costUsd'), tokens: sum(used, 'tokens') };
  });
}

export function sum<K extends string>(ones: readonly Readonly<Record<K, number>>[], key: K): number {
  return ones.reduce((all, one) => all + one[key], 0);
}
