import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';

/** A host may name a folder by a link to it. A path that no longer exists is compared as it was written. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}
