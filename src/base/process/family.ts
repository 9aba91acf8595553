/**
 * Ends a host and everything that it started. The driver does this, or its watchdog where the driver is gone.
 * It asks first, because a host that is asked to end still reports what its pass has cost; then it kills.
 */
import { descendantsOf, signalProcess } from './descendants.ts';
import { spawnSync, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';

export interface Manners {
  /** The mark of the pass, in the environment of every process that it starts. */
  readonly pass: string;
  readonly gentle: 'SIGINT' | 'SIGTERM';
  /** From the gentle signal to SIGTERM, and from there to SIGKILL. */
  readonly graceMs: number;
}

export type Family = ReturnType<typeof familyOf>;

/** How long the processes that were left behind get to end by themselves when asked. */
const LEFTOVER_MS = 1_000;
const EXIT_POLL_MS = 50;
/** How often we read the process tree, where processes can't be marked. */
const REMEMBER_MS = 5_000;

/** Without the pid of the host, only the mark identifies its family. */
export function familyOf(host: Leader, manners: Manners) {
  const descendants = descendantsOf(host.pid ?? null, manners.pass, process.platform);
  const remembering =
    process.platform === 'linux' ? undefined : setInterval(() => descendants.remember(), REMEMBER_MS).unref();
  let cancelKill: (() => void) | null = null;
  return {
    end: () => {
      if (cancelKill !== null) return;
      descendants.remember();
      const kill = () => endGroup(host, 'SIGKILL');
      const terminate = () => {
        endGroup(host, 'SIGTERM');
        descendants.signal('SIGTERM');
      };
      const steps = [() => ask(host, manners.gentle), terminate, kill];
      cancelKill = endGently(process.platform === 'win32' ? [kill] : steps, manners.graceMs);
    },
    /**
     * To call once the host is gone: ends the processes that it left behind, and calls back when none is
     * left.
     */
    endLeftovers: (nothingLeft: () => void) => {
      clearInterval(remembering);
      cancelKill?.();
      endGroup(host, 'SIGKILL');
      let left = descendants.signal('SIGTERM');
      const isEmpty = () => left === 0 || (left = descendants.signal(0)) === 0;
      lookUntil(isEmpty, LEFTOVER_MS, () => {
        if (left > 0) descendants.signal('SIGKILL');
        nothingLeft();
      });
    },
  };
}

export function lookUntil(done: () => boolean, mostMs: number, then: () => void): void {
  const began = performance.now();
  const look = () => {
    if (done() || performance.now() - began > mostMs) then();
    else setTimeout(look, EXIT_POLL_MS);
  };
  look();
}

/** The fields of a child that we need. `exitCode` and `signalCode` are null until it has ended. */
export type Leader = Pick<ChildProcess, 'pid' | 'exitCode' | 'signalCode'>;

/**
 * The child must lead its own group (`detached`), except on Windows, where we end its process tree instead.
 */
export function endGroup(child: Leader, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (child.pid === undefined) return;
  if (process.platform === 'win32') endTree(child, child.pid);
  else signalProcess(-child.pid, signal);
}

function ask(child: Leader, signal: 'SIGINT' | 'SIGTERM'): void {
  if (child.pid !== undefined && !hasEnded(child)) signalProcess(child.pid, signal);
}

/** After that, its pid may belong to another process. */
function hasEnded({ exitCode, signalCode }: Leader): boolean {
  return exitCode !== null || signalCode !== null;
}

/**
 * Takes the first step now and each next one a grace period later, so that a process has time to end by
 * itself. Returns a function that cancels the remaining steps.
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
