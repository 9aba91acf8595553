/**
 * What a pass works on: an item of its list, the next open feature, or the task itself; and the notes of
 * earlier agents.
 */
import { featuresOf, unprovenItems } from '#law/gates.ts';
import { planOf, type Loop } from '#law/loop.ts';
import { oneLine, fenced, tailOf } from '#base/words/sanitize.ts';
import { readPromptText } from '#store/prompts.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import { join } from 'node:path';
import { readEnd } from '#base/files/read.ts';
import { notesFileOf } from '#evidence/views/names.ts';

/** The marks of a heading, a quote or a list before the first words of a task. */
const MARKUP = /^(?:[#>*-]+\s+)+/;

export function featureFacts(loop: Loop) {
  return loop.last?.features ?? featuresOf(loop.frame)?.begun ?? null;
}

export function nextFeature(loop: Loop, facts = featureFacts(loop)) {
  return facts?.is === 'read' ? facts.facts.next : null;
}

export function featureAtWork(loop: Loop): string | null {
  const facts = featureFacts(loop);
  const marked = facts?.is === 'read' ? facts.facts.marked : undefined;
  if (marked !== undefined && unprovenItems(loop) > 0) return `Repair ${marked.description}`;
  return nextFeature(loop, facts)?.description ?? null;
}

export function readWork({ blobs }: Pick<OpenLoop, 'blobs'>, loop: Loop, max: number): string {
  const { item, prompt } = loop.frame;
  const ofSet = planOf(loop).part === undefined ? null : loop.name;
  const given = item?.title ?? featureAtWork(loop) ?? ofSet ?? firstLine(readPromptText(blobs, prompt));
  return oneLine(given, max) || oneLine(loop.name ?? loop.id, max);
}

function firstLine(text: string): string {
  const lines = text.split('\n').map((line) => line.trim().replace(MARKUP, ''));
  return lines.find((line) => /[\p{L}\p{N}]/u.test(line)) ?? '';
}

const MAX_NOTES_CHARS = 4_000;
/** How many bytes we read from the end: enough for what is shown, however long the file is. */
const NOTES_END_BYTES = 64 * 1024;

export function notesPath({ id, project }: Pick<Loop, 'id' | 'project'>): string {
  return join(project, notesFileOf(id));
}

/**
 * Notes of one agent for the next, which starts without its memory. The agents keep them in a file of the
 * project. Every brief includes the file, or only its end where it is too long.
 */
export function notesFor(loop: Loop): string {
  const file = notesFileOf(loop.id);
  const offer =
    'What the next agent should know (what you tried, what you found out, where things stand) belongs ' +
    `in ${file}: a few lines, kept short. It starts without your memory.`;
  const notes = tailOf(readEnd(notesPath(loop), NOTES_END_BYTES).trim(), MAX_NOTES_CHARS);
  return notes === '' ? offer : `Notes of the agents before you (${file}):\n${fenced(notes)}\n\n${offer}`;
}
