/**
 * The journal in a file. One append is one write of newline + event + newline, so a torn line can't swallow the next one.
 * It also differs from a broken line: after a whole line comes a blank line or the end, after a torn one neither.
 */
import { closeSync, constants, fdatasyncSync, fstatSync, openSync, writeSync } from 'node:fs';
import type { Event } from '../../core/record/events.ts';
import type { Journal } from '../journal.ts';
import { openForReading } from './read-only.ts';
import { readBytes, readEvents } from './read-journal.ts';
import { watchGrowth } from './watch.ts';

const { O_APPEND, O_CREAT, O_RDWR } = constants;

/** Without `make` it throws where there is no journal: a reader must not create one. */
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
    throw new Error(`journal: only ${written} of ${line.length} bytes were written (disk full?)`);
  return written;
}
