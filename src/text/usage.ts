/** Puts money, tokens and context into words. */
import type { Context } from '../core/record/events.ts';
import { topFrame, type Loop } from '../core/loop.ts';
import { sayCount, sayUsd } from '../core/words/figures.ts';
import { duration, plural } from '../core/words/phrases.ts';

/** Above this the agent is told to write things down: hosts compact soon after, and what is only in the context is lost. */
const CROWDED = 0.8;

export function isCrowded(context: Context | null): boolean {
  return context !== null && context.window !== null && context.tokens >= CROWDED * context.window;
}

export function sayContext({ tokens, window }: Context): string {
  if (window === null) return `${sayCount(tokens)} tokens`;
  return `${Math.round((100 * tokens) / window)} % of ${sayCount(window)} tokens`;
}

export function sayUsed({ spent, limits: { costUsd, tokens } }: Loop): string | null {
  if (spent.tokens === 0 && spent.costUsd === 0 && costUsd === null && tokens === null) return null;
  const of = (bound: string | null) => (bound === null ? '' : ` of ${bound}`);
  return [
    // Some hosts tell tokens, and no price.
    ...(spent.costUsd === 0 && spent.tokens > 0 && costUsd === null
      ? []
      : [`${sayUsd(spent.costUsd)}${of(costUsd === null ? null : sayUsd(costUsd))}`]),
    `${sayCount(spent.tokens)}${of(tokens === null ? null : sayCount(tokens))} tokens`,
  ].join(', ');
}

/** Every limit of a loop, including those not set: a person looks here for what could run forever. */
export function sayLimits(loop: Loop): string {
  const { timeMs, costUsd, tokens, stalls } = loop.limits;
  const { iterations, item } = topFrame(loop);
  const limits = {
    iterations: iterations === null ? null : `${plural(iterations, 'iteration')}${item ? ' per item' : ''}`,
    time: timeMs === null ? null : `${duration(timeMs)} of work`,
    cost: costUsd === null ? null : sayUsd(costUsd),
    tokens: tokens === null ? null : `${sayCount(tokens)} tokens`,
  };
  const free = Object.entries(limits).flatMap(([name, limit]) => (limit === null ? [name] : []));
  return [
    ...Object.values(limits).filter((limit) => limit !== null),
    ...(stalls === null ? [] : [`${stalls} stops without progress`]),
    ...(free.length === 0 ? [] : [`no limit on ${free.join(' or ')}`]),
  ].join(', ');
}
