/** A loop begins: lifts the host's cap if the person asked for that, and says otherwise that there is one. */
import type { HostCap } from '../hosts/arrival.ts';
import type { Runtime } from '../store/runtime.ts';
import { sayCap } from '../text/to-person.ts';

export function withCapWord(started: string, { cap, liftCap }: HostCap, { store }: Runtime): string {
  if (cap === null || (liftCap !== null && liftCap(store.place()))) return started;
  return `${started}\n${sayCap(cap)}`;
}
