import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { isSameTree, treeMark as shape, type TreeMark } from '#law/record/mark.ts';
import { filesModifiedSince, takeTreeMark, type MarkOptions } from '#evidence/git/marks/mark.ts';
import { temporaryFolder } from '../../store/folder.ts';
import { aboutToConflict, bytesIn, emptyRepository, git, put, repository } from './repository.ts';

/** Of a loop; one for all, since contents name themselves. */
let store: string;
beforeEach(() => {
  store = join(temporaryFolder(), 'git');
});

const modifiedSince = (project: string, since: TreeMark, options: MarkOptions = {}) =>
  filesModifiedSince(project, since, store, options);

async function mark(project: string, options: MarkOptions = {}): Promise<TreeMark> {
  const taken = await takeTreeMark(project, store, options);
  if (taken === null) throw new Error('there is no mark');
  // As it comes out of a journal.
  const read: unknown = JSON.parse(JSON.stringify(taken));
  if (!shape(read)) throw new Error('the mark does not read back');
  return read;
}

/** Which files changed by what was done; the marks must agree. */
async function changedBy(
  project: string,
  act: () => void,
  options: MarkOptions = {},
): Promise<string[] | null> {
  const before = await mark(project, options);
  act();
  const files = await modifiedSince(project, before, options);
  const after = await mark(project, options);
  // Where nobody can name the files, the marks still tell.
  expect(isSameTree(before, after)).toBe(files?.length === 0);
  return files;
}

function later(path: string): void {
  const at = new Date(Date.now() + 5_000);
  utimesSync(path, at, at);
}

