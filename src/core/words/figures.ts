/** Money and large numbers in words: the same in a terminal, in a report and on the page. */
import type { Used } from '../record/events.ts';

export function sayUsd(usd: number): string {
  return `$${usd.toFixed(usd > 0 && usd < 0.01 ? 4 : 2)}`;
}

type Cost = Pick<Used, 'costUsd'> & { readonly estimated?: boolean | undefined };

export function sayCost({ costUsd, estimated }: Cost, limitUsd: number | null = null): string {
  const limit = limitUsd === null ? '' : ` of ${sayUsd(limitUsd)}`;
  return `${estimated === true ? 'about ' : ''}${sayUsd(costUsd)}${limit}`;
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
