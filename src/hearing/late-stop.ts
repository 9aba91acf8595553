/** A stop of a host that does not send all of it. Asking for the rest takes time, so it is asked only where there is a loop. */
import type { Answer, StopArrival } from '../hosts/arrival.ts';
import type { Runtime } from '../store/runtime.ts';
import type { SessionEntry } from '../store/store.ts';
import { hearFault } from './session.ts';
import { hearStop } from './stop.ts';

export async function hearLateStop(
  { rest, ...arrival }: StopArrival,
  runtime: Runtime,
  entry: SessionEntry | null,
): Promise<Answer> {
  const { message, failed } = (await rest?.()) ?? { message: arrival.message, failed: null };
  // To continue would repeat the request that has failed.
  if (failed !== null) return hearFault({ is: 'fault', from: arrival.from, ...failed }, runtime);
  return hearStop({ ...arrival, message }, runtime, entry);
}
