/** The folder of a loop: made, written as a copy, removed. */
import { mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { firstEvent, type Event } from '#law/record/events.ts';
import { isId } from '#base/shape.ts';
import { syncFolder } from '#base/files/rename.ts';
import type { Store } from '../store.ts';
import type { LoopFile } from '../manifest.ts';
import { isExistsError, journalOf, makeInHome, makePrivateFolder, namesIfThere, type Home } from './home.ts';
import { folderIn } from './journal-reader.ts';
import { forgetLook } from './last-look.ts';
import { fileBlobs, openJournal, opened } from './open-loop.ts';

/** The folder is the claim: the process that makes the folder makes the loop. */
export function makeLoop(
  home: Home,
  ...[created, prepare]: Parameters<Store['make']>
): ReturnType<Store['make']> {
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
  for (const name of namesIfThere(dir))
    if (name !== 'evidence') rmSync(join(dir, name), { recursive: true, force: true });
}

export function removeLoop(home: Home, id: string): void {
  if (!isId(id)) return;
  // On Windows a folder stays for as long as anybody has a file of it open.
  rmSync(join(home.loops, id), { recursive: true, force: true, maxRetries: 5 });
  // Another loop may get that id.
  forgetLook(home.dir);
}
