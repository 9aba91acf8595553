/** Finds the device of the terminal that a process is in. The process that sends has none: it is detached. */
import { readlinkSync } from 'node:fs';

const TERMINAL = /^\/dev\/(?:pts\/|tty)[\w/.-]+$/;
const PATIENCE_MS = 1_000;

/** For the first of these processes that has one. Empty on Windows, where a terminal is no file. */
export function terminalsOf(processes: readonly number[], platform: string): string[] {
  if (platform === 'win32') return [];
  for (const pid of processes) {
    const found = platform === 'linux' ? fromProc(pid) : fromPs(pid);
    if (found !== null) return [found];
  }
  return [];
}

/** Costs microseconds; a hook waits for this. */
function fromProc(pid: number): string | null {
  for (const file of [1, 2, 0]) {
    try {
      const device = readlinkSync(`/proc/${pid}/fd/${file}`);
      if (TERMINAL.test(device)) return device;
    } catch {
      // It is gone, or belongs to someone else.
    }
  }
  return null;
}

function fromPs(pid: number): string | null {
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  const { stdout } = spawnSync('ps', ['-o', 'tty=', '-p', String(pid)], {
    encoding: 'utf8',
    timeout: PATIENCE_MS,
  });
  const device = `/dev/${(stdout ?? '').trim()}`;
  return TERMINAL.test(device) ? device : null;
}
