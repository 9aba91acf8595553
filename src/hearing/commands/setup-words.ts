/** A loop begins: says what in the set-up of the host gets in its way, and lifts the cap if the person asked for that. */
import type { HostSetup } from '../../hosts/arrival.ts';
import type { Runtime } from '../../store/runtime.ts';
import { sayCap } from '../../text/to-person.ts';

export function withSetupWords(started: string, setup: HostSetup, { store }: Runtime): string {
  const { cap, liftCap, hindrance } = setup;
  const isCapped = cap !== null && !(liftCap !== null && liftCap(store.place()));
  return [
    started,
    ...(hindrance === undefined ? [] : [`Note: ${hindrance}`]),
    ...(isCapped ? [sayCap(cap)] : []),
  ].join('\n');
}
