/** Names a pass that failed through no fault of the agent, for the journal and the screen of a run. */
import type { Fault } from '../core/loop.ts';

const FAULTS: Readonly<Record<Fault['fault'], string>> = {
  transient: 'the service failed',
  limit: 'usage limit reached',
  crashed: "the host's process crashed",
  fatal: 'an error that no retry can fix',
  'timed-out': 'the iteration took too long and was ended',
  silent: 'the agent was silent for too long and was ended',
};

/** A newer Da Capo may know more kinds. */
export function sayFault(fault: string): string {
  return isKnown(fault) ? FAULTS[fault] : fault;
}

function isKnown(fault: string): fault is Fault['fault'] {
  return Object.hasOwn(FAULTS, fault);
}
