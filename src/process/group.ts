/** A child with everything that it started: ended together, so that nothing stays behind. */
import { spawnSync, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';

/** What is needed of a child; null: it has not ended. */
export type Leader = Pick<ChildProcess, 'pid' | 'exitCode' | 'signalCode'>;

/** The child must lead a group of its own (`detached`), except on Windows, which knows its tree instead. */
export function endGroup(child: Leader, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (child.pid === undefined) return;
  if (process.platform === 'win32') return endTree(child, child.pid);
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The group is gone already.
  }
}

/** By its whole path: Windows looks for programs in the current folder first, and that is the project. */
function endTree({ exitCode, signalCode }: Leader, pid: number): void {
  // Once it is gone, its number may be another's.
  if (exitCode !== null || signalCode !== null) return;
  const system = process.env['SystemRoot'] ?? 'C:\\Windows';
  spawnSync(join(system, 'System32', 'taskkill.exe'), ['/pid', String(pid), '/t', '/f'], {
    windowsHide: true,
  });
}
