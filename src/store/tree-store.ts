/**
 * The folder `git` of a loop: the objects of its marks and points, apart from the user's repository, and the points
 * themselves. It goes with the loop.
 */
import { existsSync, renameSync, rmSync } from 'node:fs';
import type { OpenLoop } from './open-loop.ts';

export function treeStore({ folder }: Pick<OpenLoop, 'folder'>): string {
  return folder('git');
}

/** A loop that begins takes over the store of the mark that was taken before the loop was made. */
export function takeTrees(loop: Pick<OpenLoop, 'folder'>, from: string): void {
  if (!existsSync(from)) return;
  const to = treeStore(loop);
  // Windows renames onto nothing that is there.
  rmSync(to, { recursive: true });
  renameSync(from, to);
}

/** Where no loop came of it. */
export function dropTrees(from: string): void {
  rmSync(from, { recursive: true, force: true });
}
