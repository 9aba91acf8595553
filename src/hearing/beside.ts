/**
 * A session without an entry, in a project with a state file. Beside the loop of another session it comes by here at each
 * of its stops, so this file uses only what the common stop has loaded anyway.
 */
import { hasEnded } from '../core/loop.ts';
import type { Sender } from '../hosts/arrival.ts';
import type { OpenLoop } from '../store/open-loop.ts';
import type { Runtime } from '../store/runtime.ts';
import { readRegular } from '../files/read.ts';
import { namedLoop } from '../views/markdown/format.ts';

/**
 * The loop of this session that the file names: an entry is derived, and where it got lost the journal tells whose the
 * loop is. `another`: the file is of a loop that is not this session's. Null: it names none.
 */
export function loopBeside(
  path: string,
  { session }: Sender,
  { store }: Runtime,
): OpenLoop | 'another' | null {
  const found = readRegular(path);
  const id = found.is === 'content' ? namedLoop(found.content) : null;
  if (id === null) return null;
  const open = store.open(id);
  if (open === null) return 'another';
  const loop = open.loop();
  if (hasEnded(loop) || loop.owner?.session !== session) {
    open.close();
    return 'another';
  }
  return open;
}
