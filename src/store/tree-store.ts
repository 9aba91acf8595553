/**
 * The folder `git` of a loop: its points, and the objects of its marks and points, outside the user's repository. It is
 * removed with the loop.
 */
import { existsSync, renameSync, rmSync } from 'node:fs';
import type { OpenLoop } from './open-loop.ts';

export function treeStore({ folder }: Pick<OpenLoop, 'folder'>): string {
  return folder('git');
}

/** A new loop takes over the store of the mark that was made before the loop. */
export function takeTrees(loop: Pick<OpenLoop, 'folder'>, from: string): void {
  if (!existsSync(from)) return;
  const to = treeStore(loop);
  // On Windows, a rename fails if the target exists.
  rmSync(to, { recursive: true });
  renameSync(from, to);
}

/** For a mark that no loop was made from. */
export function dropTrees(from: string): void {
  rmSync(from, { recursive: true, force: true });
}
