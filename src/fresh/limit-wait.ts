/** A usage limit that an earlier run has met: who paused or broke off its wait has not made the host answer any sooner. */
import { hasEnded } from '../core/loop.ts';
import { showViews } from '../views/views.ts';
import type { Runtime } from '../store/runtime.ts';
import type { OpenLoop } from '../store/open-loop.ts';

/** The loop waits on, as this process's own, until the instant that the record has; one that is past counts for nothing. */
export function waitOn(open: OpenLoop, world: Runtime): void {
  const loop = open.look();
  const { owner, resetsAt } = loop;
  const at = world.now();
  if (hasEnded(loop) || owner === null || resetsAt === null) return;
  if (Date.parse(resetsAt) <= Date.parse(at)) return;
  // So that everyone sees who waits, also after a kill.
  open.write({
    type: 'bound',
    at,
    session: owner.session,
    process: world.process,
    prompt: null,
    how: 'takeover',
  });
  open.write({ type: 'held', at, for: 'limit', until: resetsAt });
  showViews(open, world);
  open.keep();
}
