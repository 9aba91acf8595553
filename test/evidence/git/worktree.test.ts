import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { goToBranch } from '#evidence/git/worktree/branch.ts';
import { sayStrayed, takeTreeMark } from '#evidence/git/marks/mark.ts';
import { inspect } from '#evidence/git/lists.ts';
import {
  makeWorktree,
  type Worktree,
  mayRemoveWorktree,
  removeWorktree,
} from '#evidence/git/worktree/worktree.ts';
import { temporaryFolder } from '../../store/folder.ts';
import { aboutToConflict, emptyRepository, git, put, repository } from './repository.ts';

const LOOP = 'RALPH_20261115_abcdef';

async function make(...asked: Parameters<typeof makeWorktree>): Promise<Worktree> {
  const made = await makeWorktree(...asked);
  if (!made.ok) throw new Error(`${made.code}: ${made.message}`);
  return made;
}

const state = (dir: string) => ({
  head: git(dir, 'symbolic-ref', 'HEAD'),
  status: git(dir, 'status', '--porcelain'),
  staged: git(dir, 'diff', '--cached'),
});

describe('where a project stands', () => {
  it('root, head, branch, dirty files', async () => {
    const dir = repository();
    put(dir, 'a.txt', 'x');
    put(dir, 'src/new one', 'x');
    expect(await inspect(join(dir, 'src'))).toEqual({
      ok: true,
      root: dir,
      head: git(dir, 'rev-parse', 'HEAD').trim(),
      branch: 'main',
      dirty: ['a.txt', 'src/new one'],
      operation: null,
    });
    git(dir, 'checkout', '-q', '--detach');
    expect(await inspect(dir)).toMatchObject({ branch: null });
    expect(await inspect(emptyRepository())).toMatchObject({ head: null, branch: 'main', dirty: [] });
  });

  it('in the middle of a merge', async () => {
    const { dir, merge } = aboutToConflict();
    merge();
    expect(await inspect(dir)).toMatchObject({ operation: 'merge', dirty: ['a.txt'] });
  });

  it('nowhere: no repository, a bare one, one whose work tree is elsewhere', async () => {
    expect(await inspect(temporaryFolder())).toMatchObject({ code: 'no-repository' });
    const bare = join(temporaryFolder(), 'bare.git');
    mkdirSync(bare);
    git(bare, 'init', '-q', '--bare');
    expect(await inspect(bare)).toMatchObject({ code: 'bare' });
    git(repository(), 'clone', '-q', '--bare', '.', join(bare, '../b.git'));
    git(join(bare, '../b.git'), 'worktree', 'add', '-q', '../tree', 'main');
    expect(await inspect(join(bare, '../tree'))).toMatchObject({ ok: true, branch: 'main' });
    const dir = repository();
    git(dir, 'config', 'core.worktree', temporaryFolder());
    expect(await inspect(dir)).toMatchObject({ ok: false, code: 'no-repository' });
  });
});

describe('a branch', () => {
  it('begins here, and takes what is dirty and staged along', async () => {
    const dir = repository();
    put(dir, 'a.txt', 'staged\n');
    git(dir, 'add', 'a.txt');
    put(dir, 'new.txt', 'x');
    const before = state(dir);
    expect(await goToBranch(dir, 'work/ünï')).toBe(null);
    expect(state(dir)).toEqual({ ...before, head: 'refs/heads/work/ünï\n' });
    expect(await inspect(dir)).toMatchObject({ branch: 'work/ünï' });
    const empty = emptyRepository();
    expect(await goToBranch(empty, 'first')).toBe(null);
    expect(git(empty, 'symbolic-ref', 'HEAD')).toBe('refs/heads/first\n');
  });

  it('is refused: a name that git does not allow, one that is in the way', async () => {
    const dir = repository();
    for (const name of ['', '-x', 'a..b', 'a b', 'x.lock', 'HEAD', '@{-1}', 'a\0b'])
      expect(await goToBranch(dir, name)).toMatchObject({ ok: false, code: 'branch-name' });
    expect(await goToBranch(dir, 'main/x')).toMatchObject({ code: 'branch' });
    expect(git(dir, 'branch', '--format=%(refname)')).toBe('refs/heads/main\n');
  });

  it('is switched to, unless a dirty file would be lost, or it is checked out elsewhere', async () => {
    const dir = repository();
    const canary = join(dir, '../canary');
    chmodSync(put(dir, '.git/hooks/post-checkout', `#!/bin/sh\ntouch '${canary}'\n`), 0o755);
    git(dir, 'branch', 'other');
    put(dir, 'a.txt', 'main\n');
    git(dir, 'commit', '-qam', 'x');
    put(dir, 'src/b.txt', 'carried along\n');
    for (const _ of ['there', 'there already']) {
      expect(await goToBranch(dir, 'other')).toBe(null);
      expect(git(dir, 'symbolic-ref', 'HEAD')).toBe('refs/heads/other\n');
    }
    put(dir, 'a.txt', 'mine\n');
    expect(await goToBranch(dir, 'main')).toMatchObject({
      code: 'dirty',
      message: expect.stringContaining('a.txt'),
    });
    expect(readFileSync(join(dir, 'a.txt'), 'utf8')).toBe('mine\n');
    git(dir, 'checkout', '-q', '--', 'a.txt');
    git(dir, 'worktree', 'add', '-q', join(dir, '../tree'), 'main');
    rmSync(canary, { force: true });
    expect(await goToBranch(dir, 'main')).toMatchObject({ code: 'elsewhere' });
    expect(existsSync(canary)).toBe(false);
  });

  it('is not switched to where files would come out without their filter', async () => {
    const dir = repository({ 'x.own': 'one\n' });
    git(dir, 'branch', 'other');
    put(dir, 'x.own', 'two\n');
    git(dir, 'commit', '-qam', 'x');
    git(dir, 'config', 'filter.own.smudge', 'cat');
    put(dir, '.git/info/attributes', '*.own filter=own\n');
    expect(await goToBranch(dir, 'other')).toMatchObject({ code: 'filtered' });
  });
});

