// @module-tag slow
/** Several git programs in one repository: what is only in the way for a moment fails nothing. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { askPatiently } from '#evidence/git/git.ts';
import { openRepository } from '#evidence/git/repository.ts';
import { makeWorktree } from '#evidence/git/worktree/worktree.ts';
import { saidBy, type GitAnswer } from '#evidence/git/git.ts';
import { temporaryFolder } from '../../store/folder.ts';
import { git, put, repository } from './repository.ts';

const said = (code: number, complaint: string): GitAnswer => ({ is: 'said', code, out: '', complaint });

/** How often it was asked, until it was given up or answered. */
async function asked(...answers: [GitAnswer, ...GitAnswer[]]): Promise<number> {
  let n = 0;
  const last = await askPatiently(
    async () => answers[Math.min(n++, answers.length - 1)] ?? answers[0],
    () => 0,
  );
  expect(last).toBe(answers.at(-1));
  return n;
}

test.each([
  [128, "fatal: Unable to create '/p/.git/index.lock': File exists."],
  [
    128,
    "error: could not lock config file .git/config: File exists\nfatal: '/p/.git/config.lock': File exists",
  ],
  [128, "fatal: cannot lock ref 'HEAD': Unable to create '/p/.git/HEAD.lock': File exists."],
  [128, 'fatal: failed to read .git/worktrees/run_1/commondir: Success'],
])('what another git has hold of is asked for again (%s, %s)', async (code, complaint) => {
  expect(await asked(said(code, complaint), said(code, complaint), said(0, ''))).toBe(3);
});

test('any other answer stands, and patience ends', async () => {
  expect(await asked(said(0, "warning: '/p/.git/gc.pid.lock': File exists"))).toBe(1);
  expect(await asked(said(128, 'fatal: not a git repository'))).toBe(1);
  expect(await asked({ is: 'unanswered', why: 'too-long' })).toBe(1);
  expect(await asked(said(128, "fatal: Unable to create '/p/.git/index.lock': File exists."))).toBe(8);
});

test('a lock that someone holds for a moment is waited for', async () => {
  const dir = repository();
  const lock = join(dir, '.git', 'index.lock');
  const there = await openRepository(dir);
  if (!there.ok) throw new Error(there.message);
  put(dir, 'new.txt', 'x');
  writeFileSync(lock, '');
  const letGo = setTimeout(() => rmSync(lock), 150);
  try {
    expect(saidBy(await there.ask(['add', '--', 'new.txt']))).toBe('');
  } finally {
    clearTimeout(letGo);
  }
  expect(git(dir, 'diff', '--cached', '--name-only')).toBe('new.txt\n');
});

/** As `worktree add` leaves it for an instant: the file is there, and nothing is in it. */
function halfMade(dir: string): string {
  const half = join(dir, '.git', 'worktrees', 'half');
  mkdirSync(half, { recursive: true });
  writeFileSync(join(half, 'gitdir'), `${join(temporaryFolder(), '.git')}\n`);
  writeFileSync(join(half, 'HEAD'), git(dir, 'rev-parse', 'HEAD'));
  writeFileSync(join(half, 'commondir'), '');
  return half;
}

test('a worktree beside one that is half made is made as soon as that one is whole', async () => {
  const dir = repository();
  const half = halfMade(dir);
  const order = { project: dir, loop: 'run_1', home: temporaryFolder() };
  const whole = setTimeout(() => writeFileSync(join(half, 'commondir'), '../..\n'), 200);
  try {
    expect(await makeWorktree(order)).toMatchObject({ ok: true, is: 'made', branch: 'dacapo/run_1' });
  } finally {
    clearTimeout(whole);
  }
});

test('one that can’t be made leaves no branch behind', async () => {
  const dir = repository();
  halfMade(dir);
  const refused = await makeWorktree({ project: dir, loop: 'run_1', home: temporaryFolder() });
  expect(refused).toMatchObject({
    ok: false,
    code: 'worktree',
    message: expect.stringContaining('commondir'),
  });
  expect(git(dir, 'branch', '--format=%(refname:short)')).toBe('main\n');
  expect(readdirSync(join(dir, '.git', 'worktrees'))).toEqual(['half']);
});

/**
 * Each git is a program of its own, as in runs side by side; of 1,200 such additions 34 failed once, by a
 * worktree half made.
 */
test('many worktrees of one repository at the same instant are all made', async () => {
  const SIDE_BY_SIDE = 16;
  const dir = repository();
  const home = temporaryFolder();
  const made = await Promise.all(
    Array.from({ length: SIDE_BY_SIDE }, (_, n) => makeWorktree({ project: dir, loop: `run_${n}`, home })),
  );
  expect(made.filter(({ ok }) => !ok)).toEqual([]);
  expect(git(dir, 'worktree', 'list').trim().split('\n')).toHaveLength(SIDE_BY_SIDE + 1);
}, 60_000);
