/** Resolves links in paths. A shell line may name thousands of files, so each folder on the way is looked at once. */
import { lstatSync, readlinkSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { realPathOrNull } from '../files/paths.ts';

/** Linux follows no more links in a row. */
const MOST_LINKS = 40;

/** Resolves links even if the file itself does not exist yet. For one arrival only, because it caches what it saw. */
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
    // A link to a file that does not exist yet is followed too: a write through the link creates that file.
    return link.real ?? behind(resolve(inFolder(folder), link.target), links + 1);
  };
  return (path) => behind(path);
}

/** Null: not a link. */
function linkAt(path: string): { readonly target: string; readonly real: string | null } | null {
  try {
    if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return null;
    return { target: readlinkSync(path), real: realPathOrNull(path) };
  } catch {
    return null;
  }
}
