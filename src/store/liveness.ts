/**
 * Whether a process that the record names is alive. A pid of another machine says nothing here: its process counts as alive
 * until its last sign of life is too old. A loop that moves to this machine for good has a `moved` event, which frees it.
 */
import type { Loop, StopClaim } from '../core/loop.ts';
import { isHere, type Runtime } from './runtime.ts';

/** No host lets a hook run longer than 600 s, so an older claim has no living owner, whatever its pid says. */
const LONGEST_HEARING_MS = 660_000;

/** The process that the loop belongs to. */
export function ownerLives(loop: Loop, runtime: Runtime): boolean {
  const { owner } = loop.session;
  if (owner === null || owner.process === null) return false;
  if (isHere(owner, runtime)) return runtime.isAlive(owner.process);
  return age(loop.updatedAt, runtime) <= loop.limits.staleMs;
}

/** The process that hears a stop. */
export function claimLives(claim: StopClaim, runtime: Runtime): boolean {
  if (age(claim.started, runtime) > LONGEST_HEARING_MS) return false;
  if (!isHere(claim, runtime)) return true;
  // Our own pid with another start time: the system has reused the pid.
  const isAnother = claim.process === runtime.process && claim.started !== runtime.started;
  return !isAnother && runtime.isAlive(claim.process);
}

function age(since: string, { now }: Runtime): number {
  return Date.parse(now()) - Date.parse(since);
}
