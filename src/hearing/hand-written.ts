/**
 * A stop in a session without a loop, in a project with a state file that a person wrote by hand. It becomes a loop where
 * its owner is beyond doubt; otherwise the person is told once, and `dacapo adopt` binds it.
 */
import { join } from 'node:path';
import { oneLine } from '../core/sanitize.ts';
import { hasEnded } from '../core/loop.ts';
import { title } from '../text/to-person.ts';
import { SILENCE, type Answer, type Sender, type StopArrival } from '../hosts/arrival.ts';
import { adopt } from '../operations/adopt.ts';
import { liesStill, readViewFile, type FileReading } from '../views/file.ts';
import { STATE_FILE } from '../views/markdown/names.ts';
import { readHandWritten } from '../views/markdown/format.ts';
import { importedFrom } from '../views/markdown/import.ts';
import { isTracked } from '../views/exclude.ts';
import type { Runtime } from '../store/runtime.ts';

/** Enough to see what is wrong with a file. */
const WHY = 300;

const LEFT: AdoptedAtStop = { is: 'left', answer: SILENCE };

/** Only reached when the file is there: the common stop, of a session that owns no loop, ends before this. */
async function adoptAtStop(arrival: StopArrival, world: Runtime): Promise<AdoptedAtStop> {
  const { from } = arrival;
  const path = join(from.project, STATE_FILE);
  const file = readViewFile(path);
  if (file.is !== 'content') return LEFT;
  const written = readHandWritten(file.content);
  if (written.is === 'loop') {
    if (written.official) return LEFT;
    if (written.loopId !== null) return findAgain(written.loopId, from, world);
    if (written.session !== null && written.session !== from.session) return LEFT;
  }
  if (!liesStill(path, file, Date.parse(world.now()))) return LEFT;
  const announce = (what: string): AdoptedAtStop => {
    const news = world.store.once.isNews(`${from.session} ${path} ${file.modifiedMs}`);
    const toPerson = `Da Capo: ${STATE_FILE} is here, but ${what}`;
    return { is: 'left', answer: news ? { is: 'tell', toPerson } : SILENCE };
  };
  if (written.is === 'garbage') return announce(`it is no loop: ${oneLine(written.why, WHY)}.`);
  const doubt = written.session === from.session ? null : doubtAbout(file, arrival, path);
  if (doubt !== null)
    return announce(
      `it is not clear that it is meant for this session (${doubt}). \`dacapo adopt\` binds it.`,
    );
  const imported = importedFrom(written, file.bytes, { project: from.project, file: STATE_FILE });
  const adopted = adopt(imported, from, from.host, world);
  if (adopted.is === 'refused') return announce(`it can't be adopted: ${oneLine(adopted.why, WHY)}`);
  if (adopted.is === 'again') return LEFT;
  const name = title(adopted.open.loop());
  adopted.open.close();
  return { is: 'adopted', notice: `Da Capo: ${STATE_FILE} was taken as loop ${name} of this session.` };
}

/** A state file is there, in a session without a loop: where it becomes one, the stop is heard as that loop's. */
export async function hearHandWritten(
  arrival: StopArrival,
  world: Runtime,
  hearStop: (arrival: StopArrival, world: Runtime) => Promise<Answer>,
): Promise<Answer> {
  const adopted = await adoptAtStop(arrival, world);
  if (adopted.is === 'left') return adopted.answer;
  const answer = await hearStop(arrival, world);
  return 'toPerson' in answer
    ? { ...answer, toPerson: [adopted.notice, answer.toPerson].join('\n') }
    : { is: 'tell', toPerson: adopted.notice };
}

/** `left`: the file stays what it was, and the stop is allowed with this answer. */
type AdoptedAtStop =
  | { readonly is: 'adopted'; readonly notice: string }
  | { readonly is: 'left'; readonly answer: Answer };

/** A session's entry is derived: where it is gone or broken, the journal of the loop tells that the loop is this session's. */
function findAgain(id: string, from: Sender, world: Runtime): AdoptedAtStop {
  const open = world.store.open(id);
  if (open === null) return LEFT;
  const loop = open.loop();
  open.close();
  if (hasEnded(loop) || loop.owner?.session !== from.session) return LEFT;
  world.store.sessions.keep(from.session, { loop: id, process: loop.owner.process, project: loop.project });
  world.log(`Stop session=${from.session} loop=${id} entry made again`);
  return { is: 'adopted', notice: `Da Capo: loop ${title(loop)} of this session was found again.` };
}

/** Why a file that names no session may not be this one's; null: nobody else can be meant. */
function doubtAbout(
  file: Extract<FileReading, { is: 'content' }>,
  arrival: StopArrival,
  path: string,
): string | null {
  const { sessionBegan, othersLive } = arrival.surroundings();
  if (sessionBegan === null) return 'when this session began is not known';
  if (file.modifiedMs < sessionBegan) return 'it is older than this session';
  if (othersLive > 0) return 'another session is live in this project';
  if (isTracked(arrival.from.project, path)) return 'it is, or may be, under version control';
  return null;
}
