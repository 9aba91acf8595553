/** The limits of a loop, and what it used of them. */
import type { Context } from '#law/record/events.ts';
import { hasBudget, type Loop } from '#law/loop.ts';
import { duration, plural } from '#law/words/phrases.ts';
import { isCostKnown, sayCost, sayCount, sayUsd } from '#law/words/figures.ts';
import { sayStallLimit } from './status.ts';

export function sayContext({ tokens, window }: Context): string {
  if (window === null) return `${sayCount(tokens)} tokens`;
  return `${Math.round((100 * tokens) / window)} % of ${sayCount(window)} tokens`;
}

/** Whether anybody counts what the loop uses. A session is only counted for a budget. */
export function isCounted(loop: Loop): boolean {
  return loop.driver === 'fresh' || hasBudget(loop) || loop.spent.tokens > 0 || loop.spent.costUsd > 0;
}

export function sayUsed(loop: Loop): string | null {
  const {
    spent,
    limits: { costUsd, tokens },
  } = loop;
  if (!isCounted(loop)) return loop.stops === 0 ? null : 'not counted (in a session, --max-cost counts it)';
  if (spent.tokens === 0 && spent.costUsd === 0 && costUsd === null && tokens === null) return null;
  const limit = tokens === null ? '' : ` of ${sayCount(tokens)}`;
  return [
    ...(isCostKnown(spent, costUsd) ? [sayCost(spent, costUsd)] : []),
    `${sayCount(spent.tokens)}${limit} tokens`,
  ].join(', ');
}

/** Every limit of a loop, including those not set: a person looks here for what could run forever. */
export function sayLimits(loop: Loop): string {
  const { timeMs, costUsd, tokens, stalls } = loop.limits;
  const { iterations, item } = loop.frame;
  const limits = {
    iterations: iterations === null ? null : `${plural(iterations, 'iteration')}${item ? ' per item' : ''}`,
    time: timeMs === null ? null : `${duration(timeMs)} of work`,
    cost: costUsd === null ? null : sayUsd(costUsd),
    tokens: tokens === null ? null : `${sayCount(tokens)} tokens`,
  };
  const free = Object.entries(limits).flatMap(([name, limit]) => (limit === null ? [name] : []));
  return [
    ...Object.values(limits).filter((limit) => limit !== null),
    ...(stalls === null ? [] : [sayStallLimit(loop, stalls)]),
    ...(free.length === 0 ? [] : [`no limit on ${free.join(' or ')}`]),
  ].join(', ');
}
