/**
 * Finds the process of a host whose hooks do not name it: the nearest ancestor that is no shell. Hosts start
 * hooks by a shell, which is gone when the hook is.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { attempt } from '#base/shape.ts';

const SHELLS: ReadonlySet<string> = new Set('sh bash dash ash zsh ksh mksh fish busybox'.split(' '));
const MAX_SHELLS = 4;
const PS_MS = 1_000;

/** Null: it can't be told here. */
export function findHostProcess(parent = process.ppid, lookAt = ancestorAt(process.platform)): number | null {
  for (let at = 0, pid = parent; at <= MAX_SHELLS; at++) {
    const found = lookAt(pid);
    // The first process of the system adopts orphans.
    if (found === null || pid <= 1) return null;
    if (!SHELLS.has(found.name)) return pid;
    pid = found.parent;
  }
  return null;
}

interface Ancestor {
  readonly name: string;
  readonly parent: number;
}

type LookAt = (pid: number) => Ancestor | null;

export function ancestorAt(platform: string): LookAt {
  if (platform === 'win32') return () => null;
  return platform === 'linux' ? inProc : byPs;
}

/** `PID (NAME) STATE PARENT …`. A name may hold brackets. */
function inProc(pid: number): Ancestor | null {
  const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, 'latin1'), '');
  const [, name, parent] = /^\d+ \((.*)\) \S (\d+)/s.exec(stat) ?? [];
  return name === undefined ? null : { name, parent: Number(parent) };
}

/** The name of a login shell begins with a dash. */
function byPs(pid: number): Ancestor | null {
  const { stdout } = spawnSync('ps', ['-o', 'ppid=,comm=', '-p', String(pid)], {
    encoding: 'utf8',
    timeout: PS_MS,
    env: { PATH: '/bin:/usr/bin', LC_ALL: 'C' },
  });
  return readPs(stdout ?? '');
}

export function readPs(line: string): Ancestor | null {
  const [, parent, name] = /^\s*(\d+)\s+-?(?:.*\/)?([^/\n]+)/.exec(line) ?? [];
  return name === undefined ? null : { name: name.trim(), parent: Number(parent) };
}
