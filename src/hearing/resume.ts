/** `/resume-ralph`: a person in the session carries the loop on. */
import { isOpen } from '../core/circuit.ts';
import { endedUndone, hasEnded, isLive, type Loop } from '../core/loop.ts';
import { brief } from '../core/words-to-agent.ts';
import { sayStatus } from '../core/words-of-status.ts';
import { sayEnded, sayGoesOn, title } from '../core/words-to-person.ts';
import { SILENCE, type Answer, type CommandArrival } from '../hosts/host.ts';
import { dropSession, sessionEntry } from '../journal/sessions.ts';
import { openLoop, type OpenLoop } from '../journal/store.ts';
import { resumeLoop, type Resumption } from './control.ts';
import { loopsOf } from './find.ts';
import { takeUpList } from './items.ts';
import { taskOf } from './task.ts';
import type { World } from './world.ts';

/** Its person has read how the loop ended: from here on it is nobody's. */
export function told(loop: Loop, session: string, world: World): Answer {
  dropSession(world.home, session);
  return close(sayEnded(loop));
}

/**
 * An open circuit waits for its person, and so does a list with items that are not done: the loop has ended and left the
 * session, which may still take it up again.
 */
export async function resumeEnded(arrival: CommandArrival, world: World): Promise<Answer | null> {
  const { session, process, prompt, project } = arrival.from;
  if (sessionEntry(world.home, session) !== null) return null;
  const waiting = loopsOf(project, world)
    .filter((loop) => (isOpen(loop) || endedUndone(loop)) && loop.owner?.session === session)
    .toSorted((a, b) => Date.parse(b.updatedAt) - Date.parse(a.updatedAt));
  const open = waiting[0] === undefined ? null : openLoop(world.home, waiting[0].id);
  if (open === null) return null;
  try {
    return await goOn(open, { by: 'session', session, process, prompt, iterations: null }, world);
  } finally {
    open.close();
  }
}

async function goOn(
  open: OpenLoop,
  resumption: Resumption & { readonly session: string },
  world: World,
): Promise<Answer> {
  const resumed = resumeLoop(open, resumption, world);
  if (hasEnded(resumed)) return told(resumed, resumption.session, world);
  const loop = await takeUpList(open, 'session', resumption.prompt, world);
  return { is: 'brief', toAgent: brief(loop, taskOf(open, loop)), toPerson: sayGoesOn(loop) };
}

export async function resume(open: OpenLoop, arrival: CommandArrival, world: World): Promise<Answer> {
  const { session, process, prompt } = arrival.from;
  const before = open.loop();
  if (hasEnded(before))
    return close(
      `Da Capo: loop ${title(before)} ${sayStatus(before)}. ${open.broken() === null ? `\`dacapo resume ${before.id}\` reopens it.` : `It can't be reopened: its record (${open.dir}) can't be trusted. Start a new loop.`}`,
    );
  if (isLive(before) && before.chain === prompt) return SILENCE;
  return goOn(open, { by: 'session', session, process, prompt, iterations: null }, world);
}

export function close(toPerson: string): Answer {
  return { is: 'close', toPerson };
}
