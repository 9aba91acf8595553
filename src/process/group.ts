/** A child with everything that it started: ended together, so that nothing stays behind. */
import { spawnSync, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';

/** What is needed of a child; null: it has not ended. */
export type Leader = Pick<ChildProcess, 'pid' | 'exitCode' | 'signalCode'>;

/** The child must lead a group of its own (`detached`), except on Windows, which knows its tree instead. */
export function endGroup(child: Leader, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (child.pid === undefined) return;
  if (process.platform === 'win32') endTree(child, child.pid);
  else send(-child.pid, signal);
}

/** To the child alone. */
export function ask(child: Leader, signal: 'SIGINT' | 'SIGTERM'): void {
  if (child.pid !== undefined && !hasEnded(child)) send(child.pid, signal);
}

export function send(pid: number, signal: NodeJS.Signals | 0): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone already.
  }
}

/** Then its number may be another's. */
function hasEnded({ exitCode, signalCode }: Leader): boolean {
  return exitCode !== null || signalCode !== null;
}

/**
 * Takes the first step now and each next one a grace later, so that a process has time to end by itself. Returns what
 * cancels the steps that are left.
 */
export function endGently(steps: readonly (() => void)[], graceMs: number): () => void {
  const [first, ...later] = steps;
  first?.();
  const timers = later.map((step, at) => setTimeout(step, (at + 1) * graceMs));
  return () => timers.forEach((timer) => clearTimeout(timer));
}

/** By its whole path: Windows looks for programs in the current folder first, and that is the project. */
function endTree(child: Leader, pid: number): void {
  if (hasEnded(child)) return;
  const system = process.env['SystemRoot'] ?? 'C:\\Windows';
  spawnSync(join(system, 'System32', 'taskkill.exe'), ['/pid', String(pid), '/t', '/f'], {
    windowsHide: true,
  });
}
