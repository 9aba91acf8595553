// A disposable place to type commands in: a project, a home of Da Capo, `dacapo` and a stand-in for the host
// on the PATH.
import { spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { warmHome } from '../../warm.ts';

export const PACKAGE = resolve(import.meta.dirname, '../../..');
const CLI = join(PACKAGE, 'dist/cli.cjs');
const HOST = join(import.meta.dirname, 'host.mjs');

export interface Shell {
  readonly root: string;
  readonly project: string;
  readonly home: string;
  readonly env: Record<string, string>;
  /** What it printed, both streams in one, and how it ended. */
  readonly type: (command: string) => Promise<{ output: string; exit: number | null }>;
  readonly start: (command: string) => ChildProcess;
  readonly write: (path: string, content: string) => string;
  readonly close: () => void;
}

export function openShell(): Shell {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'dcs-')));
  const [project, home, bin] = [join(root, 'project'), join(root, 'home'), join(root, 'bin')];
  // What pruning looks through must not be everybody's.
  const tmp = join(root, 'tmp');
  for (const folder of [join(project, '.git'), home, bin, tmp]) mkdirSync(folder, { recursive: true });
  // A package.json above, of whomever, must not decide how Node reads the files of a story.
  writeFileSync(join(root, 'package.json'), '{}');
  for (const [name, args] of [
    ['dacapo', [CLI]],
    ['claude', [HOST, 'claude']],
    ['agent', [HOST, 'agent']],
  ] as const) {
    const words = [process.execPath, ...args].map((word) => `'${word}'`).join(' ');
    writeFileSync(join(bin, name), `#!/bin/sh\nexec ${words} "$@"\n`);
    chmodSync(join(bin, name), 0o755);
  }
  const env = {
    PATH: `${bin}:${dirname(process.execPath)}:/usr/bin:/bin`,
    HOME: home,
    DACAPO_HOME: join(home, 'dacapo'),
    HOST_DIR: root,
    TMPDIR: tmp,
    HOST_PID: String(process.pid),
    TZ: 'UTC',
    LANG: 'C.UTF-8',
  };
  warmHome(env.DACAPO_HOME);
  const start = (command: string): ChildProcess =>
    spawn('sh', ['-c', `{ ${command}\n} 2>&1`], { cwd: project, env, stdio: ['ignore', 'pipe', 'inherit'] });
  return {
    root,
    project,
    home: env.DACAPO_HOME,
    env,
    start,
    type: (command) =>
      new Promise((done, failed) => {
        const child = start(command);
        let output = '';
        child.stdout?.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
        child.on('error', failed);
        child.on('close', (exit) => done({ output, exit }));
      }),
    write: (path, content) => {
      const full = join(project, path);
      mkdirSync(dirname(full), { recursive: true });
      writeFileSync(full, content);
      return full;
    },
    close: () => rmSync(root, { recursive: true, force: true }),
  };
}
