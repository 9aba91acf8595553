/** Opens a loop by its full id, for a program that knows it. */
import { refuse, type Refusal } from '../../core/refusal.ts';
import { oneLine } from '../../core/words/sanitize.ts';
import type { OpenLoop } from '../../store/open-loop.ts';
import type { Runtime } from '../../store/runtime.ts';

export type Opened = { readonly ok: true; readonly open: OpenLoop } | Refusal;

/** The caller closes `open`. */
export function openById(id: string, { store }: Runtime): Opened {
  const name = JSON.stringify(oneLine(id, 80));
  try {
    const open = store.open(id);
    if (open !== null) return { ok: true, open };
  } catch (error) {
    return refuse('unread', `Loop ${name} can't be read.`, error instanceof Error ? error.message : '');
  }
  return refuse('no-loop', `There is no loop ${name}.`, 'dacapo list --all shows every loop.');
}
