/** Every arrival, to the one who hears it. */
import { readdirSync } from 'node:fs';
import { SILENCE, type Answer, type Arrival } from '../hosts/arrival.ts';
import { sessionEntry } from '../store/file/sessions.ts';
import { hearTool } from '../guard/hear.ts';
import { hearCommand } from './command.ts';
import { hearPrompt } from './prompt.ts';
import { hearFault, hearSessionEnd, hearSessionStart } from './session.ts';
import { hearStop } from './stop.ts';
import type { World } from '../store/runtime.ts';

export async function hear(arrival: Arrival, world: World): Promise<Answer> {
  if (arrival.is === 'stop') return hearStop(arrival, world);
  if (concernsNoLoop(arrival, world)) return SILENCE;
  switch (arrival.is) {
    case 'tool':
      return hearTool(arrival, world);
    case 'prompt':
      return hearPrompt(arrival, world);
    case 'command':
      return hearCommand(arrival, world);
    case 'session-start':
      return hearSessionStart(arrival, world);
    case 'session-end':
      return hearSessionEnd(arrival, world);
    case 'fault':
      return hearFault(arrival, world);
  }
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
