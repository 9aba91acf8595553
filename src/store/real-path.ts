import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';

/** A host may name a folder by a link to it. What is gone has no real path, and is compared as it was written. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}
