/** A loop as a folder, with its journal, its cache and its blobs. */
import { join, sep } from 'node:path';
import { isId, codeOf } from '#base/shape.ts';
import { type Journal, followRecord, type OpenLoop, type Blobs, type Cached } from '../open-loop.ts';
import { appendLine, ifThere, readIfThere, type Home } from './home.ts';
import { closeSync, constants, fdatasyncSync, fstatSync, openSync, writeSync, readFileSync } from 'node:fs';
import { blobWriter, folderIn, readBytes, readEvents, watchGrowth } from './journal-reader.ts';
import { forgetLook } from './last-look.ts';
import { hasEnded, LOOP_VERSION } from '#law/loop.ts';

const { O_APPEND, O_CREAT, O_RDONLY, O_RDWR, O_WRONLY } = constants;
const CLOSED_TO_WRITING = ['EROFS', 'EACCES', 'EPERM'];

export function openLoop(home: Home, id: string): OpenLoop | null {
  if (!isId(id)) return null;
  const dir = `${home.loops}${sep}${id}`;
  const journal = ifThere(() => openJournal(`${dir}${sep}journal.jsonl`, { make: false }), null);
  return journal && opened(dir, journal);
}

export function opened(dir: string, journal: Journal): OpenLoop | null {
  const cache = `${dir}${sep}state.json`;
  const open = followRecord({
    journal,
    blobs: fileBlobs(dir),
    folder: (name) => folderIn(dir, name),
    readCache: () => readCache(cache),
    writeCache: (cached) => writeCache(cache, cached),
  });
  return (
    open && {
      ...open,
      write: (event) => {
        const hadEnded = hasEnded(open.loop());
        const after = open.write(event);
        if (hadEnded && !hasEnded(after)) forgetLook(join(dir, '../..'));
        return after;
      },
    }
  );
}

/**
 * The journal in a file. One append is one write of newline + event + newline, so a torn line can't swallow
 * the next one. It also differs from a broken line: after a whole line comes a blank line or the end, after a
 * torn one neither. Without `make` it throws where there is no journal: a reader must not create one.
 */
export function openJournal(path: string, { make = true } = {}): Journal {
  let file: number;
  /** Why it can be read only: the disk, or a folder of somebody else's. */
  let closed: Error | null = null;
  try {
    file = openSync(path, O_RDWR | O_APPEND | (make ? O_CREAT : 0), 0o600);
  } catch (error) {
    if (!(error instanceof Error) || !CLOSED_TO_WRITING.includes(codeOf(error))) throw error;
    file = openSync(path, O_RDONLY);
    closed = error;
  }
  return {
    append: (event) => {
      if (closed) throw closed;
      return appendLine(file, 'journal', event);
    },
    settle: () => {
      if (!closed) fdatasyncSync(file);
    },
    read: (from) => readEvents(file, from),
    end: () => fstatSync(file).size,
    raw: () => readBytes(file, 0),
    watch: (grown) => watchGrowth(path, grown),
    close: () => closeSync(file),
  };
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

/**
 * `state.json`: the fold up to a position, so that reading stays flat. Wrong, old or absent, it is rebuilt.
 */
function readCache(path: string): Cached | null {
  try {
    // What stands behind the third line is left of a longer state.
    const [version, body = '', copy] = readFileSync(path, 'utf8').split('\n', 3);
    if (version !== String(LOOP_VERSION) || copy !== copyOf(body)) return null;
    // The copy makes it our own writing: its shape is the one of this version.
    return JSON.parse(body) as Cached;
  } catch {
    return null;
  }
}

/**
 * In place, where a new file and a rename would take 0.4 ms of every stop: a copy tells a reader that it came
 * in the middle of a write. It only saves time: a disk that is full must not void a hearing.
 */
function writeCache(path: string, { upTo, loop }: Cached): void {
  const body = JSON.stringify({ upTo, loop });
  try {
    const file = openSync(path, O_WRONLY | O_CREAT, 0o600);
    try {
      writeSync(file, `${LOOP_VERSION}\n${body}\n${copyOf(body)}\n`, 0);
    } finally {
      closeSync(file);
    }
  } catch {
    // The record has it all.
  }
}

/**
 * In another encoding, so that an edit of the body is not an edit of the copy. Our own hash would take 0.4 ms
 * longer.
 */
function copyOf(body: string): string {
  return Buffer.from(body).toString('base64');
}
