/** A loop belongs to one session and one host process. Stops from any other session or process are let through. */
import { hasEnded, isLive, type Loop } from '../../core/loop.ts';
import type { Sender } from '../../hosts/arrival.ts';
import type { OpenLoop } from '../../store/open-loop.ts';
import { ownerLives } from '../../store/liveness.ts';
import type { Runtime } from '../../store/runtime.ts';
import { bind } from './bind.ts';

/** `held`: another process of this same session owns it. If that process is dead, this one takes over. */
export function ownership(open: OpenLoop, from: Sender, world: Runtime): 'ours' | 'held' | 'not-ours' {
  const loop = open.loop();
  if (loop.owner?.session !== from.session) return 'not-ours';
  if (hasEnded(loop)) return 'ours';
  if (isOwner(loop, from)) return 'ours';
  if (isLive(loop) && ownerLives(loop, world)) return 'held';
  // Only a live loop changes hands: a stop does not revive a paused or interrupted loop.
  if (isLive(loop)) bind(open, from, 'takeover', loop.chain, world);
  return 'ours';
}

export function isOwner(loop: Loop, from: Sender): boolean {
  return (
    loop.owner?.session === from.session && (loop.owner.process === from.process || from.process === null)
  );
}
