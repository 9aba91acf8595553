/** Ends a child together with everything that it started. */
import { spawnSync, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';

/** The fields of a child that we need. `exitCode` and `signalCode` are null until it has ended. */
export type Leader = Pick<ChildProcess, 'pid' | 'exitCode' | 'signalCode'>;

/** The child must lead its own group (`detached`), except on Windows, where we end its process tree instead. */
export function endGroup(child: Leader, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (child.pid === undefined) return;
  if (process.platform === 'win32') endTree(child, child.pid);
  else send(-child.pid, signal);
}

/** Signals the child alone. */
export function ask(child: Leader, signal: 'SIGINT' | 'SIGTERM'): void {
  if (child.pid !== undefined && !hasEnded(child)) send(child.pid, signal);
}

export function send(pid: number, signal: NodeJS.Signals | 0): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The child is already gone.
  }
}

/** After that, its pid may belong to another process. */
function hasEnded({ exitCode, signalCode }: Leader): boolean {
  return exitCode !== null || signalCode !== null;
}

/**
 * Takes the first step now and each next one a grace period later, so that a process has time to end by itself.
 * Returns a function that cancels the remaining steps.
 */
export function endGently(steps: readonly (() => void)[], graceMs: number): () => void {
  const [first, ...later] = steps;
  first?.();
  const timers = later.map((step, at) => setTimeout(step, (at + 1) * graceMs));
  return () => timers.forEach((timer) => clearTimeout(timer));
}

/** Starts `taskkill` by its full path: Windows searches the current folder first, and that is the project. */
function endTree(child: Leader, pid: number): void {
  if (hasEnded(child)) return;
  const system = process.env['SystemRoot'] ?? 'C:\\Windows';
  spawnSync(join(system, 'System32', 'taskkill.exe'), ['/pid', String(pid), '/t', '/f'], {
    windowsHide: true,
  });
}
