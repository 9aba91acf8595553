/** A loop as a folder, with its journal, its cache and its blobs. */
import { sep } from 'node:path';
import { isId } from '../id.ts';
import type { Journal } from '../journal.ts';
import { follow, type OpenLoop } from '../open-loop.ts';
import { fileBlobs } from './blobs.ts';
import { readCache, writeCache } from './cache.ts';
import { ifThere, type Home } from './home.ts';
import { openJournal } from './journal.ts';
import { folderIn } from './write-blobs.ts';

export function openLoop(home: Home, id: string): OpenLoop | null {
  if (!isId(id)) return null;
  const dir = `${home.loops}${sep}${id}`;
  const journal = ifThere(() => openJournal(`${dir}${sep}journal.jsonl`, { make: false }), null);
  return journal && opened(dir, journal);
}

export function opened(dir: string, journal: Journal): OpenLoop | null {
  const cache = `${dir}${sep}state.json`;
  return follow({
    journal,
    blobs: fileBlobs(dir),
    folder: (name) => folderIn(dir, name),
    readCache: () => readCache(cache),
    writeCache: (cached) => writeCache(cache, cached),
  });
}
