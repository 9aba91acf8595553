/** Folders among the temporary files that copies of an index, and the set-up of a work tree, need for a moment. */
import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const NAME = /^dacapo-(?:index|setup)-/;
/** Younger than this, someone may still need it. */
const SETTLED_MS = 60 * 60_000;

/** Those that a kill has left. */
export function findScratch(now: string): string[] {
  const folder = tmpdir();
  return namesIn(folder)
    .map((name) => join(folder, name))
    .filter((path) => NAME.test(basename(path)) && isLeft(path, Date.parse(now)));
}

export function removeScratch(paths: readonly string[]): void {
  for (const path of paths) rmSync(path, { recursive: true, force: true });
}

/** The folder for temporary files is everybody's: only the user's own count. */
function isLeft(path: string, now: number): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat?.isDirectory() === true && stat.uid === process.getuid?.() && now - stat.mtimeMs > SETTLED_MS;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
