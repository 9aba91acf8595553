/** Where paths really lie. A line of shell may name thousands of files: each folder on the way is looked at once. */
import { lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Links resolved, also where the file itself is yet to be made. For one arrival: what was seen is remembered. */
export function linkResolver(): (path: string) => string {
  const folders = new Map<string, string>();
  const inFolder = (folder: string): string => {
    const known = folders.get(folder) ?? behind(folder);
    folders.set(folder, known);
    return known;
  };
  const behind = (path: string): string => {
    const folder = dirname(path);
    if (folder === path) return path;
    return targetOf(path) ?? join(inFolder(folder), basename(path));
  };
  return behind;
}

/** Null: it is no link, or leads nowhere. */
function targetOf(path: string): string | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ? realpathSync(path) : null;
  } catch {
    return null;
  }
}
