/** Events out of the file. A stop whose cache is fresh reads none. */
import { fstatSync, readSync } from 'node:fs';
import { readEvent, type Event, type Read } from '../../core/record/events.ts';
import type { JournalReading } from '../open-loop.ts';

const NEWLINE = 10;
const EXCERPT = 200;

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
      if (read.is === 'newer') return { events: [], upTo: from, broken: null, newer: read.why };
      if (read.is === 'broken') broken ??= torn ? null : line.slice(0, EXCERPT);
      if (read.is === 'event') events.push(read.event);
    }
    at = end + 1;
  }
}

function parseLine(line: string): Read {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { is: 'broken' };
  }
  return readEvent(value);
}