describe('what changes a mark', () => {
  it('an edit, a new file, a deletion, a rename', async () => {
    const dir = repository();
    expect(await changedBy(dir, () => put(dir, 'a.txt', 'changed\n'))).toEqual(['a.txt']);
    expect(await changedBy(dir, () => put(dir, 'new/file.txt', 'new\n'))).toEqual(['new/file.txt']);
    expect(await changedBy(dir, () => unlinkSync(join(dir, 'src/b.txt')))).toEqual(['src/b.txt']);
    expect(await changedBy(dir, () => renameSync(join(dir, 'a.txt'), join(dir, 'c.txt')))).toEqual([
      'a.txt',
      'c.txt',
    ]);
  });

  it('an edit that keeps size and time, right after the index was written', async () => {
    const dir = repository();
    const { mtime } = statSync(join(dir, 'a.txt'));
    expect(
      await changedBy(dir, () => {
        put(dir, 'a.txt', 'z\n');
        utimesSync(join(dir, 'a.txt'), mtime, mtime);
      }),
    ).toEqual(['a.txt']);
  });

  it('an edit that is staged, or committed, in the same pass', async () => {
    const dir = repository();
    const edit = (content: string) => put(dir, 'a.txt', content);
    expect(
      await changedBy(dir, () => {
        edit('staged\n');
        git(dir, 'add', 'a.txt');
      }),
    ).toEqual(['a.txt']);
    expect(
      await changedBy(dir, () => {
        edit('committed\n');
        git(dir, 'commit', '-qam', 'Second');
      }),
    ).toEqual(['a.txt']);
  });

  it('a second edit of a file that was dirty already', async () => {
    const dir = repository();
    put(dir, 'a.txt', 'one\n');
    put(dir, 'untracked.txt', 'one\n');
    expect(await changedBy(dir, () => put(dir, 'a.txt', 'two\n'))).toEqual(['a.txt']);
    expect(await changedBy(dir, () => put(dir, 'untracked.txt', 'two\n'))).toEqual(['untracked.txt']);
    expect(await changedBy(dir, () => git(dir, 'checkout', '-q', 'a.txt'))).toEqual(['a.txt']);
  });

  it('an execute bit, a link’s target, a file that becomes a folder', async () => {
    const dir = repository();
    symlinkSync('a.txt', join(dir, 'link'));
    expect(await changedBy(dir, () => chmodSync(join(dir, 'a.txt'), 0o755))).toEqual(['a.txt']);
    expect(
      await changedBy(dir, () => {
        unlinkSync(join(dir, 'link'));
        symlinkSync('src/b.txt', join(dir, 'link'));
      }),
    ).toEqual(['link']);
    expect(
      await changedBy(dir, () => {
        unlinkSync(join(dir, 'a.txt'));
        put(dir, 'a.txt/inside', 'x');
      }),
    ).toEqual(['a.txt', 'a.txt/inside']);
  });

  it('names with spaces, quotes, newlines, a final CR, other scripts, and no UTF-8', async () => {
    const dir = repository();
    const names = [' a b ', 'new\nline', '"quoted"', 'back\\slash', 'cr\r', 'ça-да-拍', '-dash', '*'];
    expect(await changedBy(dir, () => names.forEach((name) => put(dir, name, name)))).toEqual(
      names.toSorted(),
    );
    git(dir, 'add', '-A');
    git(dir, 'commit', '-q', '-m', 'Names');
    expect(await changedBy(dir, () => names.forEach((name) => put(dir, name, 'x')))).toEqual(
      names.toSorted(),
    );
    const odd = Buffer.concat([Buffer.from(`${dir}/`), Buffer.from([0x66, 0xff, 0x66])]);
    expect(await changedBy(dir, () => writeFileSync(odd, 'x'))).toEqual(['f\ufffdf']);
  });

  it('a conflict, and its resolution', async () => {
    const { dir, merge } = aboutToConflict();
    expect(await changedBy(dir, merge)).toEqual(['a.txt']);
    expect(await changedBy(dir, () => put(dir, 'a.txt', 'both\n'))).toEqual(['a.txt']);
  });

  it('work in a submodule, and a commit there; work in a repository that nobody added', async () => {
    const library = repository({ 'lib.txt': 'lib\n' });
    const dir = repository();
    git(dir, 'submodule', '--quiet', 'add', library, 'vendor/lib');
    git(dir, 'commit', '-q', '-m', 'Add a library');
    const inner = join(dir, 'vendor/lib');
    expect(await changedBy(dir, () => put(inner, 'lib.txt', 'changed\n'))).toEqual(['vendor/lib']);
    expect(await changedBy(dir, () => undefined)).toEqual([]);
    const commit = () =>
      git(inner, '-c', 'user.name=t', '-c', 'user.email=t@example.org', 'commit', '-qam', 'x');
    expect(await changedBy(dir, commit)).toContain('vendor/lib');
    emptyRepository(join(dir, 'nested'));
    expect(await changedBy(dir, () => put(dir, 'nested/x.txt', 'x'))).toEqual(['nested']);
  });

  it('a large file, by size and time', async () => {
    const dir = repository();
    const path = put(dir, 'large.bin', '');
    truncateSync(path, 64 * 1024 * 1024);
    expect(await changedBy(dir, () => undefined)).toEqual([]);
    expect(await changedBy(dir, () => truncateSync(path, 65 * 1024 * 1024))).toEqual(['large.bin']);
    expect(await changedBy(dir, () => later(path))).toEqual(['large.bin']);
  });
});

