/**
 * What a worker lends to its loops: copies of the logins and settings of hosts, and of what the person names.
 * A loop may write its copy, and never the worker's file by it.
 */
import { chmodSync, cpSync, existsSync, lstatSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join, normalize, relative, sep } from 'node:path';
import { refuse, type Granted } from '#base/refusal.ts';
import { isRecord, readAs } from '#base/shape.ts';
import { sha256 } from '#base/files/sha256.ts';
import type { Environment } from '#hosts/port/arrival.ts';
import { loginFilesOf } from '#hosts/tables/login-files.ts';

/** A file or folder of the worker's user, and where its copy is in the home of a loop. */
export interface LentFile {
  readonly from: string;
  readonly to: string;
}

/** Of git, beside its settings. */
const GIT_FILES = ['ignore', 'attributes'] as const;

/** What loops get copies of: logins and settings of hosts, and what the person names. */
export function findLent(
  env: Environment,
  named: readonly string[],
): Granted<{ readonly lent: readonly LentFile[] }> {
  const home = homeOf(env);
  const asked: LentFile[] = [];
  for (const name of named) {
    const to = isAbsolute(name) ? relative(home, name) : normalize(name);
    if (to === '.' || to.startsWith('..') || isAbsolute(to) || !existsSync(join(home, to)))
      return refuse('lend', `--lend ${name}: there is no such file or folder in ${home}.`, 'Name another.');
    asked.push({ from: join(home, to), to });
  }
  const ofGit = GIT_FILES.map((name) => ({
    from: join(gitFolder(env), name),
    to: join('.config', 'git', name),
  }));
  const lent = [...loginFilesOf(env), ...ofGit, ...asked].filter(({ from }) => existsSync(from));
  return { ok: true, lent };
}

export function homeOf(env: Environment): string {
  return env['HOME'] ?? env['USERPROFILE'] ?? '';
}

export function gitFolder(env: Environment): string {
  return join(env['XDG_CONFIG_HOME'] || join(homeOf(env), '.config'), 'git');
}

/** Beside the home, where the loop does not write: what its copies were made from. */
export function stampsFile(dir: string): string {
  return `${dir}.lent`;
}

/** Again where the worker's file has changed: a person may have logged in since. */
export function lendTo(dir: string, lent: readonly LentFile[]): void {
  const before = readAs(isRecord, () => readFileSync(stampsFile(dir), 'utf8')) ?? {};
  const stamps: Record<string, string> = {};
  for (const { from, to } of lent) {
    const stamp = (stamps[to] = readStamp(from));
    if (before[to] === stamp) continue;
    makeFolders(dir, dirname(to));
    const copy = join(dir, to);
    rmSync(copy, { recursive: true, force: true });
    cpSync(from, copy, { recursive: true, dereference: true, filter: isPlain });
    if (!statSync(copy).isDirectory()) chmodSync(copy, 0o600);
  }
  writeFileSync(stampsFile(dir), JSON.stringify(stamps), { mode: 0o600 });
}

/** Sockets and pipes can't be copied. */
function isPlain(path: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat !== undefined && (stat.isFile() || stat.isDirectory());
}

function readStamp(path: string): string {
  const stat = statSync(path);
  const own = `${stat.mtimeMs} ${stat.size}`;
  if (!stat.isDirectory()) return own;
  const inside = readdirSync(path).filter((name) => isPlain(join(path, name)));
  return sha256([own, ...inside.map((name) => `${name} ${readStamp(join(path, name))}`)].join('\n'));
}

/** The loop may have put a link there: nothing is copied through it. */
function makeFolders(dir: string, path: string): void {
  let at = dir;
  for (const name of path.split(sep).filter((part) => part !== '.' && part !== '')) {
    at = join(at, name);
    if (lstatSync(at, { throwIfNoEntry: false })?.isDirectory() === true) continue;
    rmSync(at, { force: true });
    mkdirSync(at, { mode: 0o700 });
  }
}
