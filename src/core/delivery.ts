/** Rule 5: whether a delivery is a stop that was claimed before, so that each stop is judged exactly once. */
import type { AnsweredStop, StopClaim } from './loop.ts';

/** How long after an answer a host may start another registration of the hook. */
const LATEST_MS = 5_000;

export type DeliveredStop = Omit<StopClaim, 'n'>;

/**
 * A delivery was claimed before if a claim has the same session, prompt and words, and that claim is still open, or this
 * process began before it was answered, or this delivery is late. `claims`: the newest last.
 */
export function wasClaimed(mine: DeliveredStop, claims: readonly (StopClaim | AnsweredStop)[]): boolean {
  const same = claims.filter((claim) => saysTheSame(mine, claim));
  const last = same.at(-1);
  return last !== undefined && (same.some((claim) => beganBefore(mine, claim)) || isLate(mine, last));
}

function saysTheSame(a: DeliveredStop, b: DeliveredStop): boolean {
  return a.session === b.session && a.prompt === b.prompt && a.words === b.words;
}

function beganBefore({ started }: DeliveredStop, claim: StopClaim | AnsweredStop): boolean {
  return !('at' in claim) || Date.parse(started) < Date.parse(claim.at);
}

/**
 * The hook may be registered twice. On a busy host the second one can start after the first has answered.
 * A real stop with the same words also reaches the registration that heard the last one, and that one hears it.
 */
function isLate({ registration, started }: DeliveredStop, last: StopClaim | AnsweredStop): boolean {
  if (!('at' in last) || registration === undefined || last.registration === undefined) return false;
  return registration !== last.registration && Date.parse(started) - Date.parse(last.at) < LATEST_MS;
}
