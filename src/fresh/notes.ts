/**
 * Notes of one agent for the next, which starts without its memory. The agents keep them in a file of the project. Every
 * brief includes the file, or only its end where it is too long.
 */
import { join } from 'node:path';
import { fenced, tailOf } from '../core/words/sanitize.ts';
import type { Loop } from '../core/loop.ts';
import { readEnd } from '../files/read.ts';
import { notesFileOf } from '../views/names.ts';

/** How many characters of the notes the next agent is given; the file holds the rest. */
const SHOWN = 4_000;
/** How many bytes we read from the end: enough for what is shown, however long the file is. */
const READ = 64 * 1024;

export function notesPath({ id, project }: Pick<Loop, 'id' | 'project'>): string {
  return join(project, notesFileOf(id));
}

export function notesFor(loop: Loop): string {
  const file = notesFileOf(loop.id);
  const offer = `What the next agent should know (what you tried, what you found out, where things stand) belongs in ${file}: a few lines, kept short. It starts without your memory.`;
  const notes = tailOf(readEnd(notesPath(loop), READ).trim(), SHOWN);
  return notes === '' ? offer : `Notes of the agents before you (${file}):\n${fenced(notes)}\n\n${offer}`;
}
