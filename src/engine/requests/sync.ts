/** Requests as they are now: a person may have moved their files, or nobody answered in time. */
import { hasEnded, type Loop } from '#law/loop.ts';
import { endedUnanswered } from '#law/waiting/requests.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import type { Runtime } from '#store/runtime.ts';
import { showViews } from '#evidence/views/views.ts';

/**
 * Reads what was answered by file, notices what nobody answered in time, and shows how the loop stands now.
 */
export function syncRequests(open: OpenLoop, runtime: Runtime): Loop {
  const before = open.look().events;
  const loop = showViews(open, runtime);
  if (loop.events !== before) open.keep();
  // The agent may be in the middle of a turn. Its rules stay with it until it stops or a person says
  // something.
  if (hasEnded(loop) && loop.session.owner !== null && !endedUnanswered(loop))
    runtime.store.sessions.drop(loop.session.owner.session);
  return loop;
}