describe('what does not change a mark', () => {
  it('nothing, `git status`, a touch, an index of its own time', async () => {
    const dir = repository();
    put(dir, 'untracked.txt', 'x');
    expect(await changedBy(dir, () => undefined)).toEqual([]);
    expect(
      await changedBy(dir, () => {
        later(join(dir, 'a.txt'));
        later(join(dir, 'untracked.txt'));
      }),
    ).toEqual([]);
    expect(await changedBy(dir, () => git(dir, 'status'))).toEqual([]);
    expect(await changedBy(dir, () => put(dir, 'a.txt', 'a\n'))).toEqual([]);
  });

  it('staging, committing, amending and stashing what was there', async () => {
    const dir = repository();
    put(dir, 'a.txt', 'changed\n');
    put(dir, 'new.txt', 'new\n');
    expect(await changedBy(dir, () => git(dir, 'add', '-A'))).toEqual([]);
    expect(await changedBy(dir, () => git(dir, 'commit', '-q', '-m', 'Second'))).toEqual([]);
    expect(await changedBy(dir, () => git(dir, 'commit', '-q', '--amend', '-m', 'Better words'))).toEqual([]);
    expect(await changedBy(dir, () => git(dir, 'rm', '-q', '--cached', 'new.txt'))).toEqual([]);
    git(dir, 'add', 'new.txt');
    put(dir, 'a.txt', 'again\n');
    put(dir, 'newer.txt', 'newer\n');
    expect(
      await changedBy(dir, () => {
        git(dir, 'stash', '-q', '-u');
        git(dir, 'stash', 'pop', '-q');
      }),
    ).toEqual([]);
  });

  it('ignored files', async () => {
    const dir = repository({ '.gitignore': 'out/\n*.log\n' });
    expect(
      await changedBy(dir, () => {
        put(dir, 'out/x.js', 'x');
        put(dir, 'y.log', 'y');
      }),
    ).toEqual([]);
  });

  it('Da Capo’s own files, tracked or not, and its own lines', async () => {
    const progress = 'Status: IN_PROGRESS\nIteration: 1\nMax Iterations: 9\n\nNotes\n';
    const dir = repository({ 'Ralph_State/x.json': '{}', 'run/progress.txt': progress });
    const options: MarkOptions = {
      ignored: ['.claude/ralph-loop*.local.md', 'Ralph_State/', '**/hook.log'],
      withoutLines: [{ file: '**/progress.txt', lines: /^(Status|Iteration|Max Iterations):/ }],
    };
    const act = () => {
      put(dir, '.claude/ralph-loop.local.md', 'x');
      put(dir, '.claude/ralph-loop.RALPH_1.local.md', 'x');
      put(dir, 'Ralph_State/x.json', '{"a":1}');
      put(dir, 'run/hook.log', 'x');
      put(dir, 'run/progress.txt', progress.replace('Iteration: 1', 'Iteration: 2'));
    };
    expect(await changedBy(dir, act, options)).toEqual([]);
    expect(await changedBy(dir, () => git(dir, 'commit', '-qam', 'x'), options)).toEqual([]);
    const note = () => put(dir, 'run/progress.txt', `${progress}Learnt something.\n`);
    expect(await changedBy(dir, note, options)).toEqual(['run/progress.txt']);
    expect(await changedBy(dir, () => put(dir, '.claude/settings.json', '{}'), options)).toEqual([
      '.claude/settings.json',
    ]);
  });

  it('line ends, where the repository does not count them', async () => {
    const dir = repository({ 'a.txt': 'one\ntwo\n' });
    git(dir, 'config', 'core.autocrlf', 'true');
    expect(await changedBy(dir, () => put(dir, 'a.txt', 'one\r\ntwo\r\n'))).toEqual([]);
    expect(await changedBy(dir, () => put(dir, 'a.txt', 'one\r\nthree\r\n'))).toEqual(['a.txt']);
    // Committed, it has other bytes in git and the same name.
    expect(await changedBy(dir, () => git(dir, 'commit', '-qam', 'x'))).toEqual([]);
  });

  it('a mode, where the repository does not count it', async () => {
    const dir = repository();
    git(dir, 'config', 'core.fileMode', 'false');
    expect(await changedBy(dir, () => chmodSync(join(dir, 'a.txt'), 0o755))).toEqual([]);
  });
});

