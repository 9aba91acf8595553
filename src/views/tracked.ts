import { spawnSync } from 'node:child_process';
import { dirname } from 'node:path';
import { excludeFile } from './exclude.ts';

/** What `git ls-files --error-unmatch` says of a file that it does not know. */
const UNKNOWN = 1;
const GIT_MS = 5_000;

/**
 * Is the file under version control? Where git can't be asked, or will not tell, it may be.
 * A repository's own config can run programs: fsmonitor and hooks are switched off. Nor is git started in the project:
 * Windows looks for programs in the current folder first.
 */
export function isTracked(project: string, path: string): boolean {
  if (excludeFile(project) === null) return false;
  const safe = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null'];
  const asked = spawnSync('git', ['-C', project, ...safe, 'ls-files', '--error-unmatch', '--', path], {
    cwd: dirname(process.execPath),
    stdio: 'ignore',
    timeout: GIT_MS,
  });
  return asked.status !== UNKNOWN;
}