describe('a worktree of a loop’s own', () => {
  it('stands outside the project, on a branch of its own, and leaves the user’s tree alone', async () => {
    const dir = repository();
    const home = join(temporaryFolder(), 'ho me');
    const canary = join(dir, '../canary');
    chmodSync(put(dir, '.git/hooks/post-checkout', `#!/bin/sh\ntouch '${canary}'\n`), 0o755);
    put(dir, 'a.txt', 'mine\n');
    const before = state(dir);
    const made = await make({ project: join(dir, 'src'), loop: LOOP, home });
    expect(made).toEqual({
      ok: true,
      is: 'made',
      path: join(home, 'worktrees', LOOP),
      project: join(home, 'worktrees', LOOP, 'src'),
      branch: `dacapo/${LOOP}`,
      begun: git(dir, 'rev-parse', 'HEAD').trim(),
      leftBehind: ['a.txt'],
    });
    expect(readFileSync(join(made.path, 'a.txt'), 'utf8')).toBe('a\n');
    expect(state(dir)).toEqual(before);
    expect(existsSync(canary)).toBe(false);
    expect(await makeWorktree({ project: dir, loop: LOOP, home })).toMatchObject({
      is: 'there-already',
      branch: `dacapo/${LOOP}`,
    });
  });

  it('two loops side by side in one repository', async () => {
    const [dir, home] = [repository(), temporaryFolder()];
    const [one, two] = [
      await make({ project: dir, loop: 'one', home }),
      await make({ project: dir, loop: 'two', home }, 'second'),
    ];
    put(one.path, 'a.txt', 'one\n');
    expect(await inspect(two.path)).toMatchObject({ branch: 'second', dirty: [] });
    expect(await inspect(dir)).toMatchObject({ branch: 'main', dirty: [] });
  });

  it('is refused without a commit, on a taken branch, in a taken place, for an id that leads elsewhere', async () => {
    const home = temporaryFolder();
    expect(await makeWorktree({ project: emptyRepository(), loop: LOOP, home })).toMatchObject({
      code: 'no-commits',
    });
    const dir = repository();
    const order = { project: dir, loop: LOOP, home };
    expect(await makeWorktree(order, 'main')).toMatchObject({ code: 'branch-exists' });
    expect(await makeWorktree(order, 'a..b')).toMatchObject({ code: 'branch-name' });
    expect(await makeWorktree({ ...order, loop: '../x' })).toMatchObject({ code: 'name' });
    put(home, `worktrees/${LOOP}/somebody`, 'x');
    expect(await makeWorktree(order)).toMatchObject({ code: 'worktree-taken' });
    const other = repository();
    await make({ project: other, loop: 'x', home });
    expect(await makeWorktree({ ...order, loop: 'x' })).toMatchObject({ code: 'worktree-taken' });
  });

  it('comes out without a filter of the repository', async () => {
    const dir = repository({ 'x.own': 'x\n', '.gitattributes': '*.own filter=own\n' });
    git(dir, 'config', 'filter.own.smudge', 'false');
    git(dir, 'config', 'filter.own.required', 'true');
    const { path } = await make({ project: dir, loop: LOOP, home: temporaryFolder() });
    expect(readFileSync(join(path, 'x.own'), 'utf8')).toBe('x\n');
  });
});

