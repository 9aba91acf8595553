/**
 * A session without a loop, beside the loop of another session. It finds that loop's state file at each of its stops, so
 * this file uses only what the common stop has loaded anyway. `adopt.ts` looks at every other state file.
 */
import { hasEnded } from '../core/loop.ts';
import type { Sender } from '../hosts/arrival.ts';
import type { Store } from '../store/store.ts';
import { readViewFile } from '../views/file.ts';
import { renderedLoop } from '../views/markdown/format.ts';

/** The file shows a loop, as Da Capo rendered it, that does not belong to this session. */
export function showsAnothersLoop(file: string, from: Sender, store: Store): boolean {
  const found = readViewFile(file);
  const id = found.is === 'content' ? renderedLoop(found.content) : null;
  if (id === null) return false;
  const open = store.open(id);
  if (open === null) return true;
  const loop = open.loop();
  open.close();
  return hasEnded(loop) || loop.owner?.session !== from.session;
}
