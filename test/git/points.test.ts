import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commitPass, type Committed, type CommitOrder } from '../../src/git/commit.ts';
import {
  deletePoints,
  isList,
  listPoints,
  recordBeginning,
  recordPoint,
  type Point,
} from '../../src/git/points.ts';
import { temporaryFolder } from '../store/folder.ts';
import { aboutToConflict, emptyRepository, git, put, repository } from './repository.ts';

const LOOP = 'RALPH_20261115_abcdef';

async function begin(project: string, name = 'begin'): Promise<Point> {
  const point = await recordPoint({ project, loop: LOOP, name });
  if (!point.ok) throw new Error(point.message);
  return point;
}

/** A pass: a point before it, what the agent does, and the commit. */
async function pass(project: string, act: () => void, more: Partial<CommitOrder> = {}): Promise<Committed> {
  const before = await begin(project);
  act();
  const done = await commitPass({ project, before: before.ref, message: 'Iteration 1', ...more });
  if (!done.ok) throw new Error(`${done.code}: ${done.message}`);
  return done;
}

const state = (dir: string) => ({
  head: git(dir, 'rev-parse', 'HEAD'),
  branch: git(dir, 'symbolic-ref', 'HEAD'),
  staged: git(dir, 'diff', '--cached'),
  status: git(dir, 'status', '--porcelain', '-uall'),
});
const inCommit = (dir: string) =>
  git(dir, 'show', '--format=', '--name-status', '-z').split('\0').join(' ').trim();

