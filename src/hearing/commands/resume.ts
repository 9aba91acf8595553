/** `/resume-ralph`: a person in the session continues the loop. */
import { hasEnded, isLive, type Loop } from '../../core/loop.ts';
import { waitsForPerson } from '../../text/next-step.ts';
import { briefWithNews } from '../session.ts';
import { sayStatus } from '../../text/status.ts';
import { sayGoesOn, title } from '../../text/to-person.ts';
import { SILENCE, type Answer, type CommandArrival, type Sender } from '../../hosts/arrival.ts';
import type { OpenLoop } from '../../store/open-loop.ts';
import { resumeLoop } from '../../operations/steer/control.ts';
import { loopsOf } from '../../operations/look/loops.ts';
import { takeUpList } from '../../operations/begin/items.ts';
import type { Runtime } from '../../store/runtime.ts';
import { endCommand, tellEnded } from './end-command.ts';

/**
 * A loop that needs its person has ended and left the session. The person is in that session, so it may take the loop
 * up again.
 */
export async function resumeEnded(arrival: CommandArrival, runtime: Runtime): Promise<Answer | null> {
  const { from } = arrival;
  if (runtime.store.sessions.find(from.session) !== null) return null;
  const last = lastOf(from, runtime);
  const open = last === null || !waitsForPerson(last) ? null : runtime.store.open(last.id);
  if (open === null) return null;
  try {
    return await goOn(open, from, runtime);
  } finally {
    open.close();
  }
}

/** The newest loop of this session. */
export function lastOf({ session, project }: Sender, runtime: Runtime): Loop | null {
  const had = loopsOf(project, runtime).filter((loop) => loop.session.owner?.session === session);
  return had.toSorted((a, b) => Date.parse(b.updatedAt) - Date.parse(a.updatedAt))[0] ?? null;
}

async function goOn(open: OpenLoop, from: Sender, runtime: Runtime): Promise<Answer> {
  const { session, process, prompt } = from;
  const resumed = resumeLoop(open, { by: 'session', session, process, prompt, iterations: null }, runtime);
  if (hasEnded(resumed)) return tellEnded(resumed, from, runtime);
  const loop = await takeUpList(open, 'session', prompt, runtime);
  return {
    is: 'brief',
    toAgent: briefWithNews(open, loop, from, runtime),
    toPerson: sayGoesOn(loop),
  };
}

export async function resume(open: OpenLoop, arrival: CommandArrival, runtime: Runtime): Promise<Answer> {
  const { prompt } = arrival.from;
  const before = open.loop();
  if (hasEnded(before) && !waitsForPerson(before))
    return endCommand(
      `Da Capo: loop ${title(before)} ${sayStatus(before)}. ${open.broken() === null ? `\`dacapo resume ${before.id}\` reopens it.` : `It can't be reopened: its record (${runtime.store.place(before.id)}) can't be trusted. Start a new loop.`}`,
    );
  if (isLive(before) && before.session.chain === prompt) return SILENCE;
  return goOn(open, arrival.from, runtime);
}
