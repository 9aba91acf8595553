/** Money and large numbers in words: the same in a terminal, in a report and on the page. */

export function sayUsd(usd: number): string {
  return `$${usd.toFixed(usd > 0 && usd < 0.01 ? 4 : 2)}`;
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
