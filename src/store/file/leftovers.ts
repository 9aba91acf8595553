/** What nobody needs any more: unfinished files, entries of loops that are gone, and old logs of tasks. */
import { statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Loop } from '#law/loop.ts';
import { findLeftExports, removeExport } from '#base/files/exports.ts';
import { isId, isRecord, jsonLines } from '#base/shape.ts';
import type { Store } from '../store.ts';
import { findSession, isEmptyLoop, namesIfThere, readIfThere, type Home } from './home.ts';
import { openLoop } from './open-loop.ts';

/** A task whose loops are all gone, or that never had one, is kept this long. */
const TASK_MS = 30 * 24 * 60 * 60_000;
/** A process may still be writing a younger file. */
const SETTLED_MS = 60 * 60_000;
const TEMPORARY = /\.(\d+)\.tmp$/;

export function findLeftovers(
  home: Home,
  { removed, now, isAlive }: Parameters<Store['leftovers']>[0],
): string[] {
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
    ...loops.filter((path) => isEmptyLoop(home, basename(path)) && isSettled(path)),
  ];
}

export function sweepLeftovers(leftovers: readonly string[]): void {
  for (const path of leftovers) removeExport(path);
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
  return namesIfThere(folder).map((name) => join(folder, name));
}
