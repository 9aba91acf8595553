/**
 * A state file in the project that a person wrote by hand. Anything that runs in a session can write such a
 * file, with the session's id in it, so a stop only announces it. It becomes a loop when a person says so:
 * `/resume-ralph` in the session, which no model can type, or `dacapo adopt` in a terminal.
 */
import { join } from 'node:path';
import { hasEnded } from '#law/loop.ts';
import { oneLine } from '#base/words/sanitize.ts';
import { readRegular } from '#base/files/read.ts';
import { SILENCE, type Answer, type Sender } from '#hosts/port/arrival.ts';
import { adopt, cancelWaiting } from '../begin/adopt.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import type { Runtime } from '#store/runtime.ts';
import { brief } from '#telling/agent/to-agent.ts';
import { sayEnded, sayUnbegun } from '#telling/person/ended.ts';
import { sayStarted } from '#telling/person/to-person.ts';
import { liesStill } from '#evidence/views/file.ts';
import { namedIn } from '#evidence/views/markdown/format.ts';
import { findHandWritten, importHandWritten } from '#evidence/views/markdown/import.ts';
import { STATE_FILE } from '#evidence/views/places.ts';
import { readTask } from '#store/prompts.ts';

const MAX_REASON_CHARS = 300;

/** For a session without an entry: a state file in the project may still name its loop. */
export function besideFile(from: Sender, runtime: Runtime): OpenLoop | Answer | null {
  const found = readRegular(join(from.project, STATE_FILE));
  if (found.is === 'gone') return null;
  const id = found.is === 'content' ? namedIn(found.content).loop : null;
  if (id === null) return announceHandWritten(from, runtime);
  const open = runtime.store.open(id);
  if (open === null) return null;
  const loop = open.loop();
  const { owner } = loop.session;
  if (hasEnded(loop) || owner?.session !== from.session) {
    open.close();
    return null;
  }
  // The entry was lost: the view is still there, and the journal says that the loop is this session's.
  const { session } = from;
  runtime.store.sessions.keep(session, { loop: id, process: owner.process, project: loop.project });
  runtime.log(`session=${session} loop=${id} entry made again`);
  return open;
}

/**
 * At a stop of a session without a loop: tells the person once that the file waits for their confirmation.
 */
function announceHandWritten(from: Sender, { store, now }: Runtime): Answer {
  const found = findHandWritten(from.project, from.session);
  if (found === null || !liesStill(found.path, found.file, Date.parse(now()))) return SILENCE;
  const { path, file, written } = found;
  if (!store.once.isNews(`${from.session} ${path} ${file.modifiedMs}`)) return SILENCE;
  const toPerson =
    written.is === 'garbage'
      ? `Da Capo: ${STATE_FILE} is here, but it is not a loop: ${oneLine(written.why, MAX_REASON_CHARS)}.`
      : `Da Capo: ${STATE_FILE} is here and waits for you. ${from.commands.resume} runs it in this ` +
        `session; \`dacapo adopt\` makes it a loop for another one.`;
  return { is: 'tell', toPerson };
}

/**
 * `/resume-ralph` in a session without a loop. Null: there is no such file, so the person means something
 * else.
 */
export async function adoptHandWritten(from: Sender, runtime: Runtime): Promise<Answer | null> {
  const found = findHandWritten(from.project, from.session);
  if (found === null) return null;
  const { written, file } = found;
  if (written.is === 'garbage')
    return answerAboutFile(`is not a loop: ${oneLine(written.why, MAX_REASON_CHARS)}.`);
  const adopted = await adopt(importHandWritten(written, file, from.project), from, from.host, runtime);
  // Delivered twice (plugin and `init` both installed): only one delivery answers.
  if (adopted.is === 'again') return SILENCE;
  if (adopted.is === 'refused')
    return answerAboutFile(`can't be adopted: ${oneLine(adopted.why, MAX_REASON_CHARS)}`);
  const loop = adopted.open.loop();
  const task = readTask(adopted.open, loop, from.limits.text);
  adopted.open.close();
  return { is: 'brief', toAgent: brief(loop, task), toPerson: sayStarted(loop) };
}

/** `/cancel-ralph` in a session without a loop: nobody has begun this one. Null: there is no such file. */
export async function cancelHandWritten(from: Sender, runtime: Runtime): Promise<Answer | null> {
  const done = await cancelWaiting(from, from.session, 'session', runtime);
  if (done === null) return null;
  if (done.is === 'refused')
    return answerAboutFile(`stays as it is: ${oneLine(done.why, MAX_REASON_CHARS)}. Delete it yourself.`);
  return {
    is: 'close',
    toPerson: `${sayEnded(done.loop, from.commands)} ${sayUnbegun(STATE_FILE, done.kept)}`,
  };
}

function answerAboutFile(why: string): Answer {
  return { is: 'close', toPerson: `Da Capo: ${STATE_FILE} ${why}` };
}