describe('a recorded point', () => {
  it('holds everything, and touches neither index, HEAD nor work tree', async () => {
    const dir = repository();
    put(dir, 'a.txt', 'staged\n');
    git(dir, 'add', 'a.txt');
    put(dir, 'a.txt', 'and changed\n');
    put(dir, 'new\nline', 'new');
    unlinkSync(join(dir, 'src/b.txt'));
    const before = state(dir);
    const { sha, ref } = await begin(dir, '1');
    expect(state(dir)).toEqual(before);
    expect(git(dir, 'show', `${sha}:a.txt`)).toBe('and changed\n');
    expect(git(dir, 'show', `${sha}^2:a.txt`)).toBe('staged\n');
    expect(git(dir, 'ls-tree', '-r', '-z', '--name-only', sha).split('\0')).toEqual([
      'a.txt',
      'new\nline',
      '',
    ]);
    git(dir, 'reflog', 'expire', '--expire=now', '--all');
    git(dir, 'gc', '-q', '--prune=now');
    expect(git(dir, 'rev-parse', ref).trim()).toBe(sha);
  });

  it('sees an edit that keeps size and time of the index', async () => {
    const dir = repository();
    for (let i = 0; i < 5; i++) {
      put(dir, 'a.txt', `${i}\n`);
      git(dir, 'add', 'a.txt');
      put(dir, 'a.txt', `${i + 5}\n`);
      const { sha } = await begin(dir);
      expect(git(dir, 'show', `${sha}:a.txt`)).toBe(`${i + 5}\n`);
    }
  });

  it('without a commit, without an identity, in a subfolder, in a conflict', async () => {
    const dir = emptyRepository();
    git(dir, 'config', '--unset', 'user.name');
    put(dir, 'sub/x', 'x');
    put(dir, 'y', 'y');
    const { sha } = await begin(join(dir, 'sub'));
    expect(git(dir, 'ls-tree', '-r', '--name-only', sha)).toBe('sub/x\ny\n');

    const { dir: other, merge } = aboutToConflict();
    merge();
    const conflict = await begin(other);
    expect(git(other, 'show', `${conflict.sha}:a.txt`)).toContain('<<<<<<<');
    expect(git(other, 'diff', '--name-only', '--diff-filter=U')).toBe('a.txt\n');
  });

  it('leaves alone what it should not hold, and names it', async () => {
    const dir = repository({ '.gitignore': '*.log\n', 'a.secret': 'x\n' });
    const canary = join(dir, '../canary');
    git(dir, 'config', 'filter.own.clean', `touch '${canary}'; cat`);
    put(dir, '.git/info/attributes', '*.secret filter=own\n');
    put(dir, 'a.secret', 'in the clear\n');
    put(dir, 'x.log', 'ignored');
    truncateSync(put(dir, 'large.bin', ''), 51 * 1024 * 1024);
    emptyRepository(join(dir, 'nested'));
    put(dir, 'nested/x', 'x');
    put(dir, 'Ralph_State/own.json', '{}');
    const point = await recordPoint({ project: dir, loop: LOOP, name: '1', ignored: ['Ralph_State'] });
    expect(point).toMatchObject({ ok: true, leftAlone: ['a.secret', 'large.bin', 'nested/'] });
    expect(git(dir, 'ls-tree', '-r', '--name-only', `refs/dacapo/${LOOP}/1`)).toBe('.gitignore\na.secret\n');
    expect(git(dir, 'show', `refs/dacapo/${LOOP}/1:a.secret`)).toBe('x\n');
    expect(existsSync(canary)).toBe(false);
  });

  it('runs the filters that the user’s own settings define', async () => {
    const dir = repository({ 'a.up': 'x\n' });
    const settings = put(dir, '../gitconfig', '[filter "up"]\n\tclean = tr a-z A-Z\n\tsmudge = tr A-Z a-z\n');
    process.env['GIT_CONFIG_GLOBAL'] = settings;
    try {
      put(dir, '.git/info/attributes', '*.up filter=up\n');
      put(dir, 'a.up', 'word\n');
      const { sha } = await begin(dir);
      expect(git(dir, 'cat-file', 'blob', `${sha}:a.up`)).toBe('WORD\n');
    } finally {
      process.env['GIT_CONFIG_GLOBAL'] = '/dev/null';
    }
  });

  it('is listed by iteration, and deleted by name or all together', async () => {
    const dir = repository();
    for (const name of ['10', '2', 'begin']) await begin(dir, name);
    const listed = await listPoints(dir, LOOP);
    expect(isList(listed) && listed.map(({ name }) => name)).toEqual(['2', '10', 'begin']);
    const one = await deletePoints(dir, LOOP, ['10']);
    expect(isList(one) && one.map(({ name }) => name)).toEqual(['10']);
    await deletePoints(dir, LOOP);
    expect(await listPoints(dir, LOOP)).toEqual([]);
    expect(git(dir, 'for-each-ref', 'refs/dacapo')).toBe('');
  });

  it('has a name that leads nowhere else', async () => {
    const dir = repository();
    for (const [loop, name] of [
      ['../heads', 'main'],
      [LOOP, '../../heads/main'],
      [LOOP, 'a/b'],
    ] as const)
      expect(await recordPoint({ project: dir, loop, name })).toMatchObject({ ok: false, code: 'name' });
    expect(git(dir, 'for-each-ref', '--format=%(refname)')).toBe('refs/heads/main\n');
  });
});

