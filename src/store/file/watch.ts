/** Tells that a file grew. */
import { statSync, unwatchFile, watch, watchFile, type FSWatcher } from 'node:fs';

/** inotify is missing on some file systems: the poll beside it bounds how late a watcher hears. */
const POLL_MS = 500;

export function watchGrowth(path: string, grown: () => void): () => void {
  let size = statSync(path).size;
  const look = () => {
    const now = statSync(path, { throwIfNoEntry: false })?.size ?? size;
    if (now === size) return;
    size = now;
    grown();
  };
  const watcher = tryWatch(path, look);
  watchFile(path, { interval: POLL_MS }, look);
  return () => {
    watcher?.close();
    unwatchFile(path, look);
  };
}

/** Null where the system has no watches left. */
function tryWatch(path: string, look: () => void): FSWatcher | null {
  try {
    return watch(path, look).on('error', () => undefined);
  } catch {
    return null;
  }
}
