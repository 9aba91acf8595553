/** Rules 2 to 4: whether a stop belongs to a live loop that can be trusted. Any other stop is answered at once. */
import { join } from 'node:path';
import { hasEnded, isLive, type Loop } from '../core/loop.ts';
import { SILENCE, type Answer, type Sender, type StopArrival } from '../hosts/arrival.ts';
import { announceHandWritten, enterAgain } from './hand-written.ts';
import { readRegular } from '../files/read.ts';
import type { OpenLoop } from '../store/open-loop.ts';
import type { Runtime } from '../store/runtime.ts';
import type { SessionEntry } from '../store/store.ts';
import { isTaken } from '../views/file.ts';
import { namedIn } from '../views/markdown/format.ts';
import { STATE_FILE } from '../views/markdown/names.ts';
import { readViews } from '../views/views.ts';
import { abortBroken, letGo, notLive, sayHeld } from './ending.ts';
import { ownerLives } from '../store/liveness.ts';
import { isOurs } from '../store/ownership.ts';
import { bind } from '../operations/begin/bind.ts';

/** `ours`: the caller has to close it. */
export type Owned =
  | { readonly is: 'ours'; readonly open: OpenLoop }
  | { readonly is: 'answered'; readonly answer: Answer };

export function ownLoop(arrival: StopArrival, entry: SessionEntry | null, world: Runtime): Owned {
  const { from } = arrival;
  const open = entry === null ? besideFile(from, world) : world.store.open(entry.loop);
  if (open === null) return answered(entry === null ? SILENCE : letGo(entry.loop, from.session, world));
  if ('is' in open) return answered(open);
  const answer = answerIfNotOurs(open, arrival, world);
  if (answer === null) return { is: 'ours', open };
  open.close();
  return answered(answer);
}

/** For a session without an entry: a state file in the project may still name its loop. */
function besideFile(from: Sender, world: Runtime): OpenLoop | Answer | null {
  const file = join(from.project, STATE_FILE);
  if (!isTaken(file)) return null;
  const found = readRegular(file);
  const id = found.is === 'content' ? namedIn(found.content).loop : null;
  if (id === null) return announceHandWritten(from, world);
  const open = world.store.open(id);
  if (open === null) return null;
  const loop = open.loop();
  if (!hasEnded(loop) && loop.session.owner?.session === from.session) return enterAgain(open, from, world);
  open.close();
  return null;
}

function answerIfNotOurs(open: OpenLoop, { from }: StopArrival, world: Runtime): Answer | null {
  if (open.broken() !== null) return abortBroken(open, from, world);
  const owned = ownership(open, from, world);
  if (owned !== 'ours') return owned === 'held' ? sayHeld(open.loop()) : SILENCE;
  const found = open.loop();
  const loop = isLive(found) ? readViews(open, world) : found;
  return isLive(loop) ? null : notLive(open, loop, from, world);
}

function answered(answer: Answer): Owned {
  return { is: 'answered', answer };
}

/**
 * A loop belongs to one session and one host process. `held`: another process of this same session owns it. If that
 * process is dead, this one takes over.
 */
function ownership(open: OpenLoop, from: Sender, world: Runtime): 'ours' | 'held' | 'not-ours' {
  const loop = open.loop();
  if (loop.session.owner?.session !== from.session) return 'not-ours';
  if (hasEnded(loop)) return 'ours';
  if (isOwner(loop, from, world)) return 'ours';
  if (isLive(loop) && ownerLives(loop, world)) return 'held';
  // Only a live loop changes hands: a stop does not revive a paused or interrupted loop.
  if (isLive(loop)) bind(open, from, 'takeover', loop.session.chain, world);
  return 'ours';
}

export function isOwner({ session: { owner } }: Loop, from: Sender, world: Runtime): boolean {
  return owner?.session === from.session && (from.process === null || isOurs(owner, world, from.process));
}