describe('random hands', () => {
  const file = fc.constantFrom('a.txt', 'src/b.txt', 'new one.txt', 'sub/ü\n.txt');
  const edit = fc.record({ is: fc.constant('edit' as const), file, content: fc.string({ maxLength: 5 }) });
  const other = fc.record({ is: fc.constantFrom('stage', 'commit', 'status', 'touch', 'unstage') });

  it('a mark is the same exactly when the files are', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(edit, other), { minLength: 1, maxLength: 6 }), async (acts) => {
        const dir = repository();
        const [before, contents] = [await mark(dir), contentsOf(dir)];
        for (const act of acts) {
          if (act.is === 'edit') put(dir, act.file, act.content);
          else if (act.is === 'stage') git(dir, 'add', '-A');
          else if (act.is === 'unstage') git(dir, 'reset', '-q');
          else if (act.is === 'commit') git(dir, 'commit', '-q', '-a', '--allow-empty', '-m', 'x');
          else if (act.is === 'status') git(dir, 'status');
          else later(join(dir, 'a.txt'));
        }
        const now = contentsOf(dir);
        const differing = [...new Set([...contents.keys(), ...now.keys()])].filter(
          (name) => contents.get(name) !== now.get(name),
        );
        expect(await modifiedSince(dir, before)).toEqual(differing.toSorted());
        expect(isSameTree(before, await mark(dir))).toBe(differing.length === 0);
        rmSync(dir, { recursive: true });
      }),
      { numRuns: 15 },
    );
  });

  function contentsOf(dir: string): Map<string, string> {
    const found = readdirSync(dir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(dir.length + 1))
      .filter((name) => !name.startsWith('.git/'));
    return new Map(found.map((name) => [name, readFileSync(join(dir, name), 'utf8')]));
  }
});

