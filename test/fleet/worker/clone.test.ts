/** The mirror of a repository on a worker: it is brought up to date when it is old. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { dropHalfMirrors, openGitMirror } from '#fleet/worker/clone.ts';

test('a mirror that is an hour old gets what was pushed since, and runs nothing of its settings', async () => {
  const root = mkdtempSync(join(tmpdir(), 'dacapo-mirror-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [repo, work, ran] = [join(root, 'repo.git'), join(root, 'work'), join(root, 'ran')];
  const git = (at: string, ...words: string[]) =>
    execFileSync('git', ['-C', at, '-c', 'user.name=T', '-c', 'user.email=t@example.org', ...words], {
      encoding: 'utf8',
    }).trim();
  git(root, 'init', '-q', '--bare', '-b', 'main', repo);
  git(root, 'init', '-q', '-b', 'main', work);
  const commit = (text: string): string => {
    git(work, 'commit', '-q', '--allow-empty', '-m', text);
    git(work, 'push', '-q', repo, 'HEAD:main');
    return git(work, 'rev-parse', 'HEAD');
  };
  const first = commit('first');
  const open = async () => {
    const opened = await openGitMirror(repo, join(root, 'mirrors'), {});
    if (!opened.ok) throw new Error(opened.message);
    return opened.mirror;
  };
  const mirror = await open();
  const second = commit('second');
  git(mirror, 'config', 'core.sshCommand', `touch ${ran}`);
  git(mirror, 'config', `url.ssh://nobody@127.0.0.1${repo}.insteadOf`, repo);
  writeFileSync(join(mirror, 'hooks/reference-transaction'), `#!/bin/sh\ntouch ${ran}\n`, { mode: 0o755 });
  await open();
  expect(git(mirror, 'rev-parse', 'main')).toBe(first);
  utimesSync(join(mirror, 'dacapo-fetched'), 0, 0);
  await open();
  expect(git(mirror, 'rev-parse', 'main')).toBe(second);
  expect(git(mirror, 'cat-file', '-t', second)).toBe('commit');
  expect(existsSync(ran)).toBe(false);
});

test('half a mirror goes when it is old, and not because this machine lacks its process', () => {
  const mirrors = mkdtempSync(join(tmpdir(), 'dacapo-mirrors-'));
  onTestFinished(() => rmSync(mirrors, { recursive: true }));
  const old = Date.now() / 1_000 - 3_600;
  for (const name of ['a.git', 'a.git.999999', 'b.git.0f0f0f0f0f0f', 'c.git']) mkdirSync(join(mirrors, name));
  for (const name of ['b.git.0f0f0f0f0f0f', 'c.git']) utimesSync(join(mirrors, name), old, old);
  dropHalfMirrors(mirrors);
  expect(readdirSync(mirrors).toSorted()).toEqual(['a.git', 'a.git.999999', 'c.git']);
});
