/** Every arrival, to the one who hears it. */
import type { Answer, Arrival } from '../hosts/host.ts';
import { hearStop } from './stop.ts';
import type { World } from './world.ts';

export async function hear(arrival: Arrival, world: World): Promise<Answer> {
  if (arrival.is === 'stop') return hearStop(arrival, world);
  const { hearOther } = await import('./others.ts');
  return hearOther(arrival, world);
}
