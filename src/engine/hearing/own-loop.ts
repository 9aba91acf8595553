/**
 * Rules 2 to 4: whether a stop belongs to a live loop that can be trusted. Any other stop is answered at
 * once.
 */
import { isLive, type Loop } from '#law/loop.ts';
import { SILENCE, type Answer, type Sender, type StopArrival } from '#hosts/port/arrival.ts';
import { besideFile } from './hand-written.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import { type Runtime, isOwnedByProcess, ownerLives } from '#store/runtime.ts';
import type { SessionEntry } from '#store/store.ts';
import { readViews } from '#evidence/views/views.ts';
import { abortBroken, releaseSession, notLive, sayHeld } from './ending.ts';
import { bind } from '../begin/bind.ts';

/** The caller has to close the loop. */
export function ownLoop(
  { from }: StopArrival,
  entry: SessionEntry | null,
  runtime: Runtime,
): OpenLoop | Answer {
  const open = entry === null ? besideFile(from, runtime) : runtime.store.open(entry.loop);
  if (open === null) return entry === null ? SILENCE : releaseSession(entry.loop, from.session, runtime);
  if ('is' in open) return open;
  const answer = answerIfNotOurs(open, from, runtime);
  if (answer === null) return open;
  open.close();
  return answer;
}

/**
 * A loop belongs to one session and one host process. If that process is dead, another one of the session
 * takes over.
 */
function answerIfNotOurs(open: OpenLoop, from: Sender, runtime: Runtime): Answer | null {
  if (open.broken() !== null) return abortBroken(open, from, runtime);
  const found = open.loop();
  if (found.session.owner?.session !== from.session) return SILENCE;
  // Only a live loop changes hands: a stop does not revive a paused or interrupted loop.
  if (!isLive(found)) return notLive(open, found, from, runtime);
  if (!isOwner(found, from, runtime)) {
    if (ownerLives(found, runtime)) return sayHeld(found);
    bind(open, from, { how: 'takeover', prompt: found.session.chain }, runtime);
  }
  const loop = readViews(open, runtime);
  return isLive(loop) ? null : notLive(open, loop, from, runtime);
}

export function isOwner({ session: { owner } }: Loop, from: Sender, runtime: Runtime): boolean {
  return (
    owner?.session === from.session &&
    (from.process === null || isOwnedByProcess(owner, from.process, runtime))
  );
}
