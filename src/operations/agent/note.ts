/** `note`: what the agent wants its later passes to know. The next brief or continuation carries it. */
import type { Note } from '../../core/loop.ts';
import { refuse, type Refusal } from '../../core/refusal.ts';
import { oneLine } from '../../core/words/sanitize.ts';
import type { Runtime } from '../../store/runtime.ts';
import { LONGEST_NOTE } from './limits.ts';
import { openOwn, type AgentOrder } from './own.ts';

export interface NoteOrder extends AgentOrder {
  readonly text: string;
}

export function note(
  { text, ...order }: NoteOrder,
  world: Runtime,
): { readonly ok: true; readonly notes: readonly Note[] } | Refusal {
  if (text.length > LONGEST_NOTE)
    return refuse(
      'too-long',
      `The note has ${text.length} characters, and at most ${LONGEST_NOTE} are kept.`,
      'Shorten it, or write it to a file of the project and note the name of the file.',
    );
  const words = oneLine(text, LONGEST_NOTE);
  if (words === '') return refuse('empty', 'The note is empty.', 'Say what the next pass should know.');
  const opened = openOwn(order, world);
  if (!opened.ok) return opened;
  const { open } = opened;
  try {
    const loop = open.write({ type: 'noted', at: world.now(), words });
    open.keep();
    return { ok: true, notes: loop.notes };
  } finally {
    open.close();
  }
}
