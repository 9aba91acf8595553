/** The reserve of a subscription in words: "83 % of the five-hour window is used, and 20 % is reserved". */
import type { ReachedReserve } from '#law/waiting/reserve.ts';

const NAMES: Readonly<Record<number, string>> = { 300: 'five-hour', 1_440: 'daily', 10_080: 'weekly' };

/** Rounded down: 79.9 % is not yet the 80 % at which a reserve of 20 % is reached. */
export function sayWindow({ minutes, usedPercent }: Pick<ReachedReserve, 'minutes' | 'usedPercent'>): string {
  const name = NAMES[minutes] ?? `${Math.round(minutes / 60)}-hour`;
  return `${Math.floor(usedPercent)} % of the ${name} window is used`;
}

export function sayReserve({ percent, ...window }: Omit<ReachedReserve, 'resetsAt'>): string {
  return `${sayWindow(window)}, and ${percent} % is reserved`;
}
