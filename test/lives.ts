/** Whether a process is still there. */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

export function lives(pid: number): boolean {
  try {
    // A zombie is gone but for an entry that nobody has read.
    if (process.platform === 'linux') return !/\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

export async function gone(pid: number): Promise<boolean> {
  for (let k = 0; k < 100 && lives(pid); k++) await sleep(20);
  return !lives(pid);
}
