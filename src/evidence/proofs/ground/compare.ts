/** What has changed in the ground since the loop began. */
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
