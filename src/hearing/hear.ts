/** Every arrival, to the one who hears it. */
import { readdirSync } from 'node:fs';
import { SILENCE, type Answer, type Arrival } from '../hosts/host.ts';
import { sessionEntry } from '../store/file/sessions.ts';
import { hearStop } from './stop.ts';
import type { World } from '../store/runtime.ts';

export async function hear(arrival: Arrival, world: World): Promise<Answer> {
  if (arrival.is === 'stop') return hearStop(arrival, world);
  if (concernsNoLoop(arrival, world)) return SILENCE;
  if (arrival.is === 'tool') return (await import('../guard/hear.ts')).hearTool(arrival, world);
  const { hearOther } = await import('./others.ts');
  return hearOther(arrival, world);
}

/** Most sessions own no loop, and every prompt of theirs comes by here: it costs them one look. */
function concernsNoLoop(arrival: Exclude<Arrival, { is: 'stop' }>, { home }: World): boolean {
  switch (arrival.is) {
    case 'command':
      return false;
    case 'session-start':
      // After /clear the loop is still under the id of before.
      return arrival.source !== 'clear' && sessionEntry(home, arrival.from.session) === null;
    case 'prompt':
      return sessionEntry(home, arrival.from.session) === null && !isAnyReady(home.ready);
    case 'session-end':
    case 'fault':
    case 'tool':
      return sessionEntry(home, arrival.from.session) === null;
  }
}

/** A loop that waits for its first prompt. */
function isAnyReady(folder: string): boolean {
  try {
    return readdirSync(folder).length > 0;
  } catch {
    return false;
  }
}
