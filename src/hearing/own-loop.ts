/** Rules 2 to 4: whether a stop belongs to a live loop that can be trusted. Anything else is answered at once. */
import { join } from 'node:path';
import { isLive } from '../core/loop.ts';
import { SILENCE, type Answer, type StopArrival } from '../hosts/arrival.ts';
import { hearHandWritten } from './hand-written.ts';
import { ownership } from '../operations/ownership.ts';
import type { OpenLoop } from '../store/open-loop.ts';
import type { Runtime } from '../store/runtime.ts';
import { isTaken } from '../views/file.ts';
import { STATE_FILE } from '../views/markdown/names.ts';
import { readViews } from '../views/views.ts';
import { showsAnothersLoop } from './beside.ts';
import { abortBroken, letGo, notLive, sayHeld } from './ending.ts';

/** `ours`: whoever gets it closes it. */
export type Owned =
  | { readonly is: 'ours'; readonly open: OpenLoop }
  | { readonly is: 'answered'; readonly answer: Answer };

/** `again`: hears the stop once more, where a state file in the project has become this session's loop. */
export async function ownLoop(
  arrival: StopArrival,
  world: Runtime,
  again: (arrival: StopArrival, world: Runtime) => Promise<Answer>,
): Promise<Owned> {
  const { from } = arrival;
  const entry = world.store.sessions.find(from.session);
  if (entry === null) {
    const file = join(from.project, STATE_FILE);
    const concernsUs = isTaken(file) && !showsAnothersLoop(file, from, world.store);
    return answered(concernsUs ? await hearHandWritten(arrival, world, again) : SILENCE);
  }
  const open = world.store.open(entry.loop);
  if (open === null) return answered(letGo(entry.loop, from.session, world));
  const answer = answerIfNotOurs(open, arrival, world);
  if (answer === null) return { is: 'ours', open };
  open.close();
  return answered(answer);
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
