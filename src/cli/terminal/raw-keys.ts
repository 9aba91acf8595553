/** The keys of this terminal as they are pressed, and the terminal as before once they are given back, also by a crash. */
import { spawnSync } from 'node:child_process';

export interface RawKeys {
  readonly take: () => void;
  readonly giveBack: () => void;
}

export function rawKeys(bytes: (bytes: Buffer) => void): RawKeys {
  const { stdin } = process;
  let isOurs = false;
  const giveBack = (): void => {
    if (!isOurs) return;
    isOurs = false;
    process.off('exit', giveBack);
    stdin.off('data', bytes);
    stdin.pause();
    try {
      stdin.setRawMode(false);
    } catch {
      // The terminal is gone.
    }
  };
  const take = (): void => {
    if (isOurs) return;
    isOurs = true;
    process.on('exit', giveBack);
    stdin.setRawMode(true);
    stdin.on('data', bytes);
    stdin.resume();
  };
  return { take, giveBack };
}

/** The system stops a background job that reads from its terminal or changes it. */
export function isForeground(): boolean {
  if (process.platform === 'win32') return true;
  const { stdout } = spawnSync('ps', ['-o', 'pgid=', '-o', 'tpgid=', '-p', String(process.pid)], {
    encoding: 'utf8',
    timeout: 5_000,
  });
  const [group, foreground] = (stdout || '').trim().split(/\s+/);
  return foreground !== undefined && group === foreground;
}
