/**
 * How long to wait after a fault, when to give up, and the limit of calls per hour. Pure: randomness is an
 * argument.
 */

const HOUR_MS = 3_600_000;
const FIRST_MS = 2_000;
/** The longest wait where the end of a limit or an outage is unknown. */
export const LONGEST_MS = 15 * 60_000;
/** A reset concerns all users of the host. This spread keeps them from coming back in the same second. */
const AFTER_RESET_MS = 5_000;
/**
 * With the waits above, this covers an outage of about an hour and a half. There is no bound on the wait for
 * a usage limit.
 */
export const MAX_ATTEMPTS = 12;

/** After a pass that may succeed the next time. Null: give up. `chance`: from 0 up to, not including, 1. */
export function retryAfter(
  { is, resetsAt }: { readonly is: 'transient' | 'crashed' | 'limit'; readonly resetsAt: string | null },
  attempt: number,
  now: string,
  chance: number,
): string | null {
  if (is === 'limit' && resetsAt !== null && Date.parse(resetsAt) > Date.parse(now))
    return afterReset(resetsAt, chance);
  if (is !== 'limit' && attempt >= MAX_ATTEMPTS) return null;
  const most = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(attempt - 1, 20));
  // Half of the wait is fixed, so that retries thin out; half is random, so that they spread.
  return later(now, most / 2 + (most / 2) * chance);
}

/** A reset of a window concerns all loops of the account as well. */
export function afterReset(resetsAt: string, chance: number): string {
  return later(resetsAt, AFTER_RESET_MS * chance);
}

/**
 * When the next pass may begin under a limit of calls per hour. Null: now. `passStarts`: when passes began,
 * oldest first.
 */
export function mayBeginAt(passStarts: readonly string[], perHour: number, now: string): string | null {
  // One that began in the future was written before the clock was set back.
  const recent = passStarts.filter((at) => {
    const ago = Date.parse(now) - Date.parse(at);
    return ago >= 0 && ago < HOUR_MS;
  });
  const oldest = recent.at(-perHour);
  return oldest === undefined ? null : new Date(Date.parse(oldest) + HOUR_MS).toISOString();
}

function later(instant: string, ms: number): string {
  return new Date(Date.parse(instant) + Math.round(ms)).toISOString();
}
