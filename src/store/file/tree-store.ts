/**
 * `git/` in a loop's folder: the objects of its marks and points, apart from the user's repository, and the points
 * themselves. It goes with the loop.
 */
import { existsSync, renameSync, rmSync } from 'node:fs';
import { within } from './home.ts';

export function treeStore(dir: string): string {
  return within(dir, 'git');
}

/** A loop that begins takes over the store of the mark that was taken before it had a folder. */
export function takeTrees(dir: string, from: string): void {
  if (existsSync(from)) renameSync(from, treeStore(dir));
}

/** Where no loop came of it. */
export function dropTrees(from: string): void {
  rmSync(from, { recursive: true, force: true });
}
