/**
 * The work tree at one moment, and which files have changed since: what stop hooks get as `filesModified`. A mark is
 * `COMMIT@INSTANT` (no commit: `@INSTANT`). Of the files that differ from the commit, those that were written before
 * the instant differed then already. Deleted files have no time, and count.
 *
 * A repository's own config can name programs that git runs: these are switched off. No repository, or no git: null.
 */
import { spawnSync } from 'node:child_process';
import { lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';

const SAFE = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=', '-c', 'core.quotePath=false'];
/** A repository in which this takes longer is looked at by a hook of its own. */
const TIMEOUT_MS = 10_000;
const MOST_OUTPUT = 16 * 1024 * 1024;
/** More files than a hook can make sense of. */
const MOST_FILES = 5_000;
/** File systems and clocks round; the host's own writes at the end of a pass are a little late. */
const SLACK_MS = 50;
/** The tree of a repository without a commit. */
const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

export function workMark(project: string, now: string): string {
  return `${git(project, ['rev-parse', '--verify', '-q', 'HEAD'])?.trim() ?? ''}@${now}`;
}

/** As seen from the project. */
export function filesModifiedSince(project: string, mark: string): string[] | null {
  const { commit = '', instant = '' } = /^(?<commit>[0-9a-f]*)@(?<instant>.+)$/.exec(mark)?.groups ?? {};
  const since = Date.parse(instant) - SLACK_MS;
  const tracked = git(project, [
    'diff',
    '--name-only',
    '-z',
    '--relative',
    '--no-ext-diff',
    '--no-textconv',
    commit || EMPTY_TREE,
    '--',
  ]);
  const others = git(project, ['ls-files', '--others', '--exclude-standard', '-z']);
  if (tracked === null || others === null) return null;
  const files = [...new Set(`${tracked}${others}`.split('\0'))].filter((file) => file !== '');
  return files
    .filter((file) => isNew(join(project, file), since))
    .toSorted()
    .slice(0, MOST_FILES);
}

function isNew(path: string, since: number): boolean {
  try {
    return lstatSync(path).mtimeMs >= since;
  } catch {
    return true;
  }
}

function git(project: string, args: readonly string[]): string | null {
  // Not started in the project: Windows looks for programs in the current folder first.
  const { status, stdout } = spawnSync('git', ['-C', project, ...SAFE, ...args], {
    cwd: dirname(process.execPath),
    encoding: 'utf8',
    timeout: TIMEOUT_MS,
    maxBuffer: MOST_OUTPUT,
    windowsHide: true,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, GIT_OPTIONAL_LOCKS: '0' },
  });
  return status === 0 ? stdout : null;
}
