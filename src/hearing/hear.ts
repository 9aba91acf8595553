/** Routes every arrival to the code that hears it. */
import { SILENCE, type Answer, type Arrival } from '../hosts/arrival.ts';
import { hearTool } from '../guard/hear.ts';
import { hearApproval } from './approval.ts';
import { mayBeBeside } from './beside.ts';
import { hearCommand } from './commands/command.ts';
import { hearPrompt } from './prompt.ts';
import { hearFault, hearSessionEnd, hearSessionStart } from './session.ts';
import { hearStop } from './stop.ts';
import type { Runtime } from '../store/runtime.ts';

export async function hear(arrival: Arrival, world: Runtime): Promise<Answer> {
  if (concernsNoLoop(arrival, world)) return SILENCE;
  switch (arrival.is) {
    case 'stop':
      return hearStop(arrival, world);
    case 'tool':
      return hearTool(arrival, world, hearApproval);
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

/** Most sessions own no loop, and each of their stops and prompts passes here. It costs them one lookup. */
function concernsNoLoop(arrival: Arrival, { store }: Runtime): boolean {
  switch (arrival.is) {
    case 'stop':
      return store.sessions.find(arrival.from.session) === null && !mayBeBeside(arrival.from, store);
    case 'command':
      return false;
    case 'session-start':
      // After /clear the loop is still stored under the old session id.
      return arrival.source !== 'clear' && store.sessions.find(arrival.from.session) === null;
    case 'prompt':
      return store.sessions.find(arrival.from.session) === null && !store.ready.any();
    case 'session-end':
    case 'fault':
    case 'tool':
      return store.sessions.find(arrival.from.session) === null;
  }
}
