/** `hook.log`: what the hook did, one line each, in two files of bounded size. A log that can't be written is no error. */
import { appendFileSync, renameSync, statSync } from 'node:fs';

const MOST = 1024 * 1024;

export function logTo(path: string, now: () => string): (line: string) => void {
  return (line) => {
    try {
      if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > MOST) renameSync(path, `${path}.1`);
      appendFileSync(path, `${now()} ${line}\n`, { mode: 0o600 });
    } catch {
      // The home may not exist yet, or be read-only: nobody waits for this line.
    }
  };
}
