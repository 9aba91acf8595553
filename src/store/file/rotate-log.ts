/** Keeps the log of the hook within its size. */
import { closeSync, openSync, renameSync, rmSync, statSync } from 'node:fs';

export const MAX_LOG_BYTES = 1_048_576;
/** A process that holds the lock for longer was killed. */
const LONGEST_LOCK_MS = 10_000;

/** Takes a lock. Otherwise, of two processes at once, the second would move the new file over the old one. */
export function rotateLog(path: string): void {
  const lock = `${path}.lock`;
  const held = statSync(lock, { throwIfNoEntry: false });
  if (held !== undefined && Date.now() - held.mtimeMs > LONGEST_LOCK_MS) rmSync(lock, { force: true });
  closeSync(openSync(lock, 'wx', 0o600));
  try {
    if (statSync(path).size > MAX_LOG_BYTES) renameSync(path, `${path}.1`);
  } finally {
    rmSync(lock, { force: true });
  }
}
