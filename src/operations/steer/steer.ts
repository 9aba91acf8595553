/** A person pauses a loop that goes on, or puts a word into its next iteration. */
import { hasEnded, type Loop } from '../../core/loop.ts';
import type { Actor, AnswerActor } from '../../core/record/events.ts';
import { refuse } from '../../core/refusal.ts';
import { NOTE_LIMIT } from '../../core/waiting/requests.ts';
import { headOf } from '../../core/words/sanitize.ts';
import type { Runtime } from '../../store/runtime.ts';
import { actOn, findLoop, refuseEnded, type ActedOn, type Choice } from '../look/find.ts';
import { knownLoop } from '../look/loops.ts';
import { refuseToAgents, refuseToLift } from '../trust/people-only.ts';
import { pauseLoop } from './control.ts';

const NONE_TO_PAUSE = refuse(
  'none-to-pause',
  'No loop of this project can be paused.',
  'dacapo status shows how they stand.',
);
const NONE_TO_STEER = refuse(
  'none-to-steer',
  'No loop of this project is going on.',
  'dacapo list --all shows those of others.',
);

const goesOn = (loop: Loop) => !hasEnded(loop);

/**
 * Keeps further passes from starting. Pausing a paused loop is not an error. The loop may have ended meanwhile: rendering
 * its view may show that a person deleted it.
 */
export function pause(choice: Choice, by: Actor, runtime: Runtime): ActedOn {
  const going = findLoop(choice, (loop) => goesOn(loop) && loop.status.is !== 'paused', runtime);
  const found = going.is === 'none' ? findLoop(choice, goesOn, runtime) : going;
  return actOn(found, 'pause', NONE_TO_PAUSE, runtime, (open) => {
    const loop = knownLoop(open, runtime);
    if (hasEnded(loop)) return refuseEnded(loop);
    const refusal = refuseToLift(`dacapo pause ${loop.id}`, loop, runtime.env);
    if (refusal !== null) return refusal;
    pauseLoop(open, by, 'command', runtime);
    return { ok: true as const, loop: knownLoop(open, runtime) };
  });
}

type SteerOrder = Choice & { readonly words: string; readonly by: Actor | AnswerActor };

/** Each agent after it gets the word, too. */
export function steer(order: SteerOrder, runtime: Runtime): ActedOn {
  const refusal = refuseToAgents('dacapo steer', runtime.env);
  if (refusal !== null) return refusal;
  const words = headOf(order.words.trim(), NOTE_LIMIT);
  if (words === '')
    return refuse(
      'no-words',
      'There is nothing to say to the agent.',
      'Give the words: dacapo steer LOOP "…"',
    );
  return actOn(findLoop(order, goesOn, runtime), 'steer ID "…"', NONE_TO_STEER, runtime, (open) => {
    if (hasEnded(open.look())) return refuseEnded(open.loop());
    open.write({ type: 'steered', at: runtime.now(), by: order.by, words });
    open.keep();
    return { ok: true as const, loop: knownLoop(open, runtime) };
  });
}
