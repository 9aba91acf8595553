/**
 * `hook.log`: what the hook did, one line each, in two files of bounded size. If it can't be written, the hook goes
 * on.
 */
import { closeSync, fstatSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';

const MOST = 1024 * 1024;
/** A process that holds the lock for longer was killed. */
const LONGEST_LOCK_MS = 10_000;

export function logTo(path: string, now: () => string): (line: string) => void {
  return (line) => {
    try {
      if (append(path, `${now()} ${line}\n`) > MOST) rotate(path);
    } catch {
      // The home may not exist yet or be read-only. The hook works without this line.
    }
  };
}

/** Returns the new length of the file. */
function append(path: string, line: string): number {
  const file = openSync(path, 'a', 0o600);
  try {
    writeSync(file, line);
    return fstatSync(file).size;
  } finally {
    closeSync(file);
  }
}

/** Takes a lock. Otherwise, of two processes at once, the second would move the new file over the old one. */
function rotate(path: string): void {
  const lock = `${path}.lock`;
  const held = statSync(lock, { throwIfNoEntry: false });
  if (held !== undefined && Date.now() - held.mtimeMs > LONGEST_LOCK_MS) rmSync(lock, { force: true });
  closeSync(openSync(lock, 'wx', 0o600));
  try {
    if (statSync(path).size > MOST) renameSync(path, `${path}.1`);
  } finally {
    rmSync(lock, { force: true });
  }
}