describe('its removal', () => {
  it('leaves the branch with its commits', async () => {
    const order = {
      project: repository({ '.gitignore': 'node_modules\n*.env\n' }),
      loop: LOOP,
      home: temporaryFolder(),
    };
    const { path } = await make(order);
    put(path, 'done.txt', 'x');
    put(path, 'node_modules/x/index.js', 'x');
    git(path, 'add', '-A');
    git(path, 'commit', '-q', '-m', 'Work');
    expect(await removeWorktree(order)).toMatchObject({ ok: true, branch: `dacapo/${LOOP}` });
    expect(existsSync(path)).toBe(false);
    expect(git(order.project, 'show', `dacapo/${LOOP}:done.txt`)).toBe('x');
    expect(await removeWorktree(order)).toMatchObject({ code: 'no-worktree' });
  });

  it('is refused while there is uncommitted work', async () => {
    const order = { project: repository(), loop: LOOP, home: temporaryFolder() };
    const { path } = await make(order);
    put(path, 'a.txt', 'changed\n');
    put(path, 'new.txt', 'new\n');
    expect(await removeWorktree(order)).toMatchObject({
      code: 'uncommitted',
      message: expect.stringContaining('new.txt'),
    });
    expect(existsSync(join(path, 'new.txt'))).toBe(true);
  });

  it('takes along what is kept elsewhere, and nothing that lies beside it', async () => {
    const order = { project: repository({ '.gitignore': '.claude\n' }), loop: LOOP, home: temporaryFolder() };
    const { path } = await make(order);
    const [ignored, plain] = [join(path, '.claude', 'notes.md'), join(path, 'notes.md')];
    put(path, '.claude/notes.md', 'x');
    put(path, '.claude/deep/settings.json', '{}');
    put(path, 'notes.md', 'x');
    const copied = [ignored, plain];
    expect(await removeWorktree({ ...order, copied: [ignored] })).toMatchObject({ code: 'ignored-files' });
    expect(await removeWorktree({ ...order, copied })).toMatchObject({ code: 'ignored-files' });
    rmSync(join(path, '.claude', 'deep'), { recursive: true });
    expect(await removeWorktree({ ...order, copied: [ignored] })).toMatchObject({
      code: 'uncommitted',
      message: 'The worktree holds uncommitted work: notes.md.',
    });
    expect(await mayRemoveWorktree({ ...order, copied })).toMatchObject({ ok: true, path });
    expect(existsSync(plain)).toBe(true);
    expect(await removeWorktree({ ...order, copied })).toMatchObject({ ok: true });
    expect(existsSync(path)).toBe(false);
  });

  it('and while it is on no branch, or holds ignored files that nobody could make again', async () => {
    const order = { project: repository({ '.gitignore': '*.env\n' }), loop: LOOP, home: temporaryFolder() };
    const { path } = await make(order);
    put(path, 'keys.env', 'secret');
    expect(await removeWorktree(order)).toMatchObject({ code: 'ignored-files' });
    git(path, 'checkout', '-q', '--detach');
    git(path, 'commit', '-q', '--allow-empty', '-m', 'On no branch');
    rmSync(join(path, 'keys.env'));
    expect(await removeWorktree(order)).toMatchObject({ code: 'uncommitted' });
  });
});

describe('a worker leaves its worktree and changes main', () => {
  it('is told with the names, and nothing is said where nothing happened', async () => {
    const dir = repository();
    const { path } = await make({ project: dir, loop: LOOP, home: temporaryFolder() });
    const store = temporaryFolder();
    const before = await takeTreeMark(dir, store);
    if (before === null) throw new Error('there is no mark');
    put(path, 'a.txt', 'in the worktree\n');
    git(path, 'commit', '-qam', 'In the worktree');
    expect(await sayStrayed({ main: dir, before, store })).toBeNull();

    put(dir, 'a.txt', 'strayed\n');
    expect(await sayStrayed({ main: dir, before, store })).toBe(
      'While the pass ran in its own worktree, in the project itself these files changed: a.txt. Was that you?',
    );
    git(dir, 'commit', '-qam', 'On main');
    expect(await sayStrayed({ main: dir, before, store })).toMatch(
      /: a\.txt; another commit is checked out\. Was that you\?$/,
    );
  });
});
