/** Everything but a common stop. A file of its own in the plugin: a stop does not pay for the grammar of the start command. */
import type { Answer, Arrival, ToolArrival } from '../hosts/host.ts';
import { hearCommand } from './command.ts';
import { hearPrompt } from './prompt.ts';
import { hearFault, hearSessionEnd, hearSessionStart } from './session.ts';
import type { World } from '../store/runtime.ts';

export { hearHandWritten } from './hand-written.ts';
export { abortBroken, letGo, notLive, sayEnd, sayHeld, sayStanding } from './ending.ts';
export { previewOf } from '../views/vault/history.ts';
export { logStop } from '../views/progress/hook-log.ts';
export { readView, renderView } from '../views/markdown/view.ts';

export async function hearOther(
  arrival: Exclude<Arrival, { is: 'stop' } | ToolArrival>,
  world: World,
): Promise<Answer> {
  switch (arrival.is) {
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
