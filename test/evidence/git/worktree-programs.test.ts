/**
 * Settings of a repository can hold for one work tree or branch alone. Git runs no program of theirs there
 * either.
 */
import { chmodSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inspect } from '#evidence/git/lists.ts';
import { recordPoint } from '#evidence/git/points/points.ts';
import { makeWorktree, removeWorktree } from '#evidence/git/worktree/worktree.ts';
import { temporaryFolder } from '../../store/folder.ts';
import { git, put, repository } from './repository.ts';

const LOOP = 'run_1';

/** A repository whose filter leaves a canary. `arm` writes the settings that define it. */
function trapped(arm: (dir: string, settings: string) => void) {
  const dir = repository({ 'a.txt': 'one\n', '.gitattributes': '*.txt filter=evil\n' });
  const canary = join(dir, '../canary');
  const program = put(dir, '../program', `#!/bin/sh\ntouch '${canary}'\ncat\n`);
  chmodSync(program, 0o755);
  arm(dir, `[filter "evil"]\n\tsmudge = ${program}\n\tclean = ${program}\n\trequired = true\n`);
  rmSync(canary, { force: true });
  return { dir, canary };
}

function includedIf(condition: string) {
  return trapped((dir, settings) => {
    put(dir, '.git/evil.conf', settings);
    git(dir, 'config', `includeIf.${condition}.path`, 'evil.conf');
  });
}

const TRAPS = {
  'includeIf gitdir': () => includedIf('gitdir:**/worktrees/**'),
  'includeIf gitdir/i': () => includedIf('gitdir/i:**/WORKTREES/*'),
  'includeIf onbranch': () => includedIf('onbranch:dacapo/**'),
  'config.worktree, which git copies to a new work tree': () =>
    trapped((dir, settings) => {
      git(dir, 'config', 'extensions.worktreeConfig', 'true');
      put(dir, '.git/config.worktree', settings);
    }),
} as const;

describe.each(Object.entries(TRAPS))('%s', (_, trap) => {
  it('no program runs while a work tree is made, looked at, recorded and removed', async () => {
    const { dir, canary } = trap();
    const order = { project: dir, loop: LOOP, home: temporaryFolder() };
    const made = await makeWorktree(order);
    expect(existsSync(canary)).toBe(false);
    expect(made).toMatchObject({ ok: true, is: 'made' });
    const path = made.ok ? made.path : '';
    expect(readFileSync(join(path, 'a.txt'), 'utf8')).toBe('one\n');
    expect(await inspect(path)).toMatchObject({ dirty: [], branch: `dacapo/${LOOP}` });
    // So that git has to look into it.
    put(path, 'a.txt', 'one\n');
    await recordPoint({ project: path, store: temporaryFolder(), name: '1' });
    expect(await removeWorktree(order)).toMatchObject({ ok: true, branch: `dacapo/${LOOP}` });
    expect(existsSync(path)).toBe(false);
    expect(existsSync(canary)).toBe(false);
  });

  it('(the trap works: git itself runs it)', () => {
    const { dir, canary } = trap();
    git(dir, 'worktree', 'add', '-q', '-b', 'dacapo/x', join(dir, '../tree'));
    expect(existsSync(canary)).toBe(true);
  });
});
