/** A person puts a word into the next iteration of a loop. Each agent after it gets it, too. */
import { hasEnded, type Loop } from '../../core/loop.ts';
import type { Actor, AnswerActor } from '../../core/record/events.ts';
import { refuse, type Refusal } from '../../core/refusal.ts';
import { NOTE_LIMIT } from '../../core/waiting/requests.ts';
import { headOf } from '../../core/words/sanitize.ts';
import type { Runtime } from '../../store/runtime.ts';
import { sayStatus } from '../../text/status.ts';
import { title } from '../../text/to-person.ts';
import { findLoop, isUnclear, refuseGone, refuseUnclear, type Choice } from '../look/find.ts';
import { knownLoop, withLoop } from '../look/loops.ts';
import { refuseToAgents } from '../trust/people-only.ts';

export interface SteerOrder extends Choice {
  readonly words: string;
  readonly by: Actor | AnswerActor;
}

export function steer(
  order: SteerOrder,
  runtime: Runtime,
): { readonly ok: true; readonly loop: Loop } | Refusal {
  const refusal = refuseToAgents('dacapo steer', runtime.env);
  if (refusal !== null) return refusal;
  const words = headOf(order.words.trim(), NOTE_LIMIT);
  if (words === '')
    return refuse(
      'no-words',
      'There is nothing to say to the agent.',
      'Give the words: dacapo steer LOOP "…"',
    );
  const found = findLoop(order, (loop) => !hasEnded(loop), runtime);
  if (isUnclear(found)) return refuseUnclear(found, 'steer', ' "…"');
  if (found.is === 'none')
    return refuse(
      'none-to-steer',
      'No loop of this project is going on.',
      'dacapo list --all shows those of others.',
    );
  const { id } = found.loop;
  const steered = withLoop(id, runtime, (open) => {
    const loop = open.look();
    if (hasEnded(loop))
      return refuse('ended', `Loop ${title(loop)} ${sayStatus(loop)}.`, `dacapo resume ${id} reopens it.`);
    open.write({ type: 'steered', at: runtime.now(), by: order.by, words });
    open.keep();
    return { ok: true as const, loop: knownLoop(open, runtime) };
  });
  return steered ?? refuseGone(id);
}
