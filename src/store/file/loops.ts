/** All loops of the home: making one, listing them, removing one. */
import { mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { JOURNAL_VERSION } from '../../core/record/versions.ts';
import { errorMessage } from '../../core/thrown.ts';
import { isId } from '../../core/shape.ts';
import type { Stamp, Store, Stored } from '../store.ts';
import { fileBlobs, openJournal, opened, openLoop } from './open-loop.ts';
import { isTaken, makePrivateFolder, namesIn, type Home } from './home.ts';
import { findLeftovers } from './leftovers.ts';
import { fileSummaries } from './summaries.ts';
import { folderIn } from './write-blobs.ts';

const NO_LOOP = 'its journal does not begin with a loop';

type Loops = Pick<Store, 'make' | 'loops' | 'stamps' | 'summaries' | 'remove' | 'leftovers' | 'sweep'>;

export function fileLoops(home: Home): Loops {
  return {
    make: (created, prepare) => makeLoop(home, created, prepare),
    loops: () =>
      namesIn(home.loops)
        .filter(isId)
        .sort()
        .flatMap((id) => stored(home, id) ?? []),
    stamps: () => stampsIn(home),
    summaries: () => fileSummaries(home, stampsIn(home), (id) => stored(home, id)),
    remove: (id) => {
      if (isId(id)) rmSync(join(home.loops, id), { recursive: true, force: true });
    },
    leftovers: (sweep) => findLeftovers(home, sweep),
    sweep: (leftovers) => {
      for (const path of leftovers) rmSync(path, { recursive: true, force: true });
    },
  };
}

/** The folder is the claim: the process that makes the folder makes the loop. */
function makeLoop(home: Home, ...[created, prepare]: Parameters<Store['make']>): ReturnType<Store['make']> {
  const dir = join(home.loops, created.id);
  makePrivateFolder(home.loops);
  try {
    mkdirSync(dir, { mode: 0o700 });
  } catch (error) {
    if (isTaken(error)) return 'taken';
    throw error;
  }
  prepare({ blobs: fileBlobs(dir), folder: (name) => folderIn(dir, name) });
  const journal = openJournal(join(dir, 'journal.jsonl'));
  journal.append({ ...created, version: JOURNAL_VERSION });
  const open = opened(dir, journal);
  if (open === null) throw new Error(`${dir}: a journal that was just written can't be read`);
  return open;
}

function stored(home: Home, id: string): Stored | null {
  try {
    const open = openLoop(home, id);
    if (open === null) return isEmpty(home, id) ? null : { id, loop: null, unread: NO_LOOP };
    open.close();
    return { id, loop: open.loop(), broken: open.broken() };
  } catch (error) {
    return { id, loop: null, unread: errorMessage(error) };
  }
}

/** A start that has not written its first event, or never will. */
function isEmpty(home: Home, id: string): boolean {
  return (statSync(journalOf(home, id), { throwIfNoEntry: false })?.size ?? 0) === 0;
}

function journalOf(home: Home, id: string): string {
  return join(home.loops, id, 'journal.jsonl');
}

function stampsIn(home: Home): Stamp[] {
  return namesIn(home.loops)
    .filter(isId)
    .flatMap((id) => stampOf(home, id) ?? []);
}

/** The inode tells a loop that was removed and made again. Null: no journal. */
function stampOf(home: Home, id: string): Stamp | null {
  const stat = statSync(journalOf(home, id), { throwIfNoEntry: false });
  return stat === undefined ? null : { id, stamp: `${stat.ino}.${stat.size}.${stat.mtimeMs}` };
}
