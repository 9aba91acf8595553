/**
 * Guards the lists that a loop works off: the agent may add items and tick its own, but remove none that
 * waits.
 */
import { resolve } from 'node:path';
import { keepsWaiting } from '../lists/items.ts';
import { framesOf, type Loop } from '#law/loop.ts';
import type { ToolAct } from '#hosts/port/arrival.ts';
import { readListFile } from '../lists/file.ts';
import { splitName } from '../lists/sections.ts';

/** A list that comes from a command is not a file. */
export function listsOf(loop: Loop): string[] {
  return namesOf(loop).map((name) => splitName(name).file);
}

/** As the person named them, perhaps with a section. */
function namesOf(loop: Loop): string[] {
  return framesOf(loop).flatMap(({ items }) => (items?.from.is === 'file' ? [items.from.file] : []));
}

/**
 * `act`: null if it does not tell what the list would contain afterwards. An unreadable list has nothing to
 * lose.
 */
export function keepsItems(file: string, loop: Loop, act: Extract<ToolAct, { is: 'write' }> | null): boolean {
  const { project } = loop;
  const path = resolve(project, file);
  const name = namesOf(loop).find((known) => resolve(project, splitName(known).file) === path);
  const before = readListFile(file, project);
  if (!before.ok) return true;
  const had = framesOf(loop).flatMap(({ handled, item }) =>
    item === null ? handled : [...handled, item.id],
  );
  return keepsWaiting(before.content, act === null ? null : contentAfter(before.content, act), had, name);
}

function contentAfter(before: string, { content, edits }: Extract<ToolAct, { is: 'write' }>): string | null {
  if (content !== null || edits.length === 0) return content;
  return edits.reduce(
    // A function, because the text may hold `$&`.
    (text, { from, to, all }) => (all ? text.replaceAll(from, () => to) : text.replace(from, () => to)),
    before,
  );
}
