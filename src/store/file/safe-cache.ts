/** V8 runs compiled code without a look at it. So it may come only from where nobody but this user can write. */
import { realpathSync, statSync } from 'node:fs';

export const WRITABLE_BY_OTHERS = 0o022;

/** What a project brings along belongs to this user as well, once it is cloned. */
export function isSafe(home: string, project: string): boolean {
  try {
    return isOurs(home) && !realpathSync.native(home).startsWith(`${realpathSync.native(project)}/`);
  } catch {
    return false;
  }
}

/** Throws where nothing is. Windows has no such owners. */
export function isOurs(path: string): boolean {
  const { uid, mode } = statSync(path);
  return !process.getuid || (uid === process.getuid() && !(mode & WRITABLE_BY_OTHERS));
}
