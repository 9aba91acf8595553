// A disposable folder with a project, a home and a state folder, and the built command line run inside it.
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { warmHome } from '../../warm.ts';

export const CLI = fileURLToPath(new URL('../../../dist/cli.cjs', import.meta.url));
export const PLUGIN = fileURLToPath(new URL('../../../plugin', import.meta.url));
export const CLAUDE = fileURLToPath(
  new URL(
    `../../../node_modules/@anthropic-ai/claude-code-${process.platform}-${process.arch}/claude`,
    import.meta.url,
  ),
);

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Box {
  readonly root: string;
  readonly project: string;
  readonly home: string;
  readonly dacapoHome: string;
  readonly env: Record<string, string>;
  readonly run: (args: string[], env?: Record<string, string>) => Ran;
  /** Of the project. */
  readonly write: (path: string, content: string) => string;
  readonly read: (path: string) => string;
  readonly has: (path: string) => boolean;
}

export function makeBox(name = 'project'): Box {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'dc-cli-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }));
  const [project, home, dacapoHome] = [join(root, name), join(root, 'home'), join(root, 'dacapo')];
  for (const folder of [project, home]) mkdirSync(folder);
  warmHome(dacapoHome);
  const env = {
    PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
    HOME: home,
    DACAPO_HOME: dacapoHome,
    LANG: 'C.UTF-8',
  };
  return {
    root,
    project,
    home,
    dacapoHome,
    env,
    run: (args, extra = {}) => {
      const ran = spawnSync(process.execPath, [CLI, ...args], {
        cwd: project,
        env: { ...env, ...extra },
        encoding: 'utf8',
        timeout: 60_000,
      });
      return { code: ran.status, stdout: ran.stdout, stderr: ran.stderr };
    },
    write: (path, content) => {
      const full = join(project, path);
      mkdirSync(dirname(full), { recursive: true });
      writeFileSync(full, content);
      return full;
    },
    read: (path) => readFileSync(join(project, path), 'utf8'),
    has: (path) => existsSync(join(project, path)),
  };
}
