/** How long to wait after a fault, and when to give up: pure, with chance as an argument. */

/** What went wrong with a pass that may go well the next time. */
export interface Trouble {
  /** `limit`: the host's usage limit. */
  readonly is: 'transient' | 'crashed' | 'limit';
  /** When the host says that its limit is over. */
  readonly resetsAt: string | null;
}

const FIRST_MS = 2_000;
/** Nobody knows when a limit or an outage ends: this often it is tried again. */
export const LONGEST_MS = 15 * 60_000;
/** A reset that the host names is for all its users: not all of them come back in the same second. */
const AFTER_RESET_MS = 5_000;
/** With the waits above, about an hour and a half of an outage. Usage limits are waited for however long they last. */
export const MOST_ATTEMPTS = 12;

/** Null: it has been tried often enough. `chance`: from 0 up to, not including, 1. */
export function waitAfter(
  { is, resetsAt }: Trouble,
  attempt: number,
  now: string,
  chance: number,
): string | null {
  if (is === 'limit' && resetsAt !== null && Date.parse(resetsAt) > Date.parse(now))
    return later(resetsAt, AFTER_RESET_MS * chance);
  if (is !== 'limit' && attempt >= MOST_ATTEMPTS) return null;
  const most = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(attempt - 1, 20));
  // Half of it for sure, so that a storm of retries thins out, and half by chance, so that it spreads.
  return later(now, most / 2 + (most / 2) * chance);
}

function later(instant: string, ms: number): string {
  return new Date(Date.parse(instant) + Math.round(ms)).toISOString();
}
