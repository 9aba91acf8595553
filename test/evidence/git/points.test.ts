import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commitPass, type Committed, type CommitOrder } from '#evidence/git/points/commit.ts';
import {
  listPoints,
  recordBeginning,
  recordPoint,
  recordWorkSpan,
  type Recorded,
} from '#evidence/git/points/points.ts';
import { temporaryFolder } from '../../store/folder.ts';
import { aboutToConflict, bytesIn, emptyRepository, gitIn, git, put, repository } from './repository.ts';

/** The store of a loop in this repository. */
const storeOf = (dir: string) => join(dir, '../store');

/** Git, with the objects of the store. */
const inStore = (dir: string, ...args: string[]) => gitIn(storeOf(dir), dir, ...args);

async function begin(project: string, name = 'begin', dir = project): Promise<Recorded> {
  const point = await recordPoint({ project, store: storeOf(dir), name });
  if (!point.ok) throw new Error(point.message);
  return point;
}

/** A pass: a point before it, what the agent does, and the commit. */
async function pass(
  project: string,
  act: () => void,
  more: Partial<CommitOrder> = {},
  dir = project,
): Promise<Committed> {
  const before = await begin(project, 'begin', dir);
  act();
  const done = await commitPass({
    project,
    store: storeOf(dir),
    before,
    message: 'Iteration 1',
    ...more,
  });
  if (!done.ok) throw new Error(`${done.code}: ${done.message}`);
  return done;
}

/** Puts a git first in the path that runs these lines of a shell before each start. Returns its end. */
function beforeEachGit(lines: (real: string) => string): () => void {
  const folder = temporaryFolder();
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  put(folder, 'git', `#!/bin/sh\n${lines(real)}\nexec '${real}' "$@"\n`);
  chmodSync(join(folder, 'git'), 0o755);
  const before = process.env['PATH'];
  process.env['PATH'] = `${folder}:${before ?? ''}`;
  return () => {
    if (before !== undefined) process.env['PATH'] = before;
  };
}

/** `starts` counts from the last call. */
function countStarts(): { readonly starts: () => number; readonly end: () => void } {
  const log = join(temporaryFolder(), 'log');
  const end = beforeEachGit(() => `echo >> '${log}'`);
  const starts = () => {
    const { length } = readFileSync(log, 'utf8');
    rmSync(log);
    return length;
  };
  return { starts, end };
}

function includeFilter(dir: string): void {
  put(dir, '.git/more', '[filter "own"]\n\tclean = cat\n');
  git(dir, 'config', 'include.path', 'more');
}

