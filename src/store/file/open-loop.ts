/** A loop as a folder, with its journal, its cache and its blobs. */
import { join, sep } from 'node:path';
import { isId } from '../../core/shape.ts';
import { type Journal, follow, type OpenLoop, type Blobs } from '../open-loop.ts';
import { readCache, writeCache } from './cache.ts';
import { ifThere, readIfThere, type Home } from './home.ts';
import { blobWriter, folderIn } from './write-blobs.ts';
import { closeSync, constants, fdatasyncSync, fstatSync, openSync, writeSync } from 'node:fs';
import type { Event } from '../../core/record/events.ts';
import { openForReading } from './read-only.ts';
import { readBytes, readEvents } from './read-journal.ts';
import { watchGrowth } from './watch.ts';

const { O_APPEND, O_CREAT, O_RDWR } = constants;

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

/**
 * The journal in a file. One append is one write of newline + event + newline, so a torn line can't swallow the next one.
 * It also differs from a broken line: after a whole line comes a blank line or the end, after a torn one neither.
 * Without `make` it throws where there is no journal: a reader must not create one.
 */
export function openJournal(path: string, { make = true } = {}): Journal {
  let file: number;
  try {
    file = openSync(path, O_RDWR | O_APPEND | (make ? O_CREAT : 0), 0o600);
  } catch (error) {
    return openForReading(path, error);
  }
  return {
    append: (event) => append(file, event),
    settle: () => fdatasyncSync(file),
    read: (from) => readEvents(file, from),
    end: () => fstatSync(file).size,
    raw: () => readBytes(file, 0),
    watch: (grown) => watchGrowth(path, grown),
    close: () => closeSync(file),
  };
}

function append(file: number, event: Event): number {
  const line = Buffer.from(`\n${JSON.stringify(event)}\n`);
  const written = writeSync(file, line);
  if (written !== line.length)
    throw Object.assign(new Error(`journal: only ${written} of ${line.length} bytes were written`), {
      code: 'ENOSPC',
    });
  return written;
}

export function fileBlobs(dir: string): Blobs {
  const place = (name: string) => join(dir, name);
  return {
    place,
    read: (name) => readIfThere(place(name)),
    write: (name, content, options) => blobWriter(dir).write(name, content, options),
    keep: (name, content) => blobWriter(dir).keep(name, content),
    list: (prefix) => blobWriter(dir).list(prefix),
    remove: (name) => blobWriter(dir).remove(name),
  };
}
