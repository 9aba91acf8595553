/** What a loop has used, as short figures. */
import type { LoopCard } from '../../live/card.ts';
import { sayCount, sayUsd } from '../../core/words/figures.ts';
import { clock, percent } from '../phrases.ts';

export function factsOf(card: LoopCard): string[] {
  const { iteration, iterations, workedMs, waitedMs, costUsd, maxCostUsd, tokens, context, features } = card;
  const cost = maxCostUsd === null ? sayUsd(costUsd) : `${sayUsd(costUsd)} of ${sayUsd(maxCostUsd)}`;
  return [
    iterations === null ? `iteration ${iteration}` : `iteration ${iteration} of ${iterations}`,
    `${clock(workedMs)} at work`,
    ...(waitedMs >= 60_000 ? [`${clock(waitedMs)} waiting`] : []),
    ...(card.isCounted ? [cost, `${sayCount(tokens)} tokens`] : []),
    ...(context === null || context.window === null
      ? []
      : [`context ${percent(context.tokens / context.window)}`]),
    ...(features === null ? [] : [`${features.passing} of ${features.total} features`]),
  ];
}
