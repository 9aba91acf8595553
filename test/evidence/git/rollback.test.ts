// @module-tag slow
import {
  chmodSync,
  existsSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPoint, recordPoint, recordWorkSpan } from '#evidence/git/points/points.ts';
import { rollback, type RollbackOrder } from '#evidence/git/points/rollback.ts';
import { bytesIn, emptyRepository, git, gitIn, put, repository } from './repository.ts';

const storeOf = (project: string) => join(project, '../store');

async function record(project: string, name: string): Promise<void> {
  expect(await recordPoint({ project, store: storeOf(project), name })).toMatchObject({ ok: true });
}

/** An iteration of the loop, or a part of one: what its agent does there. */
async function agent(project: string, act: () => void, iteration = 2): Promise<void> {
  const order = { project, store: storeOf(project) };
  const from = await recordPoint({ ...order, name: 'begin' });
  if (!from.ok) throw new Error(from.message);
  act();
  expect(await recordWorkSpan({ ...order, iteration, from, name: null })).toBeNull();
}

const back = (project: string, to: string, more: Partial<RollbackOrder> = {}) =>
  rollback({ project, store: storeOf(project), to, ...more });

/** Every file with its content, and what git says of the rest. */
function contentsOf(dir: string): Record<string, string> {
  const files = readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(dir.length + 1))
    .filter((name) => !/(^|\/)\.git\//.test(name));
  return Object.fromEntries(files.toSorted().map((name) => [name, readFileSync(join(dir, name), 'latin1')]));
}

const history = (dir: string) => ({
  log: git(dir, 'log', '--format=%H %D'),
  staged: git(dir, 'diff', '--cached'),
});