describe('one commit of a pass', () => {
  it('holds what the pass changed: edits, new files, deletions, modes, links, odd names', async () => {
    const dir = repository();
    const done = await pass(dir, () => {
      put(dir, 'a.txt', 'changed\n');
      put(dir, 'deep/er/ü x', 'new\n');
      put(dir, 'new\nline', 'new\n');
      unlinkSync(join(dir, 'src/b.txt'));
      symlinkSync('a.txt', join(dir, 'link'));
      chmodSync(put(dir, 'run.sh', '#!/bin/sh\n'), 0o755);
    });
    expect(done).toMatchObject({
      is: 'committed',
      files: ['a.txt', 'deep/er/ü x', 'link', 'new\nline', 'run.sh', 'src/b.txt'],
      leftOut: [],
    });
    expect(inCommit(dir)).toBe('M a.txt A deep/er/ü x A link A new\nline A run.sh D src/b.txt');
    expect(git(dir, 'status', '--porcelain')).toBe('');
    expect(git(dir, 'log', '-1', '--format=%an <%ae> %s')).toBe('Test <test@example.org> Iteration 1\n');
    expect(git(dir, 'ls-tree', 'HEAD', 'run.sh')).toMatch(/^100755/);
    git(dir, 'fsck', '--strict');
  });

  it('nothing: no commit', async () => {
    const dir = repository();
    put(dir, 'mine.txt', 'mine');
    const before = state(dir);
    expect(await pass(dir, () => undefined)).toEqual({ ok: true, is: 'nothing', leftOut: [] });
    expect(state(dir)).toEqual(before);
  });

  it('leaves out what was dirty before, and names what the pass changed of it; what was staged stays staged', async () => {
    const dir = repository({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n', 'd.txt': 'd\n' });
    put(dir, 'a.txt', 'mine\n');
    put(dir, 'b.txt', 'staged\n');
    git(dir, 'add', 'b.txt');
    put(dir, 'mine.txt', 'mine\n');
    // Staged, and back as it was in the work tree.
    put(dir, 'd.txt', 'staged\n');
    git(dir, 'add', 'd.txt');
    put(dir, 'd.txt', 'd\n');
    const staged = git(dir, 'diff', '--cached');
    const done = await pass(dir, () => {
      put(dir, 'a.txt', 'mine\nand theirs\n');
      put(dir, 'c.txt', 'theirs\n');
      put(dir, 'd.txt', 'theirs\n');
      put(dir, 'new.txt', 'theirs\n');
    });
    expect(done).toMatchObject({
      files: ['c.txt', 'new.txt'],
      leftOut: [
        { path: 'a.txt', why: 'dirty-before' },
        { path: 'd.txt', why: 'dirty-before' },
      ],
    });
    expect(inCommit(dir)).toBe('M c.txt A new.txt');
    expect(git(dir, 'diff', '--cached')).toBe(staged);
    expect(git(dir, 'status', '--porcelain')).toBe(' M a.txt\nM  b.txt\nMM d.txt\n?? mine.txt\n');
  });

  it('takes all where that is asked for', async () => {
    const dir = repository();
    put(dir, 'mine.txt', 'mine\n');
    const done = await pass(dir, () => put(dir, 'a.txt', 'theirs\n'), { includeDirty: true });
    expect(done).toMatchObject({ files: ['a.txt', 'mine.txt'], leftOut: [] });
    expect(git(dir, 'status', '--porcelain')).toBe('');
  });

  it('adds to what the agent committed itself, also when it staged on the way', async () => {
    const dir = repository();
    const done = await pass(dir, () => {
      put(dir, 'a.txt', 'committed by the agent\n');
      git(dir, 'commit', '-qam', 'By the agent');
      put(dir, 'a.txt', 'staged\n');
      git(dir, 'add', 'a.txt');
      put(dir, 'a.txt', 'at last\n');
      put(dir, 'new.txt', 'new\n');
    });
    expect(done).toMatchObject({ files: ['a.txt', 'new.txt'] });
    expect(git(dir, 'log', '--format=%s')).toBe('Iteration 1\nBy the agent\nFirst\n');
    expect(git(dir, 'show', 'HEAD:a.txt')).toBe('at last\n');
    expect(git(dir, 'status', '--porcelain')).toBe('');
  });

  it('is the first one of a repository; runs on a detached HEAD; in a subfolder it covers the whole', async () => {
    const empty = emptyRepository();
    expect(await pass(empty, () => put(empty, 'x', 'x'))).toMatchObject({ files: ['x'] });
    expect(git(empty, 'rev-list', '--count', 'HEAD')).toBe('1\n');
    const dir = repository();
    git(dir, 'checkout', '-q', '--detach');
    expect(await pass(join(dir, 'src'), () => put(dir, 'top', 'x'))).toMatchObject({ files: ['top'] });
    expect(git(dir, 'rev-list', '--count', 'HEAD')).toBe('2\n');
    expect(git(dir, 'rev-list', '--count', 'main')).toBe('1\n');
  });

  it('a folder that was a file, and a file that was a folder', async () => {
    const dir = repository({ 'x/y': 'y\n', z: 'z\n' });
    const swap = () => {
      rmSync(join(dir, 'x'), { recursive: true });
      put(dir, 'x', 'x\n');
      rmSync(join(dir, 'z'));
      put(dir, 'z/w', 'w\n');
    };
    expect(await pass(dir, swap)).toMatchObject({ files: ['x', 'x/y', 'z', 'z/w'] });
    expect(git(dir, 'status', '--porcelain')).toBe('');
  });

  it('a folder that became a link to a folder with the same names', async () => {
    const dir = repository({ 'x/y': 'y\n', 'w/y': 'w\n' });
    const swap = () => {
      rmSync(join(dir, 'x'), { recursive: true });
      symlinkSync('w', join(dir, 'x'));
    };
    expect(await pass(dir, swap)).toMatchObject({ files: ['x', 'x/y'] });
    expect(git(dir, 'status', '--porcelain')).toBe('');
  });

  it('refuses where one of them was dirty before, and changes nothing', async () => {
    const dir = repository({ z: 'z\n' });
    put(dir, 'z', 'mine\n');
    const before = await begin(dir);
    rmSync(join(dir, 'z'));
    put(dir, 'z/w', 'w\n');
    const at = state(dir);
    const done = await commitPass({ project: dir, before: before.sha, message: 'x' });
    expect(done).toMatchObject({ ok: false, code: 'tangled' });
    expect(state(dir)).toEqual(at);
  });

  it('keeps out Da Capo’s own files, by their names as seen from the project', async () => {
    const dir = repository({ 'app/x': 'x\n' });
    const act = () =>
      ['app/Ralph_State/own.json', 'Ralph_State/other', 'app/x'].forEach((name) => put(dir, name, 'new'));
    const before = await recordPoint({
      project: join(dir, 'app'),
      loop: LOOP,
      name: '0',
      ignored: ['Ralph_State'],
    });
    act();
    expect(
      await commitPass({
        project: join(dir, 'app'),
        before: before.ok ? before.ref : '',
        message: 'x',
        ignored: ['Ralph_State'],
      }),
    ).toMatchObject({ files: ['Ralph_State/other', 'app/x'] });
  });

  it('normalises line ends as git would, and follows a submodule', async () => {
    const dir = repository();
    git(dir, 'config', 'core.autocrlf', 'true');
    await pass(dir, () => put(dir, 'a.txt', 'one\r\ntwo\r\n'));
    expect(git(dir, 'cat-file', 'blob', 'HEAD:a.txt')).toBe('one\ntwo\n');
    git(dir, 'submodule', '--quiet', 'add', repository({ l: 'l' }), 'lib');
    git(dir, 'commit', '-q', '-m', 'Add a library');
    const commit = () => {
      put(dir, 'lib/l', 'changed');
      git(join(dir, 'lib'), '-c', 'user.name=t', '-c', 'user.email=t@example.org', 'commit', '-qam', 'x');
    };
    expect(await pass(dir, commit)).toMatchObject({ files: ['lib'] });
    expect(git(dir, 'status', '--porcelain')).toBe('');
  });

  it('runs no hook and no filter of the repository, and asks for no signature', async () => {
    const dir = repository();
    const canary = join(dir, '../canary');
    for (const hook of [
      'pre-commit',
      'commit-msg',
      'post-commit',
      'reference-transaction',
      'post-index-change',
    ])
      chmodSync(put(dir, `.git/hooks/${hook}`, `#!/bin/sh\ntouch '${canary}'\nexit 1\n`), 0o755);
    const program = put(dir, '../program', `#!/bin/sh\ntouch '${canary}'\nexit 1\n`);
    chmodSync(program, 0o755);
    git(dir, 'config', 'commit.gpgSign', 'true');
    git(dir, 'config', 'gpg.program', program);
    git(dir, 'config', 'core.fsmonitor', program);
    git(dir, 'config', 'filter.own.clean', program);
    put(dir, '.git/info/attributes', '*.own filter=own\n');
    const done = await pass(dir, () => {
      put(dir, 'a.txt', 'changed\n');
      put(dir, 'x.own', 'x\n');
    });
    expect(done).toMatchObject({ files: ['a.txt'], leftOut: [{ path: 'x.own', why: 'not-recorded' }] });
    expect(existsSync(canary)).toBe(false);
  });

  it('refuses without an identity, in a merge, without a repository, on a locked index; each with its remedy', async () => {
    const dir = repository();
    const before = await begin(dir);
    put(dir, 'a.txt', 'changed\n');
    const at = state(dir);
    const order = { project: dir, before: before.ref, message: 'x' };
    git(dir, 'config', '--unset', 'user.email');
    expect(await commitPass(order)).toMatchObject({
      code: 'no-identity',
      next: expect.stringContaining('user.email'),
    });
    git(dir, 'config', 'user.email', 'test@example.org');
    put(dir, '.git/index.lock', '');
    expect(await commitPass(order)).toMatchObject({
      code: 'index',
      message: expect.stringContaining('index.lock'),
    });
    rmSync(join(dir, '.git/index.lock'));
    expect(state(dir)).toEqual(at);
    put(dir, '.git/MERGE_HEAD', `${at.head}`);
    expect(await commitPass(order)).toMatchObject({
      code: 'unfinished',
      next: expect.stringContaining('git merge'),
    });
    expect(await commitPass({ ...order, project: temporaryFolder() })).toMatchObject({
      code: 'no-repository',
    });
    const bare = join(temporaryFolder(), 'bare.git');
    mkdirSync(bare);
    git(bare, 'init', '-q', '--bare');
    expect(await commitPass({ ...order, project: bare })).toMatchObject({ code: 'bare' });
    rmSync(join(dir, '.git/MERGE_HEAD'));
    expect(await commitPass({ ...order, before: 'HEAD' })).toMatchObject({ code: 'no-point' });
    expect(await commitPass(order)).toMatchObject({ is: 'committed' });
  });

  it('leaves nothing behind in the folder for temporary files', async () => {
    const dir = repository();
    const folder = temporaryFolder();
    const before = process.env['TMPDIR'];
    process.env['TMPDIR'] = folder;
    try {
      await pass(dir, () => put(dir, 'a.txt', 'x'));
      expect(readdirSync(folder)).toEqual([]);
    } finally {
      if (before === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = before;
    }
  });
});

describe('the point at the beginning of a pass', () => {
  const beginning = (project: string, done: number) => recordBeginning({ project, loop: LOOP, done });
  const names = async (project: string) => {
    const points = await listPoints(project, LOOP);
    return isList(points) ? points.map(({ name }) => name) : points;
  };

  it('is the one after the last iteration, where the files are the same', async () => {
    const dir = repository();
    await beginning(dir, 0);
    const { sha } = await begin(dir, '1');
    expect(await beginning(dir, 1)).toEqual({ ok: true, ref: `refs/dacapo/${LOOP}/1`, sha, leftAlone: [] });
    expect(await names(dir)).toEqual(['0', '1']);
  });

  it('is written anew where the files are the same, but something was staged or committed', async () => {
    const dir = repository();
    put(dir, 'poem.txt', 'of iteration 1');
    const { sha } = await begin(dir, '1');
    git(dir, 'add', '-A');
    const staged = await beginning(dir, 1);
    expect(staged).toMatchObject({
      ok: true,
      ref: `refs/dacapo/${LOOP}/1`,
      sha: expect.not.stringMatching(sha),
    });
    git(dir, 'commit', '-qm', 'by hand');
    expect(await beginning(dir, 1)).not.toMatchObject(staged);
    expect(await names(dir)).toEqual(['1']);
  });

  it('has a name of its own where someone changed them since: what the iteration left is still there', async () => {
    const dir = repository();
    put(dir, 'poem.txt', 'of iteration 2');
    const { sha } = await begin(dir, '2');
    put(dir, 'poem.txt', 'by hand');
    expect(await beginning(dir, 2)).toMatchObject({ ok: true, ref: `refs/dacapo/${LOOP}/before-3` });
    await begin(dir, '3');
    await begin(dir, 'before-rollback-1');
    expect(await names(dir)).toEqual(['2', 'before-3', '3', 'before-rollback-1']);
    expect(git(dir, 'rev-parse', `refs/dacapo/${LOOP}/2`).trim()).toBe(sha);
  });
});