function ownFilterOfWorkTree(dir: string): void {
  git(dir, 'config', 'extensions.worktreeConfig', 'true');
  git(dir, 'config', '--worktree', 'filter.own.clean', 'cat');
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
    const before = bytesIn(dir);
    const { tree, staged, head } = await begin(dir, '1');
    expect(bytesIn(dir)).toEqual(before);
    expect(head).toBe(git(dir, 'rev-parse', 'HEAD').trim());
    expect(inStore(dir, 'show', `${tree}:a.txt`)).toBe('and changed\n');
    expect(inStore(dir, 'show', `${staged}:a.txt`)).toBe('staged\n');
    expect(inStore(dir, 'ls-tree', '-r', '-z', '--name-only', tree).split('\0')).toEqual([
      'a.txt',
      'new\nline',
      '',
    ]);
    expect(git(dir, 'for-each-ref', '--format=%(refname)')).toBe('refs/heads/main\n');
  });

  it('holds what only the user’s repository had, also when git collects it there', async () => {
    const dir = repository();
    put(dir, 'a.txt', 'staged, and the same in the work tree\n');
    put(dir, 'deep/er/new', 'staged too\n');
    git(dir, 'add', '-A');
    const { tree } = await begin(dir, '1');
    git(dir, 'reset', '-q', '--hard');
    git(dir, 'reflog', 'expire', '--expire=now', '--all');
    git(dir, 'gc', '-q', '--prune=now');
    expect(inStore(dir, 'show', `${tree}:a.txt`)).toBe('staged, and the same in the work tree\n');
    expect(inStore(dir, 'show', `${tree}:deep/er/new`)).toBe('staged too\n');
    expect(inStore(dir, 'show', `${tree}:src/b.txt`)).toBe('b\n');
  });

  it('adds nothing to the store where nothing has changed since the last one', async () => {
    const dir = repository();
    put(dir, 'a.txt', 'changed\n');
    git(dir, 'add', '-A');
    await begin(dir, '1');
    const objects = join(storeOf(dir), 'objects');
    const before = bytesIn(objects);
    expect(Object.keys(before)).not.toEqual([]);
    await begin(dir, '2');
    expect(bytesIn(objects)).toEqual(before);
  });

  it('sees an edit that keeps size and time of the index', async () => {
    const dir = repository();
    for (let i = 0; i < 5; i++) {
      put(dir, 'a.txt', `${i}\n`);
      git(dir, 'add', 'a.txt');
      put(dir, 'a.txt', `${i + 5}\n`);
      const { tree } = await begin(dir);
      expect(inStore(dir, 'show', `${tree}:a.txt`)).toBe(`${i + 5}\n`);
    }
  });

  it('without a commit, without an identity, in a subfolder, in a conflict', async () => {
    const dir = emptyRepository();
    git(dir, 'config', '--unset', 'user.name');
    put(dir, 'sub/x', 'x');
    put(dir, 'y', 'y');
    const { tree } = await begin(join(dir, 'sub'), '1', dir);
    expect(inStore(dir, 'ls-tree', '-r', '--name-only', tree)).toBe('sub/x\ny\n');

    const { dir: other, merge } = aboutToConflict();
    merge();
    const conflict = await begin(other);
    expect(inStore(other, 'show', `${conflict.tree}:a.txt`)).toContain('<<<<<<<');
    expect(conflict.staged).toBeNull();
    expect(git(other, 'diff', '--name-only', '--diff-filter=U')).toBe('a.txt\n');
  });

  it('without a commit, beside a file that is named as we ask for the commit', async () => {
    const dir = emptyRepository();
    put(dir, 'HEAD^{commit}', 'x');
    expect(await begin(dir)).toMatchObject({ head: null });
    git(dir, 'add', '-A');
    git(dir, 'commit', '-qm', 'First');
    expect(await begin(dir)).toMatchObject({ head: git(dir, 'rev-parse', 'HEAD').trim() });
  });

  it('starts few git processes: two where nothing has changed, five after a change', async () => {
    const dir = repository();
    const order = { project: dir, store: storeOf(dir) };
    const from = await begin(dir, '0');
    const { starts, end } = countStarts();
    try {
      await recordWorkSpan({ ...order, iteration: 1, from, name: '1' });
      expect(starts()).toBe(2);
      put(dir, 'a.txt', 'changed\n');
      await recordWorkSpan({ ...order, iteration: 2, from, name: '2' });
      expect(starts()).toBe(5);
    } finally {
      end();
    }
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
    const order = { project: dir, store: storeOf(dir), name: '1', ignored: ['Ralph_State'] };
    const point = await recordPoint(order);
    expect(point).toMatchObject({ ok: true, leftAlone: ['a.secret', 'large.bin', 'nested/'] });
    const tree = point.ok ? point.tree : '';
    expect(inStore(dir, 'ls-tree', '-r', '--name-only', tree)).toBe('.gitignore\na.secret\n');
    expect(inStore(dir, 'show', `${tree}:a.secret`)).toBe('x\n');
    expect(existsSync(canary)).toBe(false);
  });

  it.each([
    ['in capital letters', (dir: string) => put(dir, '.git/config', '[FILTER "own"]\n\tclean = cat\n')],
    ['in a file that they include', includeFilter],
    ['in those of its work tree', ownFilterOfWorkTree],
  ])('leaves files behind a filter of the repository alone: settings %s', async (_, define) => {
    const dir = repository();
    define(dir);
    put(dir, '.git/info/attributes', '*.secret filter=own\n');
    put(dir, 'x.secret', 'x');
    expect(await begin(dir)).toMatchObject({ leftAlone: ['x.secret'] });
  });

  it('is of the index as it was found, if somebody commits meanwhile', async () => {
    const dir = repository();
    put(dir, 'a.txt', 'staged\n');
    git(dir, 'add', 'a.txt');
    const commit = `-C '${dir}' -c user.name=a -c user.email=a@example.org commit -qm Second`;
    const end = beforeEachGit((real) => `case "$*" in *porcelain*) env -i '${real}' ${commit};; esac`);
    try {
      const { tree, staged } = await begin(dir);
      expect(inStore(dir, 'show', `${staged}:a.txt`)).toBe('staged\n');
      expect(inStore(dir, 'show', `${tree}:a.txt`)).toBe('staged\n');
    } finally {
      end();
    }
    expect(git(dir, 'log', '--format=%s')).toBe('Second\nFirst\n');
  });

  it('runs the filters that the user’s own settings define', async () => {
    const dir = repository({ 'a.up': 'x\n' });
    const settings = put(dir, '../gitconfig', '[filter "up"]\n\tclean = tr a-z A-Z\n\tsmudge = tr A-Z a-z\n');
    process.env['GIT_CONFIG_GLOBAL'] = settings;
    try {
      put(dir, '.git/info/attributes', '*.up filter=up\n');
      put(dir, 'a.up', 'word\n');
      const { tree } = await begin(dir);
      expect(inStore(dir, 'cat-file', 'blob', `${tree}:a.up`)).toBe('WORD\n');
    } finally {
      process.env['GIT_CONFIG_GLOBAL'] = '/dev/null';
    }
  });

  it('is listed by iteration', async () => {
    const dir = repository();
    for (const name of ['10', '2', 'begin']) await begin(dir, name);
    put(storeOf(dir), 'points/torn.json', '{"tree":');
    expect(listPoints(storeOf(dir)).map(({ name }) => name)).toEqual(['2', '10', 'begin']);
    expect(listPoints(temporaryFolder())).toEqual([]);
  });

  it('has a name that leads nowhere else', async () => {
    const dir = repository();
    for (const name of ['../../heads/main', 'a/b', ''])
      expect(await recordPoint({ project: dir, store: storeOf(dir), name })).toMatchObject({
        ok: false,
        code: 'name',
      });
    expect(listPoints(storeOf(dir))).toEqual([]);
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

  it('puts every object that it names into the repository itself: the store may go', async () => {
    const dir = repository();
    await pass(dir, () => {
      put(dir, 'a.txt', 'changed\n');
      put(dir, 'deep/er/new', 'new\n');
    });
    rmSync(storeOf(dir), { recursive: true });
    git(dir, 'fsck', '--strict');
    expect(git(dir, 'show', 'HEAD:deep/er/new')).toBe('new\n');
  });

  it('and nothing else: what is yours alone is not even stored there', async () => {
    const dir = repository();
    put(dir, 'mine.txt', 'mine alone\n');
    await pass(dir, () => put(dir, 'a.txt', 'changed\n'));
    expect(git(dir, 'fsck', '--unreachable', '--no-reflogs')).toBe('');
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
    const inside = await pass(join(dir, 'src'), () => put(dir, 'top', 'x'), {}, dir);
    expect(inside).toMatchObject({ files: ['top'] });
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
    const done = await commitPass({ project: dir, store: storeOf(dir), before, message: 'x' });
    expect(done).toMatchObject({ ok: false, code: 'tangled' });
    expect(state(dir)).toEqual(at);
  });

  it('keeps out Da Capo’s own files, by their names as seen from the project', async () => {
    const dir = repository({ 'app/x': 'x\n' });
    const act = () =>
      ['app/Ralph_State/own.json', 'Ralph_State/other', 'app/x'].forEach((name) => put(dir, name, 'new'));
    const order = { project: join(dir, 'app'), store: storeOf(dir), ignored: ['Ralph_State'] };
    const before = await recordPoint({ ...order, name: '0' });
    if (!before.ok) throw new Error(before.message);
    act();
    expect(await commitPass({ ...order, before, message: 'x' })).toMatchObject({
      files: ['Ralph_State/other', 'app/x'],
    });
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
    const order = { project: dir, store: storeOf(dir), before, message: 'x' };
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
    const gone = { ...before, tree: '1'.repeat(40) };
    expect(await commitPass({ ...order, before: gone })).toMatchObject({ code: 'tree' });
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
  const beginning = (project: string, done: number) =>
    recordBeginning({ project, store: storeOf(project), done });
  const names = (project: string) => listPoints(storeOf(project)).map(({ name }) => name);

  it('is the one after the last iteration, where the files are the same', async () => {
    const dir = repository();
    await beginning(dir, 0);
    const { tree } = await begin(dir, '1');
    expect(await beginning(dir, 1)).toMatchObject({ ok: true, name: '1', tree, leftAlone: [] });
    expect(names(dir)).toEqual(['0', '1']);
  });

  it('is written again where the files are the same, but something was staged or committed', async () => {
    const dir = repository();
    put(dir, 'poem.txt', 'of iteration 1');
    const { tree, staged, head } = await begin(dir, '1');
    git(dir, 'add', '-A');
    expect(staged).not.toBe(tree);
    expect(await beginning(dir, 1)).toMatchObject({ name: '1', tree, staged: tree, head });
    git(dir, 'commit', '-qm', 'by hand');
    const now = git(dir, 'rev-parse', 'HEAD').trim();
    expect(await beginning(dir, 1)).toMatchObject({ name: '1', tree, head: now });
    expect(listPoints(storeOf(dir))).toMatchObject([{ name: '1', tree, head: now }]);
  });

  it('is not recorded where someone changed the files since: what the iteration left is still there', async () => {
    const dir = repository();
    put(dir, 'poem.txt', 'of iteration 2');
    const { tree } = await begin(dir, '2');
    put(dir, 'poem.txt', 'by hand');
    const began = await beginning(dir, 2);
    expect(began).toMatchObject({ ok: true, tree: expect.stringMatching(/^[0-9a-f]{40}$/) });
    expect(began).not.toMatchObject({ tree });
    await begin(dir, '3');
    await begin(dir, 'before-rollback-1');
    expect(names(dir)).toEqual(['2', '3', 'before-rollback-1']);
    expect(listPoints(storeOf(dir))[0]).toMatchObject({ name: '2', tree });
  });
});

it('two runs that commit at the same moment both find their work committed', async () => {
  const dir = repository();
  const before = await begin(dir);
  put(dir, 'new.txt', 'by an agent\n');
  const order = { project: dir, store: storeOf(dir), before };
  const made = await Promise.all(
    ['One', 'Two', 'Three'].map((message) => commitPass({ ...order, message: `${message}\n` })),
  );
  expect(made.filter(({ ok }) => !ok)).toEqual([]);
  expect(git(dir, 'status', '--porcelain')).toBe('');
});
