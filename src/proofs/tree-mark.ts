/**
 * A mark of the work tree: two that are equal mean that nothing changed between them. Null where nobody can tell: no
 * repository, no git, or one that takes too long.
 */
import { execFile } from 'node:child_process';
import { lstatSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { hash } from '../core/hash.ts';

const GIT_MS = 5_000;
const MOST_SAID = 16 * 1024 * 1024;
/** A larger file is told by its size and time. */
const MOST_READ = 1024 * 1024;
/** A repository's own config can run programs: fsmonitor and hooks are switched off, and git writes nothing. */
const SAFE = ['--no-optional-locks', '-c', 'core.fsmonitor=false', '-c', 'core.hooksPath='];

export async function markOf(project: string): Promise<string | null> {
  const head = await git(project, ['rev-parse', '--verify', '--quiet', 'HEAD']);
  const root = await git(project, ['rev-parse', '--show-toplevel']);
  const status = await git(project, ['status', '--porcelain', '-z', '--untracked-files=all', '--no-renames']);
  if (root === null || status === null) return null;
  const top = root.replace(/\n$/, '');
  const files = status.split('\0').filter((entry) => entry !== '');
  return hash(
    [head ?? '', ...files.map((entry) => `${entry} ${identityOf(join(top, entry.slice(3)))}`)].join('\0'),
  );
}

function identityOf(path: string): string {
  try {
    const stat = lstatSync(path);
    // Reading a pipe would never end, and a link may lead to one.
    if (!stat.isFile() || stat.size > MOST_READ) return `${stat.size} ${stat.mtimeMs}`;
    return hash(readFileSync(path, 'latin1'));
  } catch {
    return 'gone';
  }
}

/** Not started in the project: Windows looks for programs in the current folder first. */
function git(project: string, args: readonly string[]): Promise<string | null> {
  const options = {
    cwd: dirname(process.execPath),
    timeout: GIT_MS,
    maxBuffer: MOST_SAID,
    windowsHide: true,
  };
  return new Promise((resolve) => {
    execFile('git', ['-C', project, ...SAFE, ...args], options, (error, out) =>
      resolve(error === null ? out : null),
    );
  });
}
