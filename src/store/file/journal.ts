/**
 * The journal in a file. One append is one write of newline + event + newline, so a torn line can't swallow the next
 * one, and can be told from a broken one: a whole line is followed by a blank line or the end, a torn one is not.
 */
import {
  closeSync,
  constants,
  fdatasyncSync,
  fstatSync,
  openSync,
  readSync,
  statSync,
  unwatchFile,
  watch,
  watchFile,
  writeSync,
  type FSWatcher,
} from 'node:fs';
import { readEvent, type Event } from '../../core/events.ts';
import type { Journal, Reading } from '../journal.ts';

const { O_APPEND, O_CREAT, O_RDWR } = constants;
const NEWLINE = 10;
const EXCERPT = 200;
/** inotify is missing on some file systems: the poll beside it bounds how late a watcher hears. */
const POLL_MS = 500;

/** Throws where there is no record, unless one is to be made: a look must leave nothing behind. */
export function openJournal(path: string, { make = true } = {}): Journal {
  const file = openSync(path, O_RDWR | O_APPEND | (make ? O_CREAT : 0), 0o600);
  return {
    append: (event) => append(file, event),
    settle: () => fdatasyncSync(file),
    read: (from) => parse(readFrom(file, from), from),
    end: () => fstatSync(file).size,
    watch: (grown) => watchGrowth(path, grown),
    close: () => closeSync(file),
  };
}

function append(file: number, event: Event): number {
  const line = Buffer.from(`\n${JSON.stringify(event)}\n`);
  const written = writeSync(file, line);
  if (written !== line.length)
    throw new Error(`journal: only ${written} of ${line.length} bytes were written (disk full?)`);
  return written;
}

function readFrom(file: number, from: number): Buffer {
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

function parse(bytes: Buffer, from: number): Reading {
  const events: Event[] = [];
  let broken: string | null = null;
  let at = 0;
  for (;;) {
    const end = bytes.indexOf(NEWLINE, at);
    // What has no newline yet is unfinished: it is read again next time.
    if (end === -1) return { events, upTo: from + at, broken };
    if (end > at) {
      const line = bytes.toString('utf8', at, end);
      const read = parseLine(line);
      const torn = end + 1 < bytes.length && bytes[end + 1] !== NEWLINE;
      if (read === 'broken') broken ??= torn ? null : line.slice(0, EXCERPT);
      else if (read !== 'unknown') events.push(read);
    }
    at = end + 1;
  }
}

function parseLine(line: string): Event | 'unknown' | 'broken' {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return 'broken';
  }
  const read = readEvent(value);
  return read.is === 'event' ? read.event : read.is;
}

function watchGrowth(path: string, grown: () => void): () => void {
  let size = statSync(path).size;
  const look = () => {
    const now = statSync(path, { throwIfNoEntry: false })?.size ?? size;
    if (now === size) return;
    size = now;
    grown();
  };
  const watcher = tryWatch(path, look);
  watchFile(path, { interval: POLL_MS }, look);
  return () => {
    watcher?.close();
    unwatchFile(path, look);
  };
}

/** Null where the system has no watches left. */
function tryWatch(path: string, look: () => void): FSWatcher | null {
  try {
    return watch(path, look).on('error', () => undefined);
  } catch {
    return null;
  }
}
