import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { excludeFromGit } from '#evidence/views/exclude.ts';
import { temporaryFolder } from '../../store/folder.ts';

function git(cwd: string, ...args: string[]): string {
  const settings = [
    '-c',
    'user.name=t',
    '-c',
    'user.email=t@example.org',
    '-c',
    'protocol.file.allow=always',
  ];
  return execFileSync('git', [...settings, ...args], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

function repository(): string {
  const dir = temporaryFolder();
  git(dir, 'init', '-q');
  git(dir, 'commit', '-q', '--allow-empty', '-m', 'first');
  return dir;
}

/** What git sees after a view was put there. */
function seenWithView(project: string): string {
  mkdirSync(join(project, '.claude'), { recursive: true });
  for (const name of [
    'ralph-loop.local.md',
    'ralph-loop.RALPH_1.local.md',
    '.ralph-loop.local.md.7.tmp',
    'ralph-notes.RALPH_1.local.md',
  ])
    writeFileSync(join(project, '.claude', name), 'x');
  return git(project, 'status', '--porcelain', '-uall');
}

describe('views are nobody’s commits', () => {
  it('the other views too, but not what the agent writes', () => {
    const dir = repository();
    const loops = join('.claude', 'data', 'ralph-loops', 'a[1]*');
    const own = [
      join('V', 'Ralph_State', 'RALPH_1.json'),
      join('V', 'Ralph_History', 'RALPH_1-2.json'),
      join('.claude', 'idle-loop.local.md'),
      join('.claude', 'idle-loop.RALPH_1.local.md'),
      join(loops, 'hook.log'),
      join(loops, '.progress.txt.7.tmp'),
    ];
    const theirs = [join(loops, 'feature_list.json'), join(loops, 'progress.txt')];
    excludeFromGit(dir, [
      { kind: 'vault', file: join('V', 'Ralph_State', 'RALPH_1.json') },
      { kind: 'stack', file: join('.claude', 'idle-loop.local.md') },
      { kind: 'progress', file: join(loops, 'progress.txt') },
    ]);
    for (const file of [...own, ...theirs]) {
      mkdirSync(join(dir, dirname(file)), { recursive: true });
      writeFileSync(join(dir, file), 'x');
    }
    const seen = git(dir, 'status', '--porcelain', '-uall', '-z').split('\0').filter(Boolean);
    expect(seen).toEqual(theirs.map((file) => `?? ${file}`));
  });

  it('in a plain repository, twice the same', () => {
    const dir = repository();
    excludeFromGit(dir);
    const once = readFileSync(join(dir, '.git/info/exclude'), 'utf8');
    excludeFromGit(dir);
    expect(readFileSync(join(dir, '.git/info/exclude'), 'utf8')).toBe(once);
    expect(seenWithView(dir)).toBe('');
  });

  it('in a subfolder of it', () => {
    const dir = repository();
    const project = join(dir, 'packages', 'app');
    mkdirSync(project, { recursive: true });
    excludeFromGit(project);
    expect(seenWithView(project)).toBe('');
    expect(existsSync(join(project, '.git'))).toBe(false);
  });

  it('in a worktree', () => {
    const dir = repository();
    const tree = join(temporaryFolder(), 'tree');
    git(dir, 'worktree', 'add', '-q', tree);
    excludeFromGit(tree);
    expect(seenWithView(tree)).toBe('');
  });

  it('in a submodule', () => {
    const [inner, outer] = [repository(), repository()];
    git(outer, 'submodule', '--quiet', 'add', inner, 'inside');
    git(outer, 'commit', '-q', '-m', 'inside');
    excludeFromGit(join(outer, 'inside'));
    expect(seenWithView(join(outer, 'inside'))).toBe('');
  });

  it('keeps what stands in the file, with or without a final newline', () => {
    const dir = repository();
    writeFileSync(join(dir, '.git/info/exclude'), 'mine');
    excludeFromGit(dir);
    expect(readFileSync(join(dir, '.git/info/exclude'), 'utf8')).toMatch(/^mine\n\*\*\/\.claude/);
  });

  it('without a repository nothing happens', () => {
    const dir = temporaryFolder();
    excludeFromGit(dir);
    expect(existsSync(join(dir, '.git'))).toBe(false);
  });

  it('a pointer to a repository that is gone makes no folder there', () => {
    const dir = temporaryFolder();
    writeFileSync(join(dir, '.git'), `gitdir: ${join(dir, 'moved', 'away')}\n`);
    excludeFromGit(dir);
    expect(existsSync(join(dir, 'moved'))).toBe(false);
  });
});
