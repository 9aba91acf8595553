/** Where paths really lie. A line of shell may name thousands of files: each folder on the way is looked at once. */
import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** Linux follows no more in a row. */
const MOST_LINKS = 40;

/** Links resolved, also where the file itself is yet to be made. For one arrival: what was seen is remembered. */
export function linkResolver(): (path: string) => string {
  const folders = new Map<string, string>();
  const inFolder = (folder: string): string => {
    const known = folders.get(folder) ?? behind(folder);
    folders.set(folder, known);
    return known;
  };
  const behind = (path: string, links = 0): string => {
    const folder = dirname(path);
    if (folder === path) return path;
    const link = linkAt(path);
    if (link === null || links > MOST_LINKS) return join(inFolder(folder), basename(path));
    // One that leads to a file that is yet to be made is followed by whoever makes it.
    return link.real ?? behind(resolve(inFolder(folder), link.target), links + 1);
  };
  return (path) => behind(path);
}

/** Null: it is no link. */
function linkAt(path: string): { readonly target: string; readonly real: string | null } | null {
  try {
    if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return null;
    return { target: readlinkSync(path), real: realPathOf(path) };
  } catch {
    return null;
  }
}

function realPathOf(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}