describe('where it is taken', () => {
  it('a repository without a commit, and its first one', async () => {
    const dir = emptyRepository();
    expect(await changedBy(dir, () => put(dir, 'a.txt', 'a'))).toEqual(['a.txt']);
    expect(await mark(dir)).toMatchObject({ head: null });
    git(dir, 'add', '-A');
    expect(await changedBy(dir, () => git(dir, 'commit', '-q', '-m', 'First'))).toEqual([]);
    expect(await mark(dir)).toMatchObject({ head: expect.stringMatching(/^[0-9a-f]{40}$/) });
  });

  it('a subfolder of a repository: names are as seen from there, and the rest counts too', async () => {
    const dir = repository({ 'packages/app/x.ts': 'x', 'packages/lib/y.ts': 'y' });
    const project = join(dir, 'packages/app');
    const act = () =>
      ['packages/app/x.ts', 'packages/lib/y.ts', 'z'].forEach((name) => put(dir, name, 'changed'));
    expect(await changedBy(project, act, { ignored: ['own'] })).toEqual(['../../z', '../lib/y.ts', 'x.ts']);
    expect(await changedBy(project, () => put(project, 'own/state', 'x'), { ignored: ['own'] })).toEqual([]);
  });

  it('a folder that its repository ignores', async () => {
    const home = repository({ '.gitignore': '*\n!.gitignore\n' });
    const project = join(home, 'work/project');
    put(project, 'a.txt', 'a');
    expect(await mark(project)).toEqual({ folder: expect.any(String) });
    expect(await changedBy(project, () => put(project, 'a.txt', 'longer'))).toEqual(['a.txt']);
  });

  it('a linked worktree: each has a mark of its own', async () => {
    const dir = repository();
    const tree = join(dir, '../tree');
    git(dir, 'worktree', 'add', '-q', tree);
    const there = await mark(tree);
    expect(await changedBy(dir, () => put(dir, 'a.txt', 'here\n'))).toEqual(['a.txt']);
    expect(await modifiedSince(tree, there)).toEqual([]);
    expect(await changedBy(tree, () => put(tree, 'a.txt', 'there\n'))).toEqual(['a.txt']);
  });

  it('a repository with SHA-256 names', async () => {
    const dir = join(temporaryFolder(), 'project');
    mkdirSync(dir);
    git(dir, 'init', '-q', '--object-format=sha256');
    symlinkSync('x', join(dir, 'link'));
    git(dir, 'add', '-A');
    git(dir, '-c', 'user.name=t', '-c', 'user.email=t@example.org', 'commit', '-q', '-m', 'x');
    expect(await changedBy(dir, () => put(dir, 'a', 'a'))).toEqual(['a']);
  });

  it('no repository: by size and time, without what programs make', async () => {
    const dir = temporaryFolder();
    put(dir, 'notes/a.md', 'a');
    expect(await changedBy(dir, () => put(dir, 'node_modules/x/y.js', 'y'))).toEqual([]);
    expect(await changedBy(dir, () => put(dir, 'notes/a.md', 'longer'))).toEqual(['notes/a.md']);
    expect(await changedBy(dir, () => unlinkSync(join(dir, 'notes/a.md')))).toEqual(['notes/a.md']);
    expect(await changedBy(dir, () => put(dir, 'Ralph_State/x', 'x'), { ignored: ['Ralph_State'] })).toEqual(
      [],
    );
  });

  it('no repository and too many files: nobody knows', async () => {
    const dir = temporaryFolder();
    for (let i = 0; i < 5_001; i++) writeFileSync(join(dir, String(i)), '');
    expect(await takeTreeMark(dir, store)).toBeNull();
  });

  it('a bare repository, a folder that is not there, a project that became a repository', async () => {
    const bare = join(temporaryFolder(), 'bare.git');
    mkdirSync(bare);
    git(bare, 'init', '-q', '--bare');
    expect(await mark(bare)).toEqual({ folder: expect.any(String) });
    expect(await takeTreeMark(join(bare, 'nowhere'), store)).toBeNull();
    const dir = temporaryFolder();
    const before = await mark(dir);
    emptyRepository(dir);
    expect(await modifiedSince(dir, before)).toBeNull();
  });

  it('a tree that is gone since, or that another store holds: nobody knows', async () => {
    const dir = repository();
    expect(await modifiedSince(dir, { tree: '1'.repeat(40), head: null })).toBeNull();
    put(dir, 'a.txt', 'dirty\n');
    const before = await mark(dir);
    put(dir, 'a.txt', 'dirtier\n');
    expect(await filesModifiedSince(dir, before, join(temporaryFolder(), 'git'))).toBeNull();
    const folder = temporaryFolder();
    expect(await modifiedSince(folder, { folder: 'f'.repeat(32) })).toBeNull();
  });

  it('a mark as earlier versions wrote it: it reads, and nobody knows', async () => {
    const dir = repository();
    const old: unknown = { kind: 'git', head: null, digest: 'x', dirty: [['a', 'b']], cut: false };
    if (!shape(old)) throw new Error('an old mark does not read');
    expect(isSameTree(old, old)).toBe(false);
    expect(await modifiedSince(dir, old)).toBeNull();
    expect(await modifiedSince(temporaryFolder(), old)).toBeNull();
  });

  it('a repository that borrows its objects from another', async () => {
    const [origin, dir] = [repository(), join(temporaryFolder(), 'a:b')];
    git(origin, 'clone', '-q', '--shared', origin, dir);
    expect(await changedBy(dir, () => put(dir, 'src/b.txt', 'changed\n'))).toEqual(['src/b.txt']);
  });

  it('while someone holds the lock of the index', async () => {
    const dir = repository();
    put(dir, '.git/index.lock', '');
    expect(await changedBy(dir, () => put(dir, 'a.txt', 'changed\n'))).toEqual(['a.txt']);
  });

  it('a broken repository inside: the one around it is not taken for it', async () => {
    const dir = repository();
    mkdirSync(join(dir, 'broken/.git'), { recursive: true });
    expect(await changedBy(dir, () => put(dir, 'broken/x', 'x'))).toEqual(['broken/x']);
  });
});

describe('a mark is small', () => {
  it('however many files are dirty', async () => {
    const dir = repository();
    for (let i = 0; i < 600; i++) put(dir, `many/${i}`, String(i));
    const before = await mark(dir);
    expect(JSON.stringify(before).length).toBeLessThan(200);
    put(dir, 'many/599', 'changed');
    expect(await modifiedSince(dir, before)).toEqual(['many/599']);
  });
});

