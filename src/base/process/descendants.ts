/**
 * Finds the processes that a host or a check has started and may leave behind. Each may begin a session of
 * its own, so a process group does not hold them all, and an orphan no longer names its parent. So each pass
 * and each check has a mark that children inherit and Linux lets us read. Elsewhere we record the tree below
 * a host while the host lives.
 */
import { spawnSync } from 'node:child_process';
import { openSync, readdirSync, readFileSync, readlinkSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { attempt, once } from '../shape.ts';

export const MARK_VARIABLE = 'DACAPO_PASS';
const PS_MS = 5_000;

/** A process that is being killed starts no other. One that we have not seen yet may. */
const MAX_KILL_ROUNDS = 20;

/** A mark is a path, so a loop that an agent starts inside a pass still belongs to that pass. */
export function passMark(pass: string, outer: string | undefined): string {
  return outer ? `${outer}/${pass}` : pass;
}

export interface Descendants {
  /** Records the processes below the host. Call it while the host is alive. */
  remember(): void;
  /** Sends the signal to every process that is left, and returns how many there are. 0 only counts. */
  signal(signal: 'SIGTERM' | 'SIGKILL' | 0): number;
}

/** `host`: null where the pid is unknown. Then only the mark identifies the processes. */
export function descendantsOf(host: number | null, pass: string, platform: string): Descendants {
  if (platform === 'linux')
    return {
      remember: () => undefined,
      signal: (signal) => sendAll(findProcesses(inEnvironment(pass)), signal),
    };
  // On Windows `endGroup` ends the whole tree.
  if (platform === 'win32' || host === null) return { remember: () => undefined, signal: () => 0 };
  return treeBelow(host);
}

/** A zombie, whose parent has not yet read its exit status, counts as gone. */
export function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return isZombie(pid);
  } catch {
    return true;
  }
}

/** It has ended, and its parent has not asked yet how. In some containers nobody ever does. */
export function isZombie(pid: number): boolean {
  if (process.platform !== 'linux') return false;
  return /\) Z/.test(attempt(() => readFileSync(`/proc/${pid}/stat`, 'latin1'), ''));
}

/** Identifies a process by its pid and its start time, because the system reuses pids. */
export function treeBelow(host: number): Descendants {
  const known = new Map<number, string>();
  return {
    remember: () => {
      const rows = processes();
      const family = new Set([host]);
      // A child may be listed before its parent.
      for (let size = 0; size !== family.size;) {
        size = family.size;
        for (const { pid, parent } of rows) if (family.has(parent)) family.add(pid);
      }
      for (const { pid, started } of rows) if (family.has(pid) && pid !== host) known.set(pid, started);
    },
    signal: (signal) => {
      if (known.size === 0) return 0;
      const alive = processes().filter(({ pid, started }) => known.get(pid) === started);
      return sendAll(
        alive.map(({ pid }) => pid),
        signal,
      );
    },
  };
}

function processes() {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid=,stat=,lstart='], {
    encoding: 'utf8',
    timeout: PS_MS,
    env: { PATH: '/bin:/usr/bin', LC_ALL: 'C' },
  });
  return (stdout ?? '').split('\n').flatMap((line) => {
    const [, pid, parent, started] = /^\s*(\d+)\s+(\d+)\s+[^Z\s]\S*\s+(.+)$/.exec(line) ?? [];
    return started === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), started }];
  });
}

/**
 * The second mark of a check, for processes that start with an empty environment: an open file without a
 * name, for descriptor 3 of the check. Without it, the environment alone marks.
 */
export function openMark(mark: string): number | 'ignore' {
  try {
    const path = join(tmpdir(), mark);
    const file = openSync(path, 'wx', 0o600);
    unlinkSync(path);
    return file;
  } catch {
    return 'ignore';
  }
}

/** Kills every process with this mark. Only Linux shows the marks of others. */
export function endMarked(mark: string): void {
  if (process.platform !== 'linux') return;
  const hasInEnvironment = inEnvironment(mark);
  const find = () => findProcesses((pid) => hasInEnvironment(pid) || hasOpen(pid, mark));
  for (let round = 0; round < MAX_KILL_ROUNDS && sendAll(find(), 'SIGKILL') > 0; round++);
}

function findProcesses(isMeant: (pid: string) => boolean): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid && isMeant(name))
    .map(Number);
}

function hasOpen(pid: string, mark: string): boolean {
  // Most processes have no such descriptor, and those of other users are hidden.
  const file = attempt(() => readlinkSync(`/proc/${pid}/fd/3`), '');
  return file.endsWith(`/${mark} (deleted)`);
}

/** Whether it is part of a pass or of a check. Only for Linux. */
export function isMarked(pid: string): boolean {
  return readMarks(pid) !== '';
}

function inEnvironment(mark: string): (pid: string) => boolean {
  return (pid) => readMarks(pid).split('/').includes(mark);
}

/** Made at the first use: most programs that import this module never ask. */
const marks = /* @__PURE__ */ once(() => new RegExp(`(?:^|\\0)${MARK_VARIABLE}=([^\\0]*)`));

/** For each process of the machine after each pass. Node reads UTF-8 faster than any other encoding. */
function readMarks(pid: string): string {
  // Empty: the process is gone, or belongs to another user.
  const environment = attempt(() => readFileSync(`/proc/${pid}/environ`, 'utf8'), '');
  return marks().exec(environment)?.[1] ?? '';
}

function sendAll(pids: readonly number[], signal: 'SIGTERM' | 'SIGKILL' | 0): number {
  for (const pid of pids) signalProcess(pid, signal);
  return pids.length;
}

export function signalProcess(pid: number, signal: NodeJS.Signals | 0): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The child is already gone.
  }
}
