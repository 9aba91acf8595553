// @module-tag slow
/** What `dacapo run` does with git, with the real Claude Code at work. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { UNATTENDED, dacapo, ofKind, startDacapo } from '../dacapo.ts';
import type { Reply } from '../host.ts';
import { makeWorld, type World } from '../world.ts';

const CHECK = ['--check', 'test "$(wc -l < poem.txt)" -ge 2', '--pause', '0', '--json'];
const APPEND: Reply = [{ tool: 'Bash', input: { command: 'echo line >> poem.txt' } }];
const WRITES: [Reply, ...Reply[]] = [APPEND, 'One.', APPEND, 'Two.'];

function git(world: World, ...args: string[]): string {
  return execFileSync('git', args, { cwd: world.sandbox.project, env: world.sandbox.env, encoding: 'utf8' });
}

async function withRepository(script: Parameters<typeof makeWorld>[0]): Promise<World> {
  const world = await makeWorld(script);
  world.sandbox.write('README.md', '# Poems\n');
  git(world, 'add', '-A');
  git(world, 'commit', '-qm', 'Begin');
  return world;
}

test('--commit makes one commit for each iteration, with what it wrote before and after a fault, and never of what was dirty before', async () => {
  const overloaded = {
    status: 529,
    body: { type: 'error', error: { type: 'overloaded_error', message: 'no' } },
  };
  const early: Reply = [{ tool: 'Bash', input: { command: 'echo early > early.txt' } }];
  const world = await withRepository([early, overloaded, ...WRITES]);
  world.sandbox.write('README.md', '# Mine, not committed yet\n');
  const args = ['run', 'Write.', '--commit', '--name', 'poem', ...CHECK, ...UNATTENDED];
  const run = await startDacapo(world, args, { CLAUDE_CODE_MAX_RETRIES: '0' }).ended;
  expect(run.code).toBe(0);
  expect(ofKind(run, 'fault')).toHaveLength(1);
  expect(git(world, 'log', '--format=%s')).toBe('Write. (iteration 2)\nWrite. (iteration 1)\nBegin\n');
  expect(git(world, 'log', '-1', '--format=%b')).toMatch(
    /^Two\.\n\nDa-Capo-Loop: RALPH_\w+\nDa-Capo-Iteration: 2\n/,
  );
  expect(git(world, 'show', '--name-only', '--format=', 'HEAD')).toBe('poem.txt\n');
  expect(git(world, 'show', '--name-only', '--format=', 'HEAD~1')).toBe('early.txt\npoem.txt\n');
  expect(git(world, 'status', '--porcelain')).toBe(' M README.md\n');
  expect(ofKind(run, 'committed')).toHaveLength(2);
});

test('--branch works on a branch of its own; rollback returns to a recorded point, and can be undone', async () => {
  const world = await withRepository(WRITES);
  const run = await dacapo(world, 'run', 'Write.', '--branch', 'poems', ...CHECK, ...UNATTENDED);
  expect(run.code).toBe(0);
  expect(git(world, 'branch', '--show-current')).toBe('poems\n');
  expect(git(world, 'for-each-ref', '--format=%(refname)', 'refs/dacapo')).toBe('');
  git(world, 'reflog', 'expire', '--expire=now', '--all');
  git(world, 'gc', '-q', '--prune=now');
  expect((await dacapo(world, 'rollback', '1')).code).toBe(0);
  expect(world.sandbox.read('poem.txt')).toBe('line\n');
  const undo = await dacapo(world, 'rollback', 'before-rollback-1');
  expect(undo.code).toBe(0);
  expect(world.sandbox.read('poem.txt')).toBe('line\nline\n');
  const unknown = await dacapo(world, 'rollback', '17');
  expect(unknown.code).toBe(1);
  expect(unknown.stderr).toContain('next:');
  expect((await dacapo(world, 'prune', '--older-than', '0m')).code).toBe(0);
  expect(world.loops()).toEqual([]);
});

test('two loops side by side in one repository, each in its own work tree, and the person’s is left alone', async () => {
  const world = await withRepository(({ text }) => (text.includes('Da Capo') ? APPEND : 'A line is there.'));
  const flags = ['--check', 'test -f poem.txt', '--json', '--worktree', '--commit', ...UNATTENDED];
  const [one, two] = await Promise.all([
    startDacapo(world, ['run', 'Write the first.', ...flags]).ended,
    startDacapo(world, ['run', 'Write the second.', ...flags]).ended,
  ]);
  for (const { code, stderr } of [one, two]) expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(one.stderr).toMatch(
    /its work is in (.*), on branch (dacapo\/run_\w+)\.\n.*git merge \2\n.*remove \1 /,
  );
  expect(existsSync(join(world.sandbox.project, 'poem.txt'))).toBe(false);
  expect(git(world, 'status', '--porcelain')).toBe('');
  const loops = world.loops();
  expect(new Set(loops.map(({ project }) => project)).size).toBe(2);
  for (const { project, frame } of loops) {
    expect(readFileSync(join(project, 'poem.txt'), 'utf8')).toBe('line\n');
    expect(frame.passes).toBe(1);
  }
  // Both are found from the project that they were cut from.
  const status = await dacapo(world, 'status', '--json');
  expect(JSON.parse(status.stdout)).toHaveLength(2);
});

test('where there is no repository, git flags are refused before anything is made', async () => {
  const world = await makeWorld(['Never asked.']);
  execFileSync('rm', ['-rf', '.git'], { cwd: world.sandbox.project });
  for (const flag of [['--commit'], ['--branch', 'x'], ['--worktree']]) {
    const run = await dacapo(world, 'run', 'Write.', ...flag, ...UNATTENDED);
    expect(run.code).toBe(1);
    expect(run.stderr).toMatch(/error: .*repository/);
  }
  expect(world.loops()).toEqual([]);
});

test('each pass of a list of items has a point of its own, counted over the whole loop', async () => {
  const done = '<issue-complete>DONE</issue-complete>';
  const world = await withRepository([APPEND, done, APPEND, done]);
  world.sandbox.write('.git/items.md', '- [ ] first\n- [ ] second\n');
  const items = ['--items', '.git/items.md', '--commit', '--name', 'poem', '--pause', '0', '--json'];
  const run = await dacapo(world, 'run', 'Write.', ...items, ...UNATTENDED);
  expect(run.code).toBe(0);
  expect(git(world, 'log', '--format=%s')).toBe('second (iteration 2)\nfirst (iteration 1)\nBegin\n');
  const points: unknown = JSON.parse((await dacapo(world, 'rollback', '--json')).stdout);
  expect(points).toMatchObject([{ name: '0' }, { name: '1', work: 'first' }, { name: '2', work: 'second' }]);
  expect((await dacapo(world, 'rollback', '0')).code).toBe(0);
  expect(existsSync(join(world.sandbox.project, 'poem.txt'))).toBe(false);
  expect(git(world, 'log', '-1', '--format=%s')).toBe('Return to the files before the first iteration\n');
});
