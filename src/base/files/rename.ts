/** Renames a file over another, and makes the names in a folder safe. */
import { closeSync, fsyncSync, openSync, renameSync } from 'node:fs';
import { codeOf } from '../shape.ts';

/** Most readers hold a file for less than a millisecond, a scanner of new files for some hundred. */
const WAITS_MS: readonly number[] = [5, 10, 20, 40, 80, 160, 320, 640];
/** What Windows says of a file that another process has open. */
const HELD: readonly string[] = ['EPERM', 'EACCES', 'EBUSY'];

/** On Windows nobody can replace a file that another process has open, so we wait for its end. */
export function renameOver(
  from: string,
  to: string,
  platform: string = process.platform,
  rename: (from: string, to: string) => void = renameSync,
): void {
  for (const ms of platform === 'win32' ? WAITS_MS : []) {
    try {
      return rename(from, to);
    } catch (error) {
      if (!HELD.includes(codeOf(error))) throw error;
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
  }
  rename(from, to);
}

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
