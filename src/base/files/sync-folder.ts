/** Makes the names in a folder safe. */
import { closeSync, fsyncSync, openSync } from 'node:fs';

/**
 * What was made, renamed or removed in a folder survives a power cut only after this. A journal that was just
 * made would be gone with all that was told of it. Some systems have no such call, and keep names by
 * themselves.
 */
export function syncFolder(dir: string): void {
  try {
    const folder = openSync(dir, 'r');
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
  } catch {
    // Windows opens no folder, and some file systems sync none.
  }
}