describe('a rollback', () => {
  it('returns the files to the point, and the same command leads back', async () => {
    const dir = repository();
    put(dir, 'untracked.txt', 'one\n');
    await record(dir, '1');
    const then = contentsOf(dir);
    await agent(dir, () => {
      put(dir, 'a.txt', 'two\n');
      put(dir, 'untracked.txt', 'two\n');
      put(dir, 'new/deep/file', 'new\n');
      unlinkSync(join(dir, 'src/b.txt'));
      symlinkSync('a.txt', join(dir, 'link'));
    });
    const now = contentsOf(dir);
    const [before, staged] = [history(dir), git(dir, 'ls-files', '--stage')];

    const done = await back(dir, '1');
    expect(done).toMatchObject({
      is: 'rolled-back',
      files: ['a.txt', 'link', 'new/deep/file', 'src/b.txt', 'untracked.txt'],
      removed: ['link', 'new/deep/file'],
      others: [],
      undecided: [],
      leftAlone: [],
      undo: 'before-rollback-1',
    });
    expect(contentsOf(dir)).toEqual(then);
    expect(existsSync(join(dir, 'new'))).toBe(false);
    expect(history(dir)).toEqual(before);
    expect(git(dir, 'ls-files', '--stage')).toBe(staged);

    expect(await back(dir, 'before-rollback-1')).toMatchObject({ undo: 'before-rollback-2' });
    expect(contentsOf(dir)).toEqual(now);
    expect(await back(dir, 'before-rollback-1')).toMatchObject({ ok: true, is: 'same', files: [] });
  });

  it('says what it would do, and does nothing then', async () => {
    const dir = repository();
    await record(dir, '1');
    await agent(dir, () => {
      put(dir, 'a.txt', 'two\n');
      put(dir, 'new.txt', 'new\n');
    });
    put(dir, 'mine.txt', 'mine\n');
    const before = bytesIn(join(dir, '..'));
    expect(await back(dir, '1', { dryRun: true, message: 'x' })).toEqual({
      ok: true,
      is: 'planned',
      files: ['a.txt', 'new.txt'],
      removed: ['new.txt'],
      others: ['mine.txt'],
      undecided: [],
      leftAlone: [],
    });
    const after = bytesIn(join(dir, '..'));
    const inStore = (path: string) => path.startsWith(join(storeOf(dir), 'objects'));
    for (const path of Object.keys(after)) if (inStore(path)) delete after[path];
    for (const path of Object.keys(before)) if (inStore(path)) delete before[path];
    expect(after).toEqual(before);
  });

  it('touches only what the loop changed: files of the user and of another loop stay, and what both changed is named', async () => {
    const dir = repository({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n' });
    await record(dir, '1');
    put(dir, 'between.txt', 'before the second iteration\n');
    await agent(dir, () => {
      put(dir, 'a.txt', 'by the loop\n');
      put(dir, 'b.txt', 'by the loop\n');
      put(dir, 'new.txt', 'by the loop\n');
    });
    put(dir, 'b.txt', 'by the loop, and by me\n');
    put(dir, 'c.txt', 'by me\n');
    put(dir, 'whole.txt', 'by another, later loop\n');
    await agent(dir, () => put(dir, 'more.txt', 'by the loop\n'), 3);
    const done = await back(dir, '1');
    expect(done).toMatchObject({
      is: 'rolled-back',
      files: ['a.txt', 'more.txt', 'new.txt'],
      removed: ['more.txt', 'new.txt'],
      others: ['between.txt', 'c.txt', 'whole.txt'],
      undecided: ['b.txt'],
    });
    expect(contentsOf(dir)).toEqual({
      'a.txt': 'a\n',
      'b.txt': 'by the loop, and by me\n',
      'between.txt': 'before the second iteration\n',
      'c.txt': 'by me\n',
      'whole.txt': 'by another, later loop\n',
    });
    // What came after the rollback stays when it is undone.
    put(dir, 'later.txt', 'by me\n');
    expect(await back(dir, 'before-rollback-1')).toMatchObject({
      files: ['a.txt', 'more.txt', 'new.txt'],
      others: ['later.txt'],
    });
  });

  it('commits no file that was in no commit, neither there nor back', async () => {
    const dir = repository();
    put(dir, 'key.txt', 'a scratch file of mine\n');
    await record(dir, '1');
    await agent(dir, () => {
      put(dir, 'a.txt', 'two\n');
      put(dir, 'half.txt', 'of a pass that was broken off\n');
      put(dir, 'key.txt', 'changed by the agent\n');
    });
    git(dir, 'commit', '-qm', 'Second', 'a.txt');
    expect(await back(dir, '1', { message: 'There' })).toMatchObject({
      files: ['a.txt', 'half.txt', 'key.txt'],
      commit: { is: 'committed', files: ['a.txt'] },
    });
    expect(await back(dir, 'before-rollback-1', { message: 'And back' })).toMatchObject({
      files: ['a.txt', 'half.txt', 'key.txt'],
      commit: { is: 'committed', files: ['a.txt'] },
    });
    expect(git(dir, 'log', '--format=', '--name-only', 'HEAD~2..')).toBe('a.txt\na.txt\n');
    expect(git(dir, 'status', '--porcelain')).toBe('?? half.txt\n?? key.txt\n');
  });

  it('over commits that were made since: they stay, and a commit on top records the return where it is asked for', async () => {
    const dir = repository();
    await record(dir, '1');
    await agent(dir, () => put(dir, 'a.txt', 'two\n'));
    git(dir, 'commit', '-qam', 'Second');
    put(dir, 'mine.txt', 'mine\n');
    const done = await back(dir, '1', { message: 'Return to iteration 1' });
    expect(done).toMatchObject({
      files: ['a.txt'],
      others: ['mine.txt'],
      commit: { is: 'committed', files: ['a.txt'] },
    });
    expect(git(dir, 'log', '--format=%s')).toBe('Return to iteration 1\nSecond\nFirst\n');
    expect(git(dir, 'status', '--porcelain')).toBe('?? mine.txt\n');
    // It was there, and dirty: it is in the point.
    const before = readPoint(storeOf(dir), 'before-rollback-1');
    expect(gitIn(storeOf(dir), dir, 'show', `${before?.tree}:mine.txt`)).toBe('mine\n');
  });

  it('works after git has collected what nobody refers to, and writes nothing into .git', async () => {
    const dir = repository();
    put(dir, 'a.txt', 'of iteration 1\n');
    put(dir, 'staged.txt', 'staged then\n');
    git(dir, 'add', 'staged.txt');
    await record(dir, '1');
    const then = contentsOf(dir);
    await agent(dir, () => {
      git(dir, 'rm', '-q', '-f', 'staged.txt');
      put(dir, 'a.txt', 'two\n');
    });
    git(dir, 'commit', '-qam', 'Second');
    git(dir, 'reflog', 'expire', '--expire=now', '--all');
    git(dir, 'gc', '-q', '--prune=now');
    const before = bytesIn(join(dir, '.git'));
    expect(await back(dir, '1')).toMatchObject({ is: 'rolled-back', files: ['a.txt', 'staged.txt'] });
    expect(contentsOf(dir)).toEqual(then);
    expect(bytesIn(join(dir, '.git'))).toEqual(before);
    expect(git(dir, 'for-each-ref', '--format=%(refname)')).toBe('refs/heads/main\n');
  });

  it('refuses before the first write where a commit that it relies on was rewritten and collected', async () => {
    const dir = repository();
    put(dir, 'src/b.txt', 'committed, and then lost\n');
    git(dir, 'commit', '-qam', 'Second');
    await record(dir, '1');
    await agent(dir, () => put(dir, 'a.txt', 'changed\n'));
    git(dir, 'reset', '-q', '--soft', 'HEAD~1');
    git(dir, 'reset', '-q');
    put(dir, 'src/b.txt', 'other\n');
    git(dir, 'reflog', 'expire', '--expire=now', '--all');
    git(dir, 'gc', '-q', '--prune=now');
    const now = contentsOf(dir);
    expect(await back(dir, '1')).toMatchObject({ ok: false, code: 'lost' });
    expect(contentsOf(dir)).toEqual(now);
  });

  it('never overwrites what is not recorded: ignored files in the way are a refusal, and nothing is changed', async () => {
    const dir = repository();
    put(dir, 'config.env', 'then\n');
    put(dir, 'folder/x', 'then\n');
    await record(dir, '1');
    await agent(dir, () => {
      rmSync(join(dir, 'config.env'));
      rmSync(join(dir, 'folder'), { recursive: true });
      put(dir, '.gitignore', '*.env\nfolder\n');
      put(dir, 'a.txt', 'changed\n');
    });
    put(dir, 'config.env', 'a secret that only stands here\n');
    const before = contentsOf(dir);
    expect(await back(dir, '1')).toMatchObject({
      code: 'in-the-way',
      message: expect.stringContaining('config.env'),
    });
    rmSync(join(dir, 'config.env'));
    put(dir, 'folder', 'an ignored file where a folder was\n');
    expect(await back(dir, '1')).toMatchObject({ ok: false, code: 'in-the-way' });
    expect(contentsOf(dir)).toEqual({
      ...Object.fromEntries(Object.entries(before).filter(([name]) => !/^(config|folder)/.test(name))),
      folder: 'an ignored file where a folder was\n',
    });
    rmSync(join(dir, 'folder'));
    expect(await back(dir, '1')).toMatchObject({ is: 'rolled-back' });
  });

  it('nor a folder with ignored files where a file was', async () => {
    const dir = repository();
    put(dir, 'thing', 'a file then\n');
    await record(dir, '1');
    await agent(dir, () => {
      unlinkSync(join(dir, 'thing'));
      put(dir, '.gitignore', '*.log\n');
    });
    put(dir, 'thing/precious.log', 'ignored\n');
    const before = contentsOf(dir);
    expect(await back(dir, '1')).toMatchObject({ ok: false, code: 'in-the-way' });
    expect(contentsOf(dir)).toEqual(before);
  });

  it('leaves alone what no point holds: large new files, repositories inside, submodules, own filters, Da Capo’s files', async () => {
    const dir = repository({ 'x.own': 'one\n', 'a.txt': 'a\n' });
    const canary = join(dir, '../canary');
    git(dir, 'submodule', '--quiet', 'add', repository({ l: 'l' }), 'lib');
    git(dir, 'commit', '-q', '-m', 'Add a library');
    await record(dir, '1');
    await agent(dir, () => {
      put(dir, 'x.own', 'two\n');
      git(dir, 'commit', '-qam', 'Before there was a filter');
      put(dir, 'a.txt', 'changed\n');
    });
    git(dir, 'config', 'filter.own.smudge', `touch '${canary}'; cat`);
    git(dir, 'config', 'filter.own.clean', `touch '${canary}'; cat`);
    put(dir, '.git/info/attributes', '*.own filter=own\n');
    put(dir, 'lib/l', 'work in the library');
    git(join(dir, 'lib'), '-c', 'user.name=t', '-c', 'user.email=t@example.org', 'commit', '-qam', 'x');
    emptyRepository(join(dir, 'nested'));
    put(dir, 'nested/x', 'x');
    truncateSync(put(dir, 'large.bin', ''), 51 * 1024 * 1024);
    put(dir, 'Ralph_State/own.json', '{}');
    const done = await back(dir, '1', { ignored: ['Ralph_State'] });
    expect(done).toMatchObject({ is: 'rolled-back', files: ['a.txt'], leftAlone: ['lib', 'x.own'] });
    expect(contentsOf(dir)).toMatchObject({
      'a.txt': 'a\n',
      'lib/l': 'work in the library',
      'nested/x': 'x',
      'x.own': 'two\n',
      'Ralph_State/own.json': '{}',
    });
    expect(existsSync(join(dir, 'large.bin'))).toBe(true);
    expect(existsSync(canary)).toBe(false);
  });

  it('writes through no link: a folder that became one is a folder again, and what it led to stays', async () => {
    const dir = repository({ 'x/y': 'y\n' });
    const outside = put(dir, '../outside/y', 'not ours\n');
    await record(dir, '1');
    await agent(dir, () => {
      rmSync(join(dir, 'x'), { recursive: true });
      symlinkSync(join(dir, '../outside'), join(dir, 'x'));
    });
    expect(await back(dir, '1')).toMatchObject({ is: 'rolled-back' });
    expect(readFileSync(join(dir, 'x/y'), 'utf8')).toBe('y\n');
    expect(readFileSync(outside, 'utf8')).toBe('not ours\n');
  });

  it('nor an edit that git was told not to see', async () => {
    for (const flag of ['--assume-unchanged', '--skip-worktree']) {
      const dir = repository();
      await record(dir, '1');
      await agent(dir, () => {
        put(dir, 'a.txt', 'two\n');
        put(dir, 'src/b.txt', 'changed\n');
      });
      git(dir, 'commit', '-qm', 'Second', 'a.txt');
      git(dir, 'update-index', flag, 'a.txt');
      put(dir, 'a.txt', 'only for this machine\n');
      expect(await back(dir, '1')).toMatchObject({ ok: false, code: 'in-the-way' });
      expect(contentsOf(dir)).toMatchObject({ 'a.txt': 'only for this machine\n', 'src/b.txt': 'changed\n' });
    }
  });

  it('in a worktree, in a repository without a commit, with modes', async () => {
    const dir = emptyRepository();
    put(dir, 'run.sh', 'x');
    await record(dir, '1');
    await agent(dir, () => chmodSync(join(dir, 'run.sh'), 0o755));
    expect(await back(dir, '1')).toMatchObject({ files: ['run.sh'] });
    const main = repository();
    const tree = join(main, '../tree');
    git(main, 'worktree', 'add', '-q', tree);
    await record(tree, '1');
    await agent(tree, () => put(tree, 'a.txt', 'there\n'));
    put(main, 'a.txt', 'here\n');
    expect(await back(tree, '1')).toMatchObject({ files: ['a.txt'] });
    expect(readFileSync(join(tree, 'a.txt'), 'utf8')).toBe('a\n');
    expect(readFileSync(join(main, 'a.txt'), 'utf8')).toBe('here\n');
  });

  it('refuses an unknown point, and the middle of a rebase', async () => {
    const dir = repository();
    await record(dir, '3');
    expect(await back(dir, '4')).toMatchObject({ code: 'no-point', next: 'Recorded: 3.' });
    expect(await back(dir, '../../heads/main')).toMatchObject({ code: 'no-point' });
    put(dir, '.git/rebase-merge/x', '');
    expect(await back(dir, '3')).toMatchObject({
      code: 'unfinished',
      next: expect.stringContaining('git rebase'),
    });
  });

  it('runs no hook', async () => {
    const dir = repository();
    await record(dir, '1');
    const canary = join(dir, '../canary');
    for (const hook of ['post-checkout', 'reference-transaction', 'post-index-change'])
      chmodSync(put(dir, `.git/hooks/${hook}`, `#!/bin/sh\ntouch '${canary}'\n`), 0o755);
    await agent(dir, () => put(dir, 'a.txt', 'x'));
    expect(await back(dir, '1')).toMatchObject({ is: 'rolled-back' });
    expect(existsSync(canary)).toBe(false);
  });

  it('there and back again loses nothing, whatever was done', async () => {
    const file = fc.constantFrom('a.txt', 'src/b.txt', 'x y', 'deep/\n/z', 'ü');
    const act = fc.oneof(
      fc.record({ is: fc.constant('edit' as const), file, content: fc.string({ maxLength: 4 }) }),
      fc.record({ is: fc.constant('delete' as const), file }),
      fc.record({ is: fc.constantFrom('stage' as const, 'commit' as const) }),
    );
    const acts = fc.array(act, { maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(acts, acts, async (first, second) => {
        const dir = repository();
        const run = (list: typeof first) => {
          for (const one of list) {
            if (one.is === 'edit') put(dir, one.file, one.content);
            else if (one.is === 'delete') rmSync(join(dir, one.file), { force: true });
            else if (one.is === 'stage') git(dir, 'add', '-A');
            else git(dir, 'commit', '-qa', '--allow-empty', '-m', 'x');
          }
        };
        run(first);
        await record(dir, '1');
        const then = contentsOf(dir);
        await agent(dir, () => run(second));
        const [now, before] = [contentsOf(dir), history(dir)];
        const there = await back(dir, '1');
        expect(contentsOf(dir)).toEqual(then);
        if (there.ok && there.is === 'rolled-back') await back(dir, there.undo);
        expect(contentsOf(dir)).toEqual(now);
        expect(history(dir)).toEqual(before);
        rmSync(dir, { recursive: true });
      }),
      { numRuns: 8 },
    );
  });
});
