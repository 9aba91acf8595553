/** What one loop adds to the statistics: a few figures, however long it ran. Pure. */
import { hasEnded, iterationsInAll, workedMs, type Loop } from '../core/loop.ts';
import { amount, instant, list, orNull, record, text, whole, type Infer } from '../core/shape.ts';
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
  tokens: whole,
  gates: list(gateTally),
  models: list(modelTally),
});
export type Tally = Infer<typeof tally>;

const LABEL = 80;
/** A loop whose checks are amended at every stop must not fill the file. */
const MOST = 50;

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
    tokens: loop.spent.tokens,
    gates: gatesOf(judged),
    models: modelsOf(judged),
  };
}

function wasRefused({ claim, verdict, checks }: StoryIteration): boolean {
  if (claim === 'item') return checks.some(({ is }) => is !== 'passed');
  return verdict?.is !== 'complete' && (verdict?.reasons.length ?? 0) > 0;
}

function gatesOf(judged: readonly StoryIteration[]): Tally['gates'] {
  const gates = new Map<string, { tested: number; held: number; ms: number }>();
  const add = (gate: string, holds: boolean, ms: number): void => {
    const before = gates.get(gate) ?? { tested: 0, held: 0, ms: 0 };
    if (!gates.has(gate) && gates.size === MOST) return;
    gates.set(gate, { tested: before.tested + 1, held: before.held + Number(holds), ms: before.ms + ms });
  };
  for (const { checks, sights } of judged) {
    for (const { name, command, is, ms } of checks)
      if (is !== 'not-yet') add(cleanLine(name ?? command, LABEL), is === 'passed', ms);
    for (const { gate, holds } of sights) add(gate, holds, 0);
  }
  return [...gates].map(([gate, figures]) => ({ gate, ...figures }));
}

function modelsOf(judged: readonly StoryIteration[]): Tally['models'] {
  const models = new Map<string | null, Infer<typeof modelTally>>();
  for (const { model, iteration, used } of judged) {
    const before = models.get(model) ?? { model, iterations: 0, costUsd: 0, tokens: 0 };
    if (!models.has(model) && models.size === MOST) continue;
    models.set(model, {
      model,
      iterations: before.iterations + Number(iteration !== null),
      costUsd: before.costUsd + (used?.costUsd ?? 0),
      tokens: before.tokens + (used?.tokens ?? 0),
    });
  }
  return [...models.values()];
}
