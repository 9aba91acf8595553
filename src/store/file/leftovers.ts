/** Finds what crashes and removed loops leave in the home: temporary files, dangling entries, half-made loops. */
import { statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Loop } from '../../core/loop.ts';
import { isRecord, isId } from '../../core/shape.ts';
import type { Sweep } from '../store.ts';
import { namesIn, readIfThere, type Home, findSession } from './home.ts';
import { openLoop } from './open-loop.ts';
import { entriesOf, tasksFolder } from './tasks.ts';

/** A task whose loops are all gone, or that never had one, is kept this long. */
const TASK_MS = 30 * 24 * 60 * 60_000;
/** A process may still be writing a younger file. */
const SETTLED_MS = 60 * 60_000;
const TEMPORARY = /\.(\d+)\.tmp$/;

export function findLeftovers(home: Home, { removed, now, isAlive }: Sweep): string[] {
  const isSettled = (path: string) => {
    const at = Date.parse(now);
    return at - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? at) > SETTLED_MS;
  };
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
  const isStaleTask = (path: string) => {
    const age = Date.parse(now) - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.parse(now));
    return (
      age > TASK_MS &&
      !loopsNamedIn(readIfThere(path) ?? '').some((id) => !removed.has(id) && isOf(home, id, () => true))
    );
  };
  const entries = (folder: string) => listing(folder).filter((path) => !TEMPORARY.test(path));
  const loops = listing(home.loops).filter((path) => !removed.has(basename(path)));
  return [
    ...[home.dir, home.sessions, home.ready, join(home.dir, 'outbox'), ...loops]
      .flatMap(listing)
      .filter(isAbandoned),
    ...entries(home.sessions).filter(isStaleSession),
    ...entries(home.ready).filter(isStaleReady),
    ...listing(tasksFolder(home)).filter(isStaleTask),
    // At worst, Da Capo says something a second time.
    ...listing(home.announced).filter(isSettled),
    ...loops.filter((path) => isHalfMade(path) && isSettled(path)),
  ];
}

function loopsNamedIn(log: string): string[] {
  return entriesOf(log).flatMap((entry) =>
    isRecord(entry) && typeof entry['loop'] === 'string' ? entry['loop'] : [],
  );
}

/** A start that died before its first event. A journal that holds anything is never touched. */
function isHalfMade(folder: string): boolean {
  const record = statSync(join(folder, 'journal.jsonl'), { throwIfNoEntry: false });
  return record === undefined || record.size === 0;
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
