/** Merging the branch of a loop's work tree, in real repositories. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { branchToMergeInto, bringUpToDate, isLanded, land } from '#evidence/git/worktree/merge.ts';
import { makeWorktree } from '#evidence/git/worktree/worktree.ts';
import { temporaryFolder } from '../../store/folder.ts';
import { git, put, repository } from './repository.ts';

/** A work tree with one commit that changes `file`. */
async function worked(dir: string, loop: string, file: string, content: string): Promise<string> {
  const made = await makeWorktree({ project: dir, loop, home: temporaryFolder() });
  if (!made.ok) throw new Error(made.message);
  put(made.path, file, content);
  git(made.path, 'add', '-A');
  git(made.path, 'commit', '-qm', `Work of ${loop}`);
  return made.path;
}

function work(loop: string, tree: string) {
  return { loop, branch: `dacapo/${loop}`, tree };
}

async function merge(tree: string): Promise<unknown> {
  const current = await bringUpToDate({ tree, loop: 'any' }, 'main');
  return current.ok && current.conflicts.length === 0 ? land(tree, 'main', 'Merge it\n') : current;
}

describe('two branches', () => {
  test('land one after the other, each as one merge commit, and the files of the project move along', async () => {
    const dir = repository();
    const [one, two] = [await worked(dir, 'one', '1.txt', '1'), await worked(dir, 'two', '2.txt', '2')];
    expect(await merge(one)).toBeNull();
    expect(await isLanded(dir, work('two', two), 'main')).toBe(false);
    expect(await merge(two)).toBeNull();
    expect(await isLanded(dir, work('two', two), 'main')).toBe(true);
    expect(git(dir, 'log', '--first-parent', '--format=%s')).toBe('Merge it\nMerge it\nFirst\n');
    expect(git(dir, 'log', '--format=%s', 'HEAD^2')).toBe('Work of two\nFirst\n');
    expect(git(dir, 'status', '--porcelain')).toBe('');
    expect(git(two, 'status', '--porcelain')).toBe('');
    expect(readFileSync(join(dir, '1.txt'), 'utf8')).toBe('1');
  });

  test('in conflict: the files are committed with markers, and the merge that lands later holds none of it', async () => {
    const dir = repository();
    const [one, two] = [
      await worked(dir, 'one', 'a.txt', 'one\n'),
      await worked(dir, 'two', 'a.txt', 'two\n'),
    ];
    expect(await merge(one)).toBeNull();
    expect(await merge(two)).toEqual({ ok: true, conflicts: ['a.txt'] });
    expect(readFileSync(join(two, 'a.txt'), 'utf8')).toContain('<<<<<<<');
    expect(git(two, 'status', '--porcelain')).toBe('');
    put(two, 'a.txt', 'one and two\n');
    git(two, 'commit', '-qam', 'Resolve');
    expect(await merge(two)).toBeNull();
    expect(git(dir, 'log', '--format=%s', 'main')).not.toContain('conflicts');
    expect(readFileSync(join(dir, 'a.txt'), 'utf8')).toBe('one and two\n');
  });
});

test('a merge that a killed run left half done is begun again', async () => {
  const dir = repository();
  const [one, two] = [await worked(dir, 'one', 'a.txt', 'one\n'), await worked(dir, 'two', 'a.txt', 'two\n')];
  await merge(one);
  expect(() => git(two, 'merge', '-m', 'Merge main into dacapo/two', 'main')).toThrow('merge');
  expect(await merge(two)).toEqual({ ok: true, conflicts: ['a.txt'] });
});

test('a run that was killed right after a conflict finds it again, also when another branch was merged meanwhile', async () => {
  const dir = repository();
  const [one, two, three] = [
    await worked(dir, 'one', 'a.txt', 'one\n'),
    await worked(dir, 'two', 'a.txt', 'two\n'),
    await worked(dir, 'three', '3.txt', '3\n'),
  ];
  await merge(one);
  for (let n = 0; n < 2; n++) expect(await merge(two)).toEqual({ ok: true, conflicts: ['a.txt'] });
  await merge(three);
  expect(await merge(two)).toEqual({ ok: true, conflicts: ['a.txt'] });
});

test('a person’s uncommitted change stays: git refuses, and nothing has moved', async () => {
  const dir = repository();
  const tree = await worked(dir, 'one', 'a.txt', 'agent\n');
  put(dir, 'a.txt', 'mine\n');
  const before = git(dir, 'rev-parse', 'main');
  expect(await merge(tree)).toMatchObject({ ok: false, code: 'in-the-way' });
  expect(git(dir, 'rev-parse', 'main')).toBe(before);
  expect(readFileSync(join(dir, 'a.txt'), 'utf8')).toBe('mine\n');
});

test('a branch that is checked out nowhere moves alone; one that moved meanwhile is told', async () => {
  const dir = repository();
  git(dir, 'branch', 'next');
  const tree = await worked(dir, 'one', '1.txt', '1');
  expect(await land(tree, 'next', 'Merge it\n')).toBeNull();
  expect(git(dir, 'show', 'next:1.txt')).toBe('1');
  expect(git(dir, 'status', '--porcelain')).toBe('');
  put(dir, 'b.txt', 'b');
  git(dir, 'add', '-A');
  git(dir, 'commit', '-qm', 'Mine');
  expect(await land(tree, 'main', 'Merge it\n')).toMatchObject({ code: 'moved' });
});

describe('before the first loop', () => {
  test.each([
    ['dirty', (dir: string) => void put(dir, 'a.txt', 'mine\n')],
    ['detached', (dir: string) => void git(dir, 'switch', '-q', '--detach')],
    ['merge-driver', (dir: string) => void git(dir, 'config', 'merge.ours.driver', 'touch ran')],
  ])('%s is refused', async (code, change) => {
    const dir = repository();
    change(dir);
    expect(await branchToMergeInto(dir, null)).toMatchObject({ ok: false, code });
  });

  test('a file that git does not know is in nobody’s way, and --branch is made where it is missing', async () => {
    const dir = repository();
    put(dir, 'todo.md', '- [ ] one\n');
    expect(await branchToMergeInto(dir, null)).toEqual({ ok: true, branch: 'main' });
    expect(await branchToMergeInto(dir, 'next')).toEqual({ ok: true, branch: 'next' });
    expect(git(dir, 'rev-parse', 'next')).toBe(git(dir, 'rev-parse', 'main'));
  });
});

test('a branch without a commit is not landed while its tree holds work', async () => {
  const dir = repository();
  const made = await makeWorktree({ project: dir, loop: 'one', home: temporaryFolder() });
  const tree = made.ok ? made.path : '';
  expect(await isLanded(dir, work('one', tree), 'main')).toBe(true);
  put(tree, 'new.txt', 'not committed');
  expect(await isLanded(dir, work('one', tree), 'main')).toBe(false);
});
