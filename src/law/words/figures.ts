/** Money and large numbers in words: the same in a terminal, in a report and on the page. */
import type { Used } from '../record/events.ts';

export function sayUsd(usd: number): string {
  return `$${usd.toFixed(usd > 0 && usd < 0.01 ? 4 : 2)}`;
}

type Cost = Pick<Used, 'costUsd'> & { readonly estimated?: boolean | undefined };

/**
 * A zero means that nobody has told a price: the host has none, or none for this model. Only a budget counts
 * from zero: what has no price is counted there at that of the dearest model.
 */
export function isCostKnown({ costUsd }: Cost, limitUsd: number | null = null): boolean {
  return costUsd > 0 || limitUsd !== null;
}

export function sayCost(cost: Cost, limitUsd: number | null = null): string {
  return `${isCostKnown(cost, limitUsd) ? '' : 'cost '}${sayCostFigure(cost, limitUsd)}`;
}

/** Below a heading that already says "cost". */
export function sayCostFigure(cost: Cost, limitUsd: number | null = null): string {
  if (!isCostKnown(cost, limitUsd)) return 'not known';
  const limit = limitUsd === null ? '' : ` of ${sayUsd(limitUsd)}`;
  return `${cost.estimated === true ? 'about ' : ''}${sayUsd(cost.costUsd)}${limit}`;
}

export function sayUse(used: Used): string {
  const words = [sayCost(used), sayTokens(used.tokens)];
  return (isCostKnown(used) ? words : words.toReversed()).join(', ');
}

/** Of what has ended: an agent that used none told of none. */
export function sayTokens(tokens: number): string {
  return tokens === 0 ? 'an unknown number of tokens' : `${sayCount(tokens)} tokens`;
}

/** 950, 1.25k, 12.3k, 128k, 1.2M: at most three digits, and no trailing zeros. */
export function sayCount(count: number): string {
  if (count < 1_000) return String(Math.round(count));
  if (count < 999_500) return `${short(count / 1_000)}k`;
  return `${short(count / 1_000_000)}M`;
}

function short(number: number): string {
  return String(Number(number.toFixed(number < 10 ? 2 : number < 100 ? 1 : 0)));
}
