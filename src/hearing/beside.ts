/**
 * A session without an entry, in a project with a state file. If the file belongs to another session's loop, every stop
 * of this session runs this code, so it uses only what the common stop has loaded anyway.
 */
import { hasEnded } from '../core/loop.ts';
import type { Sender } from '../hosts/arrival.ts';
import type { OpenLoop } from '../store/open-loop.ts';
import type { Runtime } from '../store/runtime.ts';
import { readRegular } from '../files/read.ts';
import { namedLoop } from '../views/markdown/format.ts';

/**
 * The loop of this session that the file names. An entry is derived data: if it is lost, the journal still says whose
 * loop it is. `another`: the file belongs to a loop of another session. Null: the file names no loop.
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
