/** Rules 2 to 4: whether a stop belongs to a live loop that can be trusted. Any other stop is answered at once. */
import { hasEnded, isLive, type Loop } from '../core/loop.ts';
import { SILENCE, type Answer, type Sender, type StopArrival } from '../hosts/arrival.ts';
import { besideFile } from './hand-written.ts';
import type { OpenLoop } from '../store/open-loop.ts';
import { type Runtime, isOurs } from '../store/runtime.ts';
import type { SessionEntry } from '../store/store.ts';
import { readViews } from '../views/views.ts';
import { abortBroken, letGo, notLive, sayHeld } from './ending.ts';
import { ownerLives } from '../store/liveness.ts';
import { bind } from '../operations/begin/bind.ts';

/** `ours`: the caller has to close it. */
export type Owned =
  | { readonly is: 'ours'; readonly open: OpenLoop }
  | { readonly is: 'answered'; readonly answer: Answer };

export function ownLoop(arrival: StopArrival, entry: SessionEntry | null, runtime: Runtime): Owned {
  const { from } = arrival;
  const open = entry === null ? besideFile(from, runtime) : runtime.store.open(entry.loop);
  if (open === null) return answered(entry === null ? SILENCE : letGo(entry.loop, from.session, runtime));
  if ('is' in open) return answered(open);
  const answer = answerIfNotOurs(open, arrival, runtime);
  if (answer === null) return { is: 'ours', open };
  open.close();
  return answered(answer);
}

function answerIfNotOurs(open: OpenLoop, { from }: StopArrival, runtime: Runtime): Answer | null {
  if (open.broken() !== null) return abortBroken(open, from, runtime);
  const owned = ownership(open, from, runtime);
  if (owned !== 'ours') return owned === 'held' ? sayHeld(open.loop()) : SILENCE;
  const found = open.loop();
  const loop = isLive(found) ? readViews(open, runtime) : found;
  return isLive(loop) ? null : notLive(open, loop, from, runtime);
}

function answered(answer: Answer): Owned {
  return { is: 'answered', answer };
}

/**
 * A loop belongs to one session and one host process. `held`: another process of this same session owns it. If that
 * process is dead, this one takes over.
 */
function ownership(open: OpenLoop, from: Sender, runtime: Runtime): 'ours' | 'held' | 'not-ours' {
  const loop = open.loop();
  if (loop.session.owner?.session !== from.session) return 'not-ours';
  if (hasEnded(loop)) return 'ours';
  if (isOwner(loop, from, runtime)) return 'ours';
  if (isLive(loop) && ownerLives(loop, runtime)) return 'held';
  // Only a live loop changes hands: a stop does not revive a paused or interrupted loop.
  if (isLive(loop)) bind(open, from, 'takeover', loop.session.chain, runtime);
  return 'ours';
}

export function isOwner({ session: { owner } }: Loop, from: Sender, runtime: Runtime): boolean {
  return owner?.session === from.session && (from.process === null || isOurs(owner, runtime, from.process));
}
