/**
 * V8 runs compiled code without a look at it. So it may come only from where nobody but this user can write.
 */
import { existsSync, realpathSync, statSync } from 'node:fs';

export const WRITABLE_BY_OTHERS = 0o022;

/** What a project brings along belongs to this user as well, once it is cloned. */
export function isSafe(home: string, project: string): boolean {
  try {
    // Not there yet: nothing can be used, and what we make is ours.
    if (!existsSync(home)) return true;
    return isPrivateToUser(home) && !realpathSync.native(home).startsWith(`${realpathSync.native(project)}/`);
  } catch {
    return false;
  }
}

/** Throws where nothing is. Windows has no such owners. */
export function isPrivateToUser(path: string): boolean {
  const { uid, mode } = statSync(path);
  return !process.getuid || (uid === process.getuid() && !(mode & WRITABLE_BY_OTHERS));
}
