/**
 * The parts of a loop in files that a common stop does not need: it reads no event, and writes only to the
 * journal.
 */
import {
  fstatSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
  unwatchFile,
  watch,
  watchFile,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { readEvent, type Event, type Read } from '#law/record/events.ts';
import { attempt } from '#base/shape.ts';
import { numbered, type Blobs, type JournalReading } from '../open-loop.ts';
import { replaceFile, isExistsError, makePrivateFolder } from './home.ts';
import { syncFolder } from '#base/files/rename.ts';

const NEWLINE = 10;
const MAX_EXCERPT_CHARS = 200;

export function readBytes(file: number, from: number): Buffer {
  const size = fstatSync(file).size;
  const length = Math.max(0, size - from);
  const bytes = Buffer.allocUnsafe(length);
  let done = 0;
  while (done < length) {
    const count = readSync(file, bytes, done, length - done, from + done);
    if (count === 0) break;
    done += count;
  }
  return bytes.subarray(0, done);
}

export function readEvents(file: number, from: number): JournalReading {
  const bytes = readBytes(file, from);
  const events: Event[] = [];
  let broken: string | null = null;
  let at = 0;
  for (;;) {
    const end = bytes.indexOf(NEWLINE, at);
    // A line without a newline is unfinished. We read it again next time.
    if (end === -1) return { events, upTo: from + at, broken };
    if (end > at) {
      const line = bytes.toString('utf8', at, end);
      const read = parseLine(line);
      const torn = end + 1 < bytes.length && bytes[end + 1] !== NEWLINE;
      if (read.is === 'newer' || read.is === 'older')
        return { events: [], upTo: from, broken: null, otherVersion: read.why };
      if (read.is === 'broken') broken ??= torn ? null : line.slice(0, MAX_EXCERPT_CHARS);
      if (read.is === 'event') events.push(read.event);
    }
    at = end + 1;
  }
}

function parseLine(line: string): Read {
  try {
    return readEvent(JSON.parse(line));
  } catch {
    return { is: 'broken' };
  }
}

/** Some file systems have no inotify. There this poll bounds how late a watcher is called. */
const POLL_MS = 500;

export function watchGrowth(path: string, grown: () => void): () => void {
  let size = statSync(path).size;
  const look = () => {
    const now = statSync(path, { throwIfNoEntry: false })?.size ?? size;
    if (now === size) return;
    size = now;
    grown();
  };
  // Null where the system has no watches left.
  const watcher = attempt(() => watch(path, look).on('error', () => undefined), null);
  watchFile(path, { interval: POLL_MS }, look);
  return () => {
    watcher?.close();
    unwatchFile(path, look);
  };
}

export function blobWriter(dir: string): Pick<Blobs, 'write' | 'keep' | 'list' | 'remove'> {
  return {
    write: (name, content, { durable = false } = {}) => replaceFile(join(dir, name), content, { durable }),
    keep: (name, content) => keepFile(dir, name, content),
    list: (prefix) => filesIn(dir, prefix),
    remove: (name) => rmSync(join(dir, name), { force: true }),
  };
}

export function folderIn(dir: string, name: string): string {
  const folder = join(dir, name);
  makePrivateFolder(folder);
  return folder;
}

/**
 * With content it is a copy of what somebody wrote, and the original may go next: the copy has to be safe by
 * then.
 */
function keepFile(dir: string, name: string, content: string | Uint8Array): string {
  const isCopy = content.length > 0;
  makePrivateFolder(dirname(join(dir, name)));
  for (let copy = 1; ; copy++) {
    const free = numbered(name, copy);
    try {
      writeFileSync(join(dir, free), content, { flag: 'wx', mode: 0o600, flush: isCopy });
      if (isCopy) syncFolder(dirname(join(dir, free)));
      return free;
    } catch (error) {
      if (!isExistsError(error)) throw error;
    }
  }
}

/** The prefix is a folder, optionally with the beginning of the names in it. */
function filesIn(dir: string, prefix: string): string[] {
  const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1);
  const entries = attempt(() => readdirSync(join(dir, folder), { withFileTypes: true }), []);
  return entries
    .filter((entry) => entry.isFile())
    .map(({ name }) => `${folder}${name}`)
    .filter((name) => name.startsWith(prefix))
    .sort();
}
