/**
 * Real repositories in folders of their own, with nobody's settings but the test's: vitest.config.ts hides
 * those of the machine.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { temporaryFolder } from '../../store/folder.ts';

export function git(cwd: string, ...args: string[]): string {
  return run(cwd, args, {});
}

/** With the objects of a loop's own store beside those of the repository. */
export function gitIn(store: string, cwd: string, ...args: string[]): string {
  return run(cwd, args, { GIT_ALTERNATE_OBJECT_DIRECTORIES: join(store, 'objects') });
}

function run(cwd: string, args: readonly string[], env: Record<string, string>): string {
  const settings = ['-c', 'protocol.file.allow=always', '-c', 'init.defaultBranch=main'];
  return execFileSync('git', [...settings, ...args], {
    cwd,
    env: { ...process.env, ...env },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

export function put(dir: string, file: string, content: string | Buffer): string {
  const path = join(dir, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}

/** With an identity, and no commit yet. */
export function emptyRepository(dir = join(temporaryFolder(), 'project')): string {
  mkdirSync(dir, { recursive: true });
  git(dir, 'init', '-q');
  git(dir, 'config', 'user.name', 'Test');
  git(dir, 'config', 'user.email', 'test@example.org');
  return dir;
}

export function repository(files: Record<string, string> = { 'a.txt': 'a\n', 'src/b.txt': 'b\n' }): string {
  const dir = emptyRepository();
  for (const [file, content] of Object.entries(files)) put(dir, file, content);
  git(dir, 'add', '-A');
  git(dir, 'commit', '-q', '-m', 'First');
  return dir;
}

/** `merge` leaves it in the middle of a merge, with `a.txt` in conflict. */
export function aboutToConflict(): { readonly dir: string; readonly merge: () => void } {
  const dir = repository();
  git(dir, 'switch', '-q', '-c', 'other');
  put(dir, 'a.txt', 'theirs\n');
  git(dir, 'commit', '-qam', 'Theirs');
  git(dir, 'switch', '-q', 'main');
  put(dir, 'a.txt', 'ours\n');
  git(dir, 'commit', '-qam', 'Ours');
  const merge = () => expect(() => git(dir, 'merge', 'other')).toThrow('merge other');
  return { dir, merge };
}

/** Every file below a folder, `.git` included, with its bytes. */
export function bytesIn(dir: string): Record<string, string> {
  const files = readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(files.toSorted().map((path) => [path, readFileSync(path, 'latin1')]));
}
