/** The demo's stage: a temporary git project with its own home and state folder. It touches none of the person's files. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import type { Environment } from '../hosts/arrival.ts';

export interface Stage {
  readonly root: string;
  readonly project: string;
  readonly dacapoHome: string;
  /** The whole environment of a program on this stage. */
  readonly env: Readonly<Record<string, string>>;
  readonly clear: () => void;
}

/** What programs need to run at all, on any system. */
const PASSED_ON = [
  'LANG',
  'LC_ALL',
  'TZ',
  'SystemRoot',
  'SystemDrive',
  'ComSpec',
  'PATHEXT',
  'WINDIR',
  'NUMBER_OF_PROCESSORS',
];

export function setStage(files: Readonly<Record<string, string>>, env: Environment): Stage {
  // Short on purpose: the host puts Unix sockets below TMPDIR, and their paths end at about 100 bytes.
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'dacapo-')));
  const [home, project, dacapoHome, tmp] = ['home', 'project', 'dacapo', 'tmp'].map((name) =>
    join(root, name),
  ) as [string, string, string, string];
  for (const folder of [home, project, tmp]) mkdirSync(folder);
  for (const [name, content] of Object.entries(files)) writeFileSync(join(project, name), content);
  const stageEnv = {
    ...Object.fromEntries(PASSED_ON.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]))),
    PATH: [dirname(process.execPath), env['PATH'] ?? env['Path'] ?? ''].join(delimiter),
    HOME: home,
    USERPROFILE: home,
    TMPDIR: tmp,
    TEMP: tmp,
    TMP: tmp,
    DACAPO_HOME: dacapoHome,
  };
  // The demo also works without git: a project need not be a repository.
  spawnSync('git', ['init', '-q'], { cwd: project, env: stageEnv, stdio: 'ignore' });
  return {
    root,
    project,
    dacapoHome,
    env: stageEnv,
    // A host that is just ending may still write below its home.
    clear: () => rmSync(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }),
  };
}
