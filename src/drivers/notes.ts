/**
 * Notes: what one agent learned, for the next, which knows nothing. A file of the project that the agents keep themselves;
 * it is offered in every brief, its end first where it has grown too long.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fenced, tailOf } from '../core/harmless.ts';
import type { Loop } from '../core/loop.ts';

/** What of the notes is put before the next agent; the file holds the rest. */
const SHOWN = 4_000;

export function notesPath(loop: Pick<Loop, 'id' | 'project'>): string {
  return join(loop.project, notesFile(loop));
}

function notesFile({ id }: Pick<Loop, 'id'>): string {
  return join('.claude', `ralph-notes.${id}.local.md`);
}

export function notesFor(loop: Loop): string {
  const file = notesFile(loop);
  const offer = `What the next agent should know (what you tried, what you found out, where things stand) belongs in ${file}: a few lines, kept short. It starts without your memory.`;
  const notes = read(notesPath(loop));
  return notes === '' ? offer : `Notes of the agents before you (${file}):\n${fenced(notes)}\n\n${offer}`;
}

function read(path: string): string {
  if (!existsSync(path)) return '';
  try {
    return tailOf(readFileSync(path, 'utf8').trim(), SHOWN);
  } catch {
    // Something else lies under that name: then there are no notes.
    return '';
  }
}
