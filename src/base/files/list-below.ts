/**
 * What lies below a folder, at any depth. It follows no links. Node's own `recursive` does (names from Node
 * 20 on, entries from Node 22 on), and a link to `..` shows a tree again and again.
 */
import { readdirSync, type Dirent } from 'node:fs';
import { join, relative } from 'node:path';

/** Throws what `readdirSync` throws. */
export function listBelow(folder: string): Dirent[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [entry, ...listBelow(join(folder, entry.name))] : [entry],
  );
}

/** The same as paths relative to the folder. */
export function namesBelow(folder: string): string[] {
  return listBelow(folder).map(({ parentPath, name }) => relative(folder, join(parentPath, name)));
}
