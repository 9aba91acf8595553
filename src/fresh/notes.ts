/**
 * Notes: what one agent learned, for the next, which knows nothing. A file of the project that the agents keep themselves;
 * it is offered in every brief, its end first where it has grown too long.
 */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { fenced, tailOf } from '../core/sanitize.ts';
import type { Loop } from '../core/loop.ts';
import { notesFileOf } from '../views/names.ts';

/** What of the notes is put before the next agent; the file holds the rest. */
const SHOWN = 4_000;
/** Bytes of their end that are read: enough for what is shown, whatever an agent has poured in. */
const READ = 64 * 1024;
/** Windows has no O_NONBLOCK. Without it a pipe under that name would hold the driver for ever. */
const READING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

export function notesPath(loop: Pick<Loop, 'id' | 'project'>): string {
  return join(loop.project, notesFile(loop));
}

function notesFile({ id }: Pick<Loop, 'id'>): string {
  return notesFileOf(id);
}

export function notesFor(loop: Loop): string {
  const file = notesFile(loop);
  const offer = `What the next agent should know (what you tried, what you found out, where things stand) belongs in ${file}: a few lines, kept short. It starts without your memory.`;
  const notes = read(notesPath(loop));
  return notes === '' ? offer : `Notes of the agents before you (${file}):\n${fenced(notes)}\n\n${offer}`;
}

function read(path: string): string {
  let file: number | null = null;
  try {
    file = openSync(path, READING);
    const stat = fstatSync(file);
    if (!stat.isFile()) return '';
    const bytes = Buffer.alloc(Math.min(READ, stat.size));
    const count = readSync(file, bytes, 0, bytes.length, stat.size - bytes.length);
    return tailOf(bytes.toString('utf8', 0, count).trim(), SHOWN);
  } catch {
    // There are none, or something else lies under that name.
    return '';
  } finally {
    if (file !== null) closeSync(file);
  }
}
