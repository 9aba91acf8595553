/** Writes a loop that another machine has as a folder of this home. The journal comes last: it names nothing that is not there. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Event } from '../../core/record/events.ts';
import type { LoopFile } from '../manifest.ts';
import { makePrivateFolder, namesIn, type Home } from './home.ts';
import { fileBlobs, openJournal } from './open-loop.ts';

export function writeCopy(
  home: Home,
  id: string,
  events: readonly Event[],
  parts: readonly LoopFile[],
): string {
  const dir = join(home.loops, id);
  makePrivateFolder(dir);
  clearCopy(home, id);
  for (const { name, content } of parts) fileBlobs(dir).write(name, content);
  const journal = openJournal(join(dir, 'journal.jsonl'));
  for (const event of events) journal.append(event);
  journal.settle();
  journal.close();
  return dir;
}

/** Leaves the evidence, which has names of its own for every stop, and is nowhere else as a whole. */
export function clearCopy(home: Home, id: string): void {
  const dir = join(home.loops, id);
  for (const name of namesIn(dir))
    if (name !== 'evidence') rmSync(join(dir, name), { recursive: true, force: true });
}
