/** Removes folders that we made, as long as nobody has put anything there. */
import { rmdirSync } from 'node:fs';

/** Each folder comes before those in it. */
export function removeEmptyFolders(folders: readonly string[]): void {
  for (const folder of folders.toReversed()) {
    try {
      rmdirSync(folder);
    } catch {
      // The folder is not empty, or already gone. Leave it.
    }
  }
}
