/**
 * Processes as the tests see them: whose they are, how they are, and their end. What Linux alone tells is
 * empty elsewhere.
 */
import { readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Those that work below this folder. A host that was killed leaves its background shells behind, each in a
 * session of its own: only their directory tells whose they are.
 */
export function processesBelow(root: string): number[] {
  return processes().filter((pid) => `${workingDirectory(pid)}/`.startsWith(`${root}/`));
}

/** Those that were started with this home. A zombie is nobody. */
export function processesAt(home: string): number[] {
  return processes().filter((pid) => `\0${environmentOf(pid)}`.includes(`\0HOME=${home}\0`) && lives(pid));
}

export function processes(): number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

function workingDirectory(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return '';
  }
}

/** A zombie is gone but for an entry that nobody has read. */
export function lives(pid: number): boolean {
  if (process.platform === 'linux') return /\) [^ZX]/.test(entry(pid, 'stat'));
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** False for one that was stopped by a signal. */
export function runs(pid: number): boolean {
  return lives(pid) && !/\) T/.test(process.platform === 'linux' ? entry(pid, 'stat') : '');
}

/** Whether it is, in ten seconds at most. */
export async function gone(pid: number): Promise<boolean> {
  for (let k = 0; k < 500 && lives(pid); k++) await sleep(20);
  return !lives(pid);
}

export function parentOf(pid: number): number {
  return Number(/\) \S (\d+)/.exec(entry(pid, 'stat'))?.[1]);
}

export function nameOf(pid: number): string {
  return entry(pid, 'comm').trim();
}

/** With its arguments, each ended by a zero. */
export function commandLineOf(pid: number): string {
  return entry(pid, 'cmdline');
}

/** The variables that it began with, each ended by a zero. */
export function environmentOf(pid: number): string {
  return entry(pid, 'environ');
}

function entry(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1');
  } catch {
    return '';
  }
}

export function kill(pid: number, signal: NodeJS.Signals = 'SIGKILL'): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone already.
  }
}
