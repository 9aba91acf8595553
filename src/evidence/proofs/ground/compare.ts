/** What has changed in the ground since the loop began. */
import { lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { attempt } from '#base/shape.ts';
import type { GroundChange } from '#law/proof/ground.ts';
import type { GroundFile } from './list.ts';

type Listed = Pick<GroundFile, 'path' | 'hash' | 'mode'>;

/** The right to execute a file counts: without it a script does not run. */
export function groundChanges(then: readonly Listed[], now: readonly Listed[]): GroundChange[] {
  const before = new Map(then.map((file) => [file.path, file]));
  const after = new Set(now.map(({ path }) => path));
  const found = now.flatMap(({ path, hash, mode }): GroundChange[] => {
    const was = before.get(path);
    if (was === undefined) return [{ path, how: 'added' }];
    return was.hash === hash && was.mode === mode ? [] : [{ path, how: 'changed' }];
  });
  const gone = then.filter(({ path }) => !after.has(path));
  return [...found, ...gone.map(({ path }): GroundChange => ({ path, how: 'deleted' }))];
}

/**
 * What something wrote or renamed while the checks ran: a test may have been swapped and put back. The change
 * time can't be set back. A new entry changes both times of its folder, a renamed folder only that one.
 * `began`: in whole milliseconds, while files have fractions of them.
 */
export function touchedSince(
  began: number,
  project: string,
  files: readonly Pick<GroundFile, 'path'>[],
): GroundChange[] {
  const folders = new Set<string>();
  for (const { path } of files)
    for (let folder = dirname(path); /^[^.]/.test(folder) && !folders.has(folder); folder = dirname(folder))
      folders.add(folder);
  const touched = (path: string, isFolder: boolean) => {
    const stat = attempt(() => lstatSync(join(project, path)), null);
    if (stat === null || stat.ctimeMs < began + 1) return false;
    return !isFolder || stat.mtimeMs < began;
  };
  const found = [
    ...files.map(({ path }) => path).filter((path) => touched(path, false)),
    ...[...folders].filter((path) => touched(path, true)),
  ];
  return found.map((path) => ({ path, how: 'touched' }));
}
