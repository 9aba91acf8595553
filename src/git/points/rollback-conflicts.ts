/**
 * Finds files that are recorded nowhere and that a rollback would overwrite. Git itself silently overwrites ignored
 * files, even a whole folder of them if a file is to be written there.
 */
import { lstatSync, readdirSync, type Stats } from 'node:fs';
import { fileAt } from '../git.ts';
import { ABSENT, type Difference } from '../lists.ts';

/** Returns names as bytes. */
export function findObstacles(root: string, changes: readonly Difference[]): string[] {
  // Files that exist and are recorded. The rollback may remove or replace them.
  const recorded = new Set(changes.filter(({ from }) => from.mode !== ABSENT).map(({ path }) => path));
  const found = new Set<string>();
  for (const { path, from, to } of changes) {
    if (from.mode !== ABSENT || to.mode === ABSENT) continue;
    const first = firstNonFolder(root, path);
    const paths = first === null ? filesIn(root, path) : [first];
    for (const one of paths) if (!recorded.has(one)) found.add(one);
  }
  return [...found].toSorted();
}

/** The first thing on the way to a path, the path included, that is no folder. */
function firstNonFolder(root: string, path: string): string | null {
  const parts = path.split('/');
  for (let n = 1; n <= parts.length; n++) {
    const part = parts.slice(0, n).join('/');
    const stat = look(root, part);
    if (stat === undefined) return null;
    if (!stat.isDirectory()) return part;
  }
  return null;
}

function filesIn(root: string, path: string): string[] {
  if (look(root, path)?.isDirectory() !== true) return [];
  return readdirSync(fileAt(root, path), 'latin1').flatMap((name) => {
    const inner = `${path}/${name}`;
    return look(root, inner)?.isDirectory() === true ? filesIn(root, inner) : [inner];
  });
}

function look(root: string, path: string): Stats | undefined {
  return lstatSync(fileAt(root, path), { throwIfNoEntry: false });
}
