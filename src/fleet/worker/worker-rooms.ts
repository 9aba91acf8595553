/** The folders of a worker on its machine. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { homeAt, makePrivateFolder, replaceFile, type Home } from '#store/file/home.ts';
import { dropHalfMirrors } from './clone.ts';
import { dropLeftTemporary } from './loop-home.ts';

export interface Rooms {
  /** The state of all its loops. */
  readonly home: Home;
  /** A work tree for each loop. */
  readonly trees: string;
  /** A home for each loop. The guard knows it by this name. */
  readonly homes: string;
  /** Of all workers of this user. */
  readonly mirrors: string;
}

/** `folder`: that of all workers of this user. */
export function makeRooms(folder: string, name: string): Rooms {
  const own = join(folder, 'workers', name);
  const home = homeAt(join(own, 'home'));
  makePrivateFolder(home.dir);
  const mirrors = join(folder, 'mirrors');
  dropHalfMirrors(mirrors);
  dropLeftTemporary();
  return { home, trees: join(own, 'trees'), homes: join(own, 'homes'), mirrors };
}

/**
 * Before each loop: what an earlier one may have written there does not count. People are told by the worker,
 * when a thing is true: its children and their hooks tell nobody.
 */
export function resetState({ config, hooks }: Home): void {
  replaceFile(config, '{"notifyEvents":[]}\n');
  rmSync(hooks, { force: true });
}
