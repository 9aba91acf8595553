/** The start of a task that is too long to be given whole, and where to find the rest. Few stops need it. */
import { headOf } from '../../core/words/sanitize.ts';

/** `pointer`: where to find the whole task; empty if no file holds it. */
export function longTask(prompt: string, pointer: string, most: number, room: number): string {
  const head = 'The task (its beginning):\n\n';
  const shown = Math.max(0, Math.min(most, room - head.length - pointer.length - '…\n\n'.length));
  return `${head}${headOf(prompt, shown)}…${pointer && `\n\n${pointer}`}`;
}

export function restOfTask(file: string): string {
  return `That is not all: the whole task is in ${file}. Read the rest of it before you begin.`;
}
