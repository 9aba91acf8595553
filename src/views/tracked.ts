import { spawnSync } from 'node:child_process';

/** Is the file under version control? A repository's own config can run programs: fsmonitor and hooks are switched off. */
export function isTracked(project: string, path: string): boolean {
  const asked = spawnSync(
    'git',
    ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=', 'ls-files', '--error-unmatch', '--', path],
    {
      cwd: project,
      stdio: 'ignore',
      timeout: 5_000,
    },
  );
  return asked.status === 0;
}
