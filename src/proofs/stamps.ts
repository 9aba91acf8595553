/**
 * Tells a file that nobody touched from one that was swapped and put back. Both have the same content, but only root can
 * set a change time back. The folders above a file count too: renaming one leaves the files in it as they are.
 */
import { lstatSync } from 'node:fs';
import { dirname } from 'node:path';
import { isIn, realPath } from '../files/paths.ts';

interface Stamp {
  readonly isFolder: boolean;
  /** Which file it is, and how large. A folder grows with its entries. */
  readonly which: string;
  readonly changed: bigint;
}

/** Files, what they link to, and the folders above them up to the project, by path. */
export type Stamps = ReadonlyMap<string, Stamp | null>;

export function stampsOf(files: readonly string[], project: string): Stamps {
  const stamps = new Map<string, Stamp | null>();
  for (const file of files)
    for (const named of new Set([file, realPath(file)]))
      for (let path = named; !stamps.has(path); path = dirname(path)) {
        stamps.set(path, stampOf(path));
        if (!isIn(dirname(path), project)) break;
      }
  return stamps;
}

function stampOf(path: string): Stamp | null {
  try {
    const stat = lstatSync(path, { bigint: true });
    const isFolder = stat.isDirectory();
    const which = `${stat.dev}.${stat.ino}${isFolder ? '' : `.${stat.size}`}`;
    return { isFolder, which, changed: stat.ctimeNs };
  } catch {
    return null;
  }
}

export function touchedSince(before: Stamps): string[] {
  const now = new Map([...before.keys()].map((path) => [path, stampOf(path)]));
  const isOld = (path: string) => now.get(path)?.changed === before.get(path)?.changed;
  return [...before].flatMap(([path, was]) => {
    const is = now.get(path);
    if (is?.which !== was?.which) return [path];
    // A new entry changes a folder. A folder that was renamed has changed, and so has the one around it.
    const isQuiet = isOld(path) || (was?.isFolder === true && isOld(dirname(path)));
    return isQuiet ? [] : [path];
  });
}