describe('it looks and leaves no trace', () => {
  it('runs no filter, hook, fsmonitor, external diff or textconv of the repository', async () => {
    const dir = repository({ 'a.txt': 'a\n' });
    const canary = join(dir, '../canary');
    const program = put(dir, '../program.sh', `#!/bin/sh\necho "$0 $*" >> '${canary}'\ncat\n`);
    chmodSync(program, 0o755);
    mkdirSync(join(dir, 'hooks'));
    for (const hook of ['post-index-change', 'reference-transaction', 'pre-commit', 'fsmonitor-watchman'])
      cpSync(program, join(dir, 'hooks', hook));
    const settings = {
      'filter.evil.clean': program,
      'filter.evil.smudge': program,
      'filter.evil.required': 'true',
      'filter.long.process': program,
      'filter.od=d.clean': program,
      'core.fsmonitor': program,
      'core.hooksPath': join(dir, 'hooks'),
      'diff.external': program,
      'diff.evil.command': program,
      'diff.evil.textconv': program,
    };
    for (const [key, value] of Object.entries(settings)) git(dir, 'config', key, value);
    put(dir, '.git/info/attributes', '*.txt filter=evil diff=evil\n*.long filter=long\n*.odd filter=od=d\n');
    rmSync(canary, { force: true });
    expect(
      await changedBy(dir, () =>
        ['a.txt', 'b.txt', 'c.long', 'd.odd'].forEach((name) => put(dir, name, 'new\n')),
      ),
    ).toEqual(['a.txt', 'b.txt', 'c.long', 'd.odd']);
    expect(existsSync(canary)).toBe(false);
    // The trap works.
    git(dir, 'add', 'b.txt');
    expect(readFileSync(canary, 'utf8')).toContain('program.sh');
  });

  it('nor one of a submodule', async () => {
    const dir = repository();
    git(dir, 'submodule', '--quiet', 'add', repository({ 'lib.txt': 'lib\n' }), 'lib');
    const canary = join(dir, '../canary');
    const inner = join(dir, 'lib');
    git(inner, 'config', 'core.fsmonitor', `touch '${canary}'; false`);
    git(inner, 'config', 'filter.evil.clean', `touch '${canary}'; cat`);
    put(dir, '.git/modules/lib/info/attributes', '* filter=evil\n');
    expect(await changedBy(dir, () => put(inner, 'lib.txt', 'new\n'))).toEqual(['lib']);
    expect(existsSync(canary)).toBe(false);
  });

  it('writes nothing into the repository, and no content into its store', async () => {
    const dir = repository();
    const store = join(temporaryFolder(), 'git');
    later(join(dir, 'a.txt'));
    put(dir, 'src/b.txt', 'changed');
    put(dir, 'new.txt', 'new');
    const before = bytesIn(dir);
    const since = await takeTreeMark(dir, store);
    if (since === null) throw new Error('there is no mark');
    put(dir, 'new.txt', 'newer');
    expect(await filesModifiedSince(dir, since, store)).toEqual(['new.txt']);
    put(dir, 'new.txt', 'new');
    expect(bytesIn(dir)).toEqual(before);
    const kept = readdirSync(join(store, 'objects'), { recursive: true, encoding: 'utf8' }).filter((name) =>
      /^..[/\\]/.test(name),
    );
    const env = { ...process.env, GIT_OBJECT_DIRECTORY: join(store, 'objects') };
    const kinds = kept.map((name) =>
      execFileSync('git', ['cat-file', '-t', name.replace(/[/\\]/, '')], { cwd: dir, env, encoding: 'utf8' }),
    );
    expect(new Set(kinds)).toEqual(new Set(['tree\n']));
  });

  it('is not led astray by the environment of another git', async () => {
    const [dir, other] = [repository(), repository()];
    process.env['GIT_DIR'] = join(other, '.git');
    process.env['GIT_INDEX_FILE'] = join(other, '.git/index');
    try {
      expect(await changedBy(dir, () => put(dir, 'a.txt', 'changed'))).toEqual(['a.txt']);
    } finally {
      delete process.env['GIT_DIR'];
      delete process.env['GIT_INDEX_FILE'];
    }
  });
});
