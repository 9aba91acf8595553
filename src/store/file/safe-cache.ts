/** V8 runs compiled code without a look at it. So it may come only from where nobody but this user can write. */
import { realpathSync, statSync } from 'node:fs';

/** What a project brings along belongs to this user too, as soon as it is cloned. Throws where something is missing. */
export function isSafe(home: string, project: string, ...below: readonly string[]): boolean {
  const isOurs = (path: string) => {
    const { uid, mode } = statSync(path);
    // Windows has no such owners.
    return !process.getuid || (uid === process.getuid() && !(mode & WRITABLE_BY_OTHERS));
  };
  return (
    !realpathSync.native(home).startsWith(`${realpathSync.native(project)}/`) &&
    [home, ...below].every(isOurs)
  );
}

export const WRITABLE_BY_OTHERS = 0o022;
