/** A loop belongs to one session and one host process. Everyone else is let through. */
import { hasEnded, isLive, type Loop } from '../core/loop.ts';
import type { Sender } from '../hosts/arrival.ts';
import type { OpenLoop } from '../store/open-loop.ts';
import { ownerLives } from '../store/liveness.ts';
import type { Runtime } from '../store/runtime.ts';
import { bind } from './bind.ts';

/** `held`: by another process with this same session. A dead owner's process is succeeded. */
export function ownership(open: OpenLoop, from: Sender, world: Runtime): 'ours' | 'held' | 'not-ours' {
  const loop = open.loop();
  if (loop.owner?.session !== from.session) return 'not-ours';
  if (hasEnded(loop)) return 'ours';
  if (isOwner(loop, from)) return 'ours';
  if (isLive(loop) && ownerLives(loop, world)) return 'held';
  // Only a live loop changes hands: a paused or interrupted one is revived by nobody's stop.
  if (isLive(loop)) bind(open, from, 'takeover', loop.chain, world);
  return 'ours';
}

export function isOwner(loop: Loop, from: Sender): boolean {
  return (
    loop.owner?.session === from.session && (loop.owner.process === from.process || from.process === null)
  );
}
