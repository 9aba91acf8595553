/** Continues the wait for a usage limit that an earlier run met. A pause or an interruption does not end the limit. */
import { hasEnded } from '../core/loop.ts';
import { showViews } from '../views/views.ts';
import type { Runtime } from '../store/runtime.ts';
import type { OpenLoop } from '../store/open-loop.ts';

/** This process takes over the loop and waits until the reset in the record. It does nothing if that is past. */
export function waitOn(open: OpenLoop, world: Runtime): void {
  const loop = open.look();
  const { owner, resetsAt } = loop;
  const at = world.now();
  if (hasEnded(loop) || owner === null || resetsAt === null) return;
  if (Date.parse(resetsAt) <= Date.parse(at)) return;
  // The record shows which process waits, even after a kill.
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
