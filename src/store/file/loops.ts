/** All loops of the home: making one, listing them, removing one. */
import { mkdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import type { Loop } from '#law/loop.ts';
import { firstEvent, type Event } from '#law/record/events.ts';
import { errorMessage, isId, isRecord, jsonLines } from '#base/shape.ts';
import type { OpenLoop } from '../open-loop.ts';
import { summaryOf, type Stamp, type Store, type Stored, type Summaries, type Summary } from '../store.ts';
import type { LoopFile } from '../manifest.ts';
import { makeInHome } from './make-in-home.ts';
import { fileBlobs, openJournal, opened, openLoop } from './open-loop.ts';
import { isExistsError, makePrivateFolder, namesIn, type Home, readIfThere, findSession } from './home.ts';
import { folderIn } from './journal-reader.ts';
import { forgetLook, trustEnded } from './last-look.ts';
import { keepSummaries, readSummaries } from './summaries.ts';
import { findLeftExports, removeExport } from '#base/files/exports.ts';
import { syncFolder } from '#base/files/sync-folder.ts';

const NO_LOOP = 'its journal does not begin with a loop';

type Loops = Pick<
  Store,
  'make' | 'loops' | 'stamps' | 'summaries' | 'visit' | 'remove' | 'leftovers' | 'sweep'
>;

export function fileLoops(home: Home): Loops {
  return {
    make: (created, prepare) => makeLoop(home, created, prepare),
    loops: () =>
      namesIn(home.loops)
        .filter(isId)
        .sort()
        .flatMap((id) => stored(home, id) ?? []),
    stamps: () => stampsIn(home),
    summaries: () => visitLoops(home, NONE, NONE),
    visit: (fits, visit) => visitLoops(home, fits, visit),
    remove: (id) => {
      // On Windows a folder stays for as long as anybody has a file of it open.
      if (!isId(id)) return;
      rmSync(join(home.loops, id), { recursive: true, force: true, maxRetries: 5 });
      // Another loop may get that id.
      forgetLook(home.dir);
    },
    leftovers: (sweep) => findLeftovers(home, sweep),
    sweep: (leftovers) => {
      for (const path of leftovers) removeExport(path);
    },
  };
}

/** The folder is the claim: the process that makes the folder makes the loop. */
function makeLoop(home: Home, ...[created, prepare]: Parameters<Store['make']>): ReturnType<Store['make']> {
  const dir = join(home.loops, created.id);
  makeInHome(home.loops, home.dir);
  // A process that made these folders may have died before their names were safe.
  for (const folder of [dirname(home.dir), home.dir]) syncFolder(folder);
  try {
    mkdirSync(dir, { mode: 0o700 });
    syncFolder(home.loops);
  } catch (error) {
    if (isExistsError(error)) return 'taken';
    throw error;
  }
  prepare({ blobs: fileBlobs(dir), folder: (name) => folderIn(dir, name) });
  const journal = openJournal(journalOf(home, created.id));
  journal.append(firstEvent(created));
  syncFolder(dir);
  const open = opened(dir, journal);
  if (open === null) throw new Error(`${dir}: a journal that was just written can't be read`);
  return open;
}

/** Writes a loop that another machine has. The journal comes last: it names nothing that is not there. */
export function writeCopy(
  home: Home,
  id: string,
  events: readonly Event[],
  parts: readonly LoopFile[],
): string {
  clearCopy(home, id);
  const dir = join(home.loops, id);
  forgetLook(home.dir);
  makePrivateFolder(dir);
  for (const { name, content } of parts) fileBlobs(dir).write(name, content);
  const journal = openJournal(journalOf(home, id));
  for (const event of events) journal.append(event);
  journal.settle();
  journal.close();
  syncFolder(dir);
  return dir;
}

/** Leaves the evidence, which has names of its own for every stop, and is nowhere else as a whole. */
export function clearCopy(home: Home, id: string): void {
  if (!isId(id)) throw new Error(`${JSON.stringify(id)} is no id of a loop`);
  const dir = join(home.loops, id);
  for (const name of namesIn(dir))
    if (name !== 'evidence') rmSync(join(dir, name), { recursive: true, force: true });
}

function stored(home: Home, id: string): Stored | null {
  const opened = openOrSay(home, id);
  if (opened === null || 'unread' in opened) return opened;
  opened.close();
  return { id, loop: opened.loop(), broken: opened.broken() };
}

function openOrSay(home: Home, id: string): OpenLoop | Extract<Stored, { loop: null }> | null {
  try {
    const open = openLoop(home, id);
    return open ?? (isEmpty(home, id) ? null : { id, loop: null, unread: NO_LOOP });
  } catch (error) {
    return { id, loop: null, unread: errorMessage(error) };
  }
}

/**
 * A start that has not written its first event, or died before. A journal that holds anything is never
 * removed.
 */
function isEmpty(home: Home, id: string): boolean {
  return (statSync(journalOf(home, id), { throwIfNoEntry: false })?.size ?? 0) === 0;
}

function journalOf(home: Home, id: string): string {
  // Not joined: `dacapo status` asks for each of a thousand loops.
  return `${home.loops}${sep}${id}${sep}journal.jsonl`;
}

function stampsIn(home: Home): Stamp[] {
  return namesIn(home.loops)
    .filter(isId)
    .flatMap((id) => readStamp(home, id) ?? []);
}

/** The inode tells a loop that was removed and made again. Null: no journal. */
function readStamp(home: Home, id: string): Stamp | null {
  const stat = statSync(journalOf(home, id), { throwIfNoEntry: false });
  return stat === undefined ? null : { id, stamp: `${stat.ino}.${stat.size}.${stat.mtimeMs}` };
}

const NONE = () => false;

/**
 * Summaries of all loops, kept in the home from one call to the next. A loop is opened only if its record has
 * grown since, or if it fits, so that a home with a thousand loops is not read to show one. Absent, damaged
 * or of another version, the file is made again. At most calls the records of loops that have ended are not
 * looked at (last-look.ts).
 */
function visitLoops(home: Home, ...[fits, visit]: Parameters<Store['visit']>): Summaries {
  const before = readSummaries(home.dir);
  const known: Summary[] = [];
  const others: Stored[] = [];
  // Where there is no loop yet, nothing is left behind.
  const trusts = before.size > 0 && trustEnded(home.dir);
  for (const id of namesIn(home.loops)) {
    const last = before.get(id);
    if (last === undefined && !isId(id)) continue;
    const stamp = trusts && last?.ended === true ? last.stamp : readStamp(home, id)?.stamp;
    if (stamp === undefined) continue;
    const same = last?.stamp === stamp ? last : null;
    const isAsked = same !== null && fits(same);
    if (same !== null && !isAsked) {
      known.push(same);
      continue;
    }
    const open = openOrSay(home, id);
    if (open === null) continue;
    if ('unread' in open) {
      others.push(open);
      continue;
    }
    const stored = { id, loop: open.loop(), broken: open.broken() };
    const read = same ?? summaryOf(stored, stamp);
    if (read === null) others.push(stored);
    else known.push(read);
    if (read === null || !(isAsked || fits(read)) || !visit(open)) open.close();
  }
  if (known.length !== before.size || known.some((one) => before.get(one.id) !== one))
    keepSummaries(home.dir, known);
  return { known, others };
}

/** A task whose loops are all gone, or that never had one, is kept this long. */
const TASK_MS = 30 * 24 * 60 * 60_000;
/** A process may still be writing a younger file. */
const SETTLED_MS = 60 * 60_000;
const TEMPORARY = /\.(\d+)\.tmp$/;

function findLeftovers(home: Home, { removed, now, isAlive }: Parameters<Store['leftovers']>[0]): string[] {
  const ageOf = (path: string) => {
    const at = Date.parse(now);
    return at - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? at);
  };
  const isSettled = (path: string) => ageOf(path) > SETTLED_MS;
  const isAbandoned = (path: string) => {
    const writer = TEMPORARY.exec(path)?.[1];
    return writer !== undefined && (!isAlive(Number(writer)) || isSettled(path));
  };
  const isStaleSession = (path: string) => {
    const session = basename(path);
    const entry = findSession(home, session);
    if (entry === null) return isSettled(path);
    const isOwner = (loop: Loop) => loop.session.owner?.session === session;
    return removed.has(entry.loop) || (!isOf(home, entry.loop, isOwner) && isSettled(path));
  };
  const isStaleReady = (path: string) => {
    const id = readIfThere(path)?.trim() ?? '';
    return !isId(id) || removed.has(id) || !isOf(home, id, ({ status }) => status.is === 'pending');
  };
  const isThere = (id: string) => !removed.has(id) && isOf(home, id, () => true);
  const isStaleTask = (path: string) =>
    ageOf(path) > TASK_MS && !loopsNamedIn(readIfThere(path) ?? '').some(isThere);
  const entries = (folder: string) => listing(folder).filter((path) => !TEMPORARY.test(path));
  const loops = listing(home.loops).filter((path) => !removed.has(basename(path)));
  return [
    ...[home.dir, home.sessions, home.ready, join(home.dir, 'outbox'), ...loops]
      .flatMap(listing)
      .filter(isAbandoned),
    ...entries(home.sessions).filter(isStaleSession),
    ...entries(home.ready).filter(isStaleReady),
    ...listing(home.tasks).filter(isStaleTask),
    ...findLeftExports(home.dir, isAlive, Date.parse(now)),
    // At worst, Da Capo says something a second time.
    ...listing(home.announced).filter(isSettled),
    ...loops.filter((path) => isEmpty(home, basename(path)) && isSettled(path)),
  ];
}

function loopsNamedIn(log: string): string[] {
  return jsonLines(log).flatMap((entry) =>
    isRecord(entry) && typeof entry['loop'] === 'string' ? entry['loop'] : [],
  );
}

/** Whether the test holds for this loop. A loop that only a later version can read is left alone. */
function isOf(home: Home, id: string, test: (loop: Loop) => boolean): boolean {
  try {
    const open = openLoop(home, id);
    open?.close();
    return open !== null && test(open.loop());
  } catch {
    return true;
  }
}

function listing(folder: string): string[] {
  return namesIn(folder).map((name) => join(folder, name));
}
