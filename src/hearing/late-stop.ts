/** A stop of a host that does not send all of it. Asking for the rest takes time, so it is asked only where there is a loop. */
import type { Answer, StopArrival, StopRest } from '../hosts/arrival.ts';
import type { Runtime } from '../store/runtime.ts';
import type { SessionEntry } from '../store/store.ts';
import { hearFault } from './session.ts';
import { hearStop } from './stop.ts';

export async function hearLateStop(
  arrival: StopArrival,
  read: () => Promise<StopRest>,
  entry: SessionEntry | null,
  world: Runtime,
): Promise<Answer> {
  const { message, failed } = await read();
  // To continue would repeat the request that has failed.
  if (failed !== null) return hearFault({ is: 'fault', from: arrival.from, ...failed }, world);
  return hearStop({ ...arrival, message }, world, entry);
}
