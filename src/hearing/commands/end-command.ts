/** How a command ends: with words for the person, and without a call to the model. */
import type { Loop } from '../../core/loop.ts';
import type { Answer, Sender } from '../../hosts/arrival.ts';
import type { Runtime } from '../../store/runtime.ts';
import { sayEnded } from '../../text/to-person.ts';

export function endCommand(toPerson: string): Answer {
  return { is: 'close', toPerson };
}

/** The person reads now how the loop ended, so the session lets go of it. */
export function tellEnded(loop: Loop, from: Sender, runtime: Runtime): Answer {
  runtime.store.sessions.drop(from.session);
  return endCommand(sayEnded(loop, from.commands));
}
