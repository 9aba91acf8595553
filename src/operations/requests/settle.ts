/** Reads what was answered by file, notices what nobody answered in time, and shows how the loop stands now. */
import { hasEnded, type Loop } from '../../core/loop.ts';
import { endedUnanswered } from '../../core/requests.ts';
import type { OpenLoop } from '../../store/open-loop.ts';
import type { Runtime } from '../../store/runtime.ts';
import { showViews } from '../../views/views.ts';

export function settleRequests(open: OpenLoop, world: Runtime): Loop {
  const before = open.look().events;
  const loop = showViews(open, world);
  if (loop.events !== before) open.keep();
  // The agent may be in the middle of a turn. Its rules stay with it until it stops or a person says something.
  if (hasEnded(loop) && loop.owner !== null && !endedUnanswered(loop))
    world.store.sessions.drop(loop.owner.session);
  return loop;
}
