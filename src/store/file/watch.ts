/** Calls back when a file grows. */
import { statSync, unwatchFile, watch, watchFile, type FSWatcher } from 'node:fs';

/** Some file systems have no inotify. There this poll bounds how late a watcher is called. */
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
