/** Temporary folders, for copies of an index and for setting up a work tree. */
import { lstatSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { namesIn } from '../files/paths.ts';

const NAME = /^dacapo-(?:index|setup)-/;
/** A younger folder may still be in use. */
const SETTLED_MS = 60 * 60_000;

/** Temporary folders that a killed process left behind. */
export function findScratch(now: string): string[] {
  const folder = tmpdir();
  return namesIn(folder)
    .map((name) => join(folder, name))
    .filter((path) => NAME.test(basename(path)) && isLeft(path, Date.parse(now)));
}

export function removeScratch(paths: readonly string[]): void {
  for (const path of paths) rmSync(path, { recursive: true, force: true });
}

/** All users share the folder for temporary files: only this user's own folders count. */
function isLeft(path: string, now: number): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat?.isDirectory() === true && stat.uid === process.getuid?.() && now - stat.mtimeMs > SETTLED_MS;
}
