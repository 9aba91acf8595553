/** What a loop has used, as short figures. */
import type { LoopCard } from '../../live/card.ts';
import { clock, count, money, percent } from '../phrases.ts';

export function factsOf(card: LoopCard): string[] {
  const { iteration, iterations, workedMs, waitedMs, costUsd, maxCostUsd, tokens, context, features } = card;
  const cost = maxCostUsd === null ? money(costUsd) : `${money(costUsd)} of ${money(maxCostUsd)}`;
  return [
    iterations === null ? `iteration ${iteration}` : `iteration ${iteration} of ${iterations}`,
    `${clock(workedMs)} at work`,
    ...(waitedMs >= 60_000 ? [`${clock(waitedMs)} waiting`] : []),
    ...(card.isCounted ? [cost, `${count(tokens)} tokens`] : []),
    ...(context === null || context.window === null
      ? []
      : [`context ${percent(context.tokens / context.window)}`]),
    ...(features === null ? [] : [`${features.passing} of ${features.total} features`]),
  ];
}
