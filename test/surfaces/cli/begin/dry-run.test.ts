/**
 * `--dry-run` changes nothing: every file of the project, its repository and the state folder stays as it
 * was.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, lstatSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isRecord } from '#base/shape.ts';
import { sha256 } from '#base/files/sha256.ts';
import { makeBox, type Box } from '../box.ts';

const HOST = join(import.meta.dirname, '../host.mjs');

/** A project with a repository, a file that is not committed, and a feature list. */
function boxWithHost(): Box & { readonly dry: (...args: string[]) => ReturnType<Box['run']> } {
  const box = makeBox();
  const claude = join(box.root, 'claude');
  writeFileSync(claude, `#!/bin/sh\nexec "${process.execPath}" "${HOST}" claude "$@"\n`);
  chmodSync(claude, 0o755);
  const git = (...args: string[]) => spawnSync('git', args, { cwd: box.project, env: box.env });
  box.write('features.json', '[{ "description": "login", "passes": false }]');
  git('init', '-q');
  git('add', '.');
  git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '-m', 'first');
  box.write('notes.txt', 'mine\n');
  return { ...box, dry: (...args) => box.run([...args, '--dry-run'], { DACAPO_CLAUDE: claude }) };
}

function contentOf(folder: string): Record<string, string> {
  if (!existsSync(folder)) return {};
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return Object.fromEntries(
    paths.map((path) => {
      const full = join(folder, path);
      return [path, lstatSync(full).isFile() ? sha256(readFileSync(full, 'latin1')) : 'folder'];
    }),
  );
}

const everything = ({ root }: Box) => contentOf(root);

const RUN = ['run', 'Fix it.', '--check', 'test -s ok.txt', '--features', 'features.json', '--commit'];

test('in a home that is not there yet, none is made', () => {
  const box = boxWithHost();
  const before = everything(box);
  expect(box.dry(...RUN, '--protect', '*.json').code).toBe(0);
  expect(box.dry('start', 'Fix it.', '--view', 'markdown,progress').code).toBe(0);
  expect(everything(box)).toEqual(before);
});

test('beside other loops, with a work tree and a branch, nothing changes either', () => {
  const box = boxWithHost();
  expect(box.run(['ready', 'Later.']).code).toBe(0);
  const before = everything(box);
  const shown = box.dry(...RUN, '--worktree', '--branch', 'work', '--worktree-setup', 'exit 3');
  expect([shown.code, shown.stdout]).toEqual([
    0,
    expect.stringContaining('in a separate work tree, branch work'),
  ]);
  expect(shown.stdout).toContain('not in it, because not committed: notes.txt');
  expect(shown.stdout).toContain('the work tree is prepared with: exit 3');
  expect(box.dry(...RUN, '--branch', 'work').code).toBe(0);
  expect(box.dry('start', 'Later.').code).toBe(0);
  expect(everything(box)).toEqual(before);
});

test('programs get one object, with the results of the checks', () => {
  const box = boxWithHost();
  const value: unknown = JSON.parse(box.dry(...RUN, '--json').stdout);
  expect(value).toMatchObject({
    dry_run: true,
    driver: 'fresh',
    gates: [
      { gate: 'check', wanted: 'test -s ok.txt', holds: false },
      { gate: 'features', seen: expect.stringContaining('1 of 1 item') },
    ],
    max_seconds: 3_600,
    plan: { commit: 'own' },
    brief: expect.stringContaining('Fix it.'),
  });
  expect(isRecord(value) && value['command']).toContain('--session-id');
});
