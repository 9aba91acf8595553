/** Ends a loop that nobody answered in time. Whoever looks at the loop first writes it down. */
import { hasEnded } from '../../core/loop.ts';
import { openRequestsOf } from '../../core/requests.ts';
import type { OpenLoop } from '../../store/open-loop.ts';
import type { Runtime } from '../../store/runtime.ts';
import { settleRequests } from './settle.ts';

export function expireRequests(open: OpenLoop, world: Runtime): void {
  const loop = open.loop();
  const now = Date.parse(world.now());
  const over = hasEnded(loop)
    ? undefined
    : openRequestsOf(loop).find(({ expires }) => Date.parse(expires) <= now);
  if (over === undefined) return;
  open.write({ type: 'expired', at: world.now(), id: over.id });
  settleRequests(open, world);
}
