/**
 * Whether a process that the record names is alive. A pid of another machine says nothing here: its process counts as alive
 * until its last sign of life is too old. A loop that moves to this machine for good has a `moved` event, which frees it.
 */
import type { Claim, Loop } from '../core/loop.ts';
import type { Runtime } from './runtime.ts';

/** A hook is ended by its host after 600 s: a claim older than this has no living owner, whatever its pid says. */
const LONGEST_HEARING_MS = 660_000;

type Asker = Pick<Runtime, 'store' | 'isAlive' | 'now'>;

/** The process that the loop belongs to. */
export function ownerLives(loop: Loop, world: Asker): boolean {
  const { owner, updatedAt, staleMs } = loop;
  if (owner === null || owner.process === null) return false;
  return isHere(owner, world) ? world.isAlive(owner.process) : age(updatedAt, world) <= staleMs;
}

/** The process that hears a stop. */
export function claimLives(claim: Claim, world: Asker): boolean {
  if (age(claim.started, world) > LONGEST_HEARING_MS) return false;
  return !isHere(claim, world) || world.isAlive(claim.process);
}

export function isHere(
  { machine }: { readonly machine?: string },
  { store }: Pick<Runtime, 'store'>,
): boolean {
  return machine === undefined || machine === store.machine();
}

function age(since: string, { now }: Asker): number {
  return Date.parse(now()) - Date.parse(since);
}
