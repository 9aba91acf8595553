/** Words that few stops need. They are behind a seam, so that a common stop does not load them. */
import { headOf } from '#base/words/sanitize.ts';
import type { Context } from '#law/record/events.ts';
import { sayContext } from './person/limits.ts';
import { capWords } from './person/status.ts';
import type { LoopPart } from '#law/loop.ts';

/** `pointer`: where to find the whole task; empty if no file holds it. */
export function longTask(prompt: string, pointer: string, most: number, room: number): string {
  const head = 'The task (its beginning):\n\n';
  const shown = Math.max(0, Math.min(most, room - head.length - pointer.length - '…\n\n'.length));
  return `${head}${headOf(prompt, shown)}…${pointer && `\n\n${pointer}`}`;
}

export function restOfTask(file: string): string {
  return `This is only part of the task; all of it is in ${file}. Read the rest of it before you begin.`;
}

export function sayCrowded(context: Context | null): { readonly toAgent: string; readonly toPerson: string } {
  const full = context === null ? 'nearly full' : sayContext(context);
  return {
    toAgent:
      `Your context is at ${full}, and will soon be compacted. Whatever is only in the context is then ` +
      'lost. Note your progress, what you have learned and what comes next in files of the project now.',
    toPerson: `The context is at ${full}; the agent is told to note its progress in files.`,
  };
}

export function sayCapped({ session: { cap } }: LoopPart<'session', 'cap'>, resume: string): string {
  return (
    ` The host's cap ${capWords(cap)} in a row without a tool call may end the turn here: ${resume} ` +
    'then continues it.'
  );
}
