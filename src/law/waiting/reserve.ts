/**
 * The reserve of a subscription (`--reserve 20%`): which window, if any, lets no further pass begin. A short
 * window is waited for. A window of days is not: a run that stands still for days is better ended, and a
 * person decides.
 */
import type { UsageWindow } from '../record/usage-window.ts';

const DAY_MINUTES = 24 * 60;

/** `percent`: what is reserved. */
export interface ReachedReserve extends UsageWindow {
  readonly percent: number;
}

/** The week: the run ends. The five hours: the run waits. */
export function endsRun({ minutes }: Pick<UsageWindow, 'minutes'>): boolean {
  return minutes > DAY_MINUTES;
}

/** Of several windows the one that resets last: no pass begins before. One that has reset says nothing. */
export function reachedReserve(
  windows: readonly UsageWindow[],
  percent: number,
  now: string,
): ReachedReserve | null {
  const reached = windows.filter(
    ({ usedPercent, resetsAt }) => usedPercent >= 100 - percent && Date.parse(resetsAt) > Date.parse(now),
  );
  const [last] = reached.toSorted((a, b) => Date.parse(b.resetsAt) - Date.parse(a.resetsAt));
  return last === undefined ? null : { ...last, percent };
}
