/**
 * Notes of one agent for the next, which starts without its memory. The agents keep them in a file of the project. Every
 * brief includes the file, or only its end where it is too long.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { fenced, tailOf } from '../core/words/sanitize.ts';
import type { Loop } from '../core/loop.ts';
import { WITH_LINKS } from '../files/read.ts';
import { notesFileOf } from '../views/names.ts';

/** How many characters of the notes the next agent is given; the file holds the rest. */
const SHOWN = 4_000;
/** How many bytes we read from the end: enough for what is shown, however long the file is. */
const READ = 64 * 1024;

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
    file = openSync(path, WITH_LINKS);
    const stat = fstatSync(file);
    if (!stat.isFile()) return '';
    const bytes = Buffer.alloc(Math.min(READ, stat.size));
    const count = readSync(file, bytes, 0, bytes.length, stat.size - bytes.length);
    return tailOf(bytes.toString('utf8', 0, count).trim(), SHOWN);
  } catch {
    // There are no notes, or the name belongs to something that is no file.
    return '';
  } finally {
    if (file !== null) closeSync(file);
  }
}
