/** No program that the settings of a repository name runs, whatever we do with it. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { inspect } from '#evidence/git/lists.ts';
import { diffSince, keepContents } from '#evidence/git/marks/diff.ts';
import { takeTreeMark } from '#evidence/git/marks/mark.ts';
import { commitPass } from '#evidence/git/points/commit.ts';
import { recordBeginning, recordPoint, recordWorkSpan } from '#evidence/git/points/points.ts';
import { rollback } from '#evidence/git/points/rollback.ts';
import { fetchPoint, publishPoint } from '#evidence/git/points/travel.ts';
import { branchesOfRuns, goToBranch } from '#evidence/git/worktree/branch.ts';
import { exportTree } from '#evidence/git/worktree/export.ts';
import {
  branchToMergeInto,
  bringUpToDate,
  hasCommitOf,
  isLanded,
  land,
} from '#evidence/git/worktree/merge.ts';
import { makeWorktree, removeWorktree } from '#evidence/git/worktree/worktree.ts';
import type { LeasedRow } from '#fleet/lease.ts';
import { prunePoints, pushBranch, pushPoint, readBranch } from '#fleet/worker/publish.ts';
import { makeTree, markReady, returnToPoint } from '#fleet/worker/tree.ts';
import { temporaryFolder } from '../../store/folder.ts';
import { looksLikeProgram, NO_PROGRAMS, PROGRAM_KEYS, type Kind } from './program-keys.ts';
import { git, put, repository } from './repository.ts';

const HOOKS = [
  'pre-commit',
  'post-checkout',
  'post-merge',
  'post-index-change',
  'reference-transaction',
  'pre-push',
];
const SIGNATURE = 'gpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n';

it('every key of this git that looks like a program is classified', () => {
  const keys = execFileSync('git', ['help', '--config'], { encoding: 'utf8' }).split('\n');
  const unknown = keys.filter(
    (key) => looksLikeProgram(key) && !(key in PROGRAM_KEYS) && !NO_PROGRAMS.has(key),
  );
  expect(unknown).toEqual([]);
});

/** Programs that tell when they run, one for each key. */
function openTrap() {
  const folder = temporaryFolder();
  const log = join(folder, 'ran');
  const tells = (key: string) => `#!/bin/sh\necho '${key}' >> '${log}'\ncat 2>/dev/null\nexit 0\n`;
  const programOf = (key: string): string => {
    const path = join(folder, key.replace(/[^a-zA-Z]/g, '-'));
    writeFileSync(path, tells(key), { mode: 0o755 });
    return path;
  };
  const valueOf = (key: string, kind: Kind): string => {
    if (kind === 'on') return 'true';
    if (kind === 'name') return 'evil';
    if (kind === 'line') return `!${programOf(key)}`;
    if (kind === 'program') return programOf(key);
    if (kind === 'address') return '/';
    const place = join(folder, `of-${key.replace(/[^a-zA-Z]/g, '-')}`);
    if (kind === 'settings') {
      writeFileSync(place, `[core]\n\tfsmonitor = ${programOf(key)}\n\tsshCommand = ${programOf(key)}\n`);
      return place;
    }
    for (const at of [place, join(place, 'hooks')]) {
      mkdirSync(at, { recursive: true });
      for (const hook of HOOKS) writeFileSync(join(at, hook), tells(`${key} ${hook}`), { mode: 0o755 });
    }
    return place;
  };
  return {
    arm: (dir: string, without: readonly string[] = []) => {
      for (const [key, kind] of Object.entries(PROGRAM_KEYS))
        if (!without.includes(key)) git(dir, 'config', named(key), valueOf(key, kind));
      put(dir, '.git/info/attributes', '*.f filter=evil\n* diff=evil merge=evil\n');
    },
    /** What ran since the last call. */
    ran: (): string[] => {
      const told = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [];
      rmSync(log, { force: true });
      return [...new Set(told)];
    },
  };
}

function named(key: string): string {
  if (key.startsWith('includeIf')) return 'includeIf.gitdir:/**.path';
  if (key.startsWith('url.')) return key.replace('<base>', 'ext::sh -c evil% ');
  if (key === 'alias.*') return 'alias.evil';
  if (key === 'pager.<cmd>') return 'pager.log';
  return key.replace('<format>', 'openpgp').replace(/<[^>]+>/, 'evil');
}

/** So that `log` has something to verify. */
function sign(dir: string): void {
  const commit = git(dir, 'cat-file', 'commit', 'HEAD').replace('\n\n', `\n${SIGNATURE}\n`);
  const file = put(dir, '../signed', commit);
  git(dir, 'reset', '-q', '--hard', git(dir, 'hash-object', '-t', 'commit', '-w', file).trim());
}

function prepared() {
  const dir = repository({ 'a.txt': 'one\n', 'b.txt': 'b\n', 'c.f': 'c\n' });
  sign(dir);
  const remote = join(temporaryFolder(), 'remote.git');
  git(dir, 'clone', '-q', '--bare', dir, remote);
  return { dir, remote, store: temporaryFolder(), home: temporaryFolder() };
}

type Place = ReturnType<typeof prepared>;
type Act = (place: Place) => Promise<unknown>;

/** Our operations, in an order in which each has something to do. */
const ACTS: Readonly<Record<string, Act>> = {
  inspect: ({ dir }) => inspect(dir),
  branches: ({ dir }) => branchesOfRuns(dir),
  mark: ({ dir, store }) => takeTreeMark(dir, store, { ignored: [] }),
  contents: ({ dir: project, store }) => keepContents({ project, store }),
  point: ({ dir: project, store }) => recordPoint({ project, store, name: '0' }),
  change: async ({ dir }) => {
    for (const name of ['a.txt', 'c.f', 'new.txt']) put(dir, name, 'changed\n');
  },
  diff: ({ dir: project, store }) => diffSince({ project, store }, 'HEAD'),
  beginning: ({ dir: project, store }) => recordBeginning({ project, store, done: 1 }),
  span: async ({ dir: project, store }) => {
    const from = await recordPoint({ project, store, name: '1' });
    put(project, 'b.txt', 'more\n');
    if (from.ok) await recordWorkSpan({ project, store, iteration: 2, from, name: '2' });
    if (from.ok) await commitPass({ project, store, before: from, message: 'Work\n', includeDirty: true });
  },
  rollback: ({ dir: project, store }) => rollback({ project, store, to: '0' }),
  travel: async ({ dir: project, store, remote }) => {
    const journey = { project, store, remote, ref: 'refs/dacapo/x/1/1' };
    const published = await publishPoint(journey, '2');
    if (published.ok) await fetchPoint({ ...journey, store: temporaryFolder() }, published.commit);
    return published;
  },
  export: ({ dir: project, store }) => {
    const tree = git(project, 'rev-parse', 'HEAD').trim();
    return exportTree({ project, from: { is: 'tree', tree, store }, to: temporaryFolder() });
  },
  tidy: async ({ dir }) => {
    quietly(dir, 'stash', '-q', '-u');
  },
  worktree: async ({ dir: project, home }) => {
    await makeWorktree({ project, loop: 'gone', home });
    return removeWorktree({ project, loop: 'gone', home });
  },
  merge: async ({ dir: project, home }) => {
    const made = await makeWorktree({ project, loop: 'one', home });
    if (!made.ok) return made;
    put(made.path, 'a.txt', 'theirs\n');
    quietly(made.path, 'commit', '-qam', 'Da-Capo-Loop: one');
    put(project, 'a.txt', 'ours\n');
    quietly(project, 'commit', '-qam', 'Ours');
    const work = { loop: 'one', branch: 'dacapo/one', tree: made.path };
    const ready = await branchToMergeInto(project, null);
    const merged = await bringUpToDate(work, 'main');
    // Once more, as after a kill: it reads the log and compares.
    await bringUpToDate(work, 'main');
    put(made.path, 'a.txt', 'both\n');
    quietly(made.path, 'commit', '-qam', 'Resolved');
    const landed = await land(made.path, 'main', 'Merge it\n');
    await isLanded(project, work, 'main');
    await hasCommitOf(project, ['one'], 'main');
    return { ready, merged, landed };
  },
  branch: ({ dir }) => goToBranch(dir, 'dacapo/other'),
};

/** What a person or an agent does in between, with none of the programs. */
function quietly(dir: string, ...args: string[]): void {
  const none = ['clean', 'smudge', 'process'].map((key) => `filter.evil.${key}=`);
  const off = ['core.fsmonitor=false', 'core.hooksPath=/dev/null', 'commit.gpgSign=false', ...none];
  git(dir, ...off.flatMap((setting) => ['-c', setting]), ...args);
}

it.each([
  ['all of them', []],
  ['all but drivers of merges, with which we do not merge', ['merge.<driver>.driver']],
])('no program runs: %s', { timeout: 120_000 }, async (_, without) => {
  const trap = openTrap();
  const place = prepared();
  trap.arm(place.dir, without);
  trap.ran();
  for (const [name, act] of Object.entries(ACTS)) {
    await act(place);
    expect({ name, ran: trap.ran() }).toEqual({ name, ran: [] });
  }
  expect(git(place.remote, 'for-each-ref', 'refs/dacapo')).toContain('refs/dacapo/x/1/1');
  const merged = readFileSync(join(place.dir, 'a.txt'), 'utf8');
  expect(merged).toBe(without.length > 0 ? 'both\n' : 'ours\n');
});

it(
  'no program of an agent runs where a worker makes, publishes and restores its tree',
  { timeout: 60_000 },
  async () => {
    const trap = openTrap();
    const { remote, store, home } = prepared();
    const [tree, mirrors] = [join(home, 'tree'), join(home, 'mirrors')];
    const loop = {
      id: 'RALPH_1',
      epoch: 1,
      events: 1,
      repo: remote,
      ref: 'main',
      points: null,
      branch: 'dacapo/RALPH_1',
      base: null,
      head: null,
      point: null,
      point_ref: null,
    } as unknown as LeasedRow;
    const made = await makeTree(loop, { mirrors, tree, network: {} });
    if (!('base' in made)) throw new Error(made.message);
    markReady(tree);
    for (const [key, value] of [
      ['user.name', 'T'],
      ['user.email', 't@example.org'],
    ])
      git(tree, 'config', key ?? '', value ?? '');
    trap.arm(tree);
    trap.ran();
    put(tree, 'a.txt', 'work\n');
    put(tree, 'c.f', 'work\n');
    quietly(tree, 'commit', '-qam', 'Work');
    await recordPoint({ project: tree, store, name: '1' });
    trap.ran();
    const order = {
      loop: { ...loop, base: made.base },
      tree,
      store,
      signal: new AbortController().signal,
    };
    const published = await pushPoint(order, '1');
    const head = git(tree, 'rev-parse', 'HEAD').trim();
    expect(published).toMatchObject({ is: 'point-pushed', head });
    expect(await readBranch(order)).toEqual({ is: 'branch-read', from: null });
    expect(await pushBranch(order, { from: null, to: head })).toEqual({ is: 'branch-pushed', head });
    if ('ok' in published) return;
    put(tree, 'a.txt', 'dirt\n');
    const later = { ...order.loop, ...published };
    await makeTree(later, { mirrors, tree, network: {} });
    expect(await returnToPoint(later, { mirrors, tree, network: {} }, temporaryFolder())).toBeNull();
    expect(readFileSync(join(tree, 'a.txt'), 'utf8')).toBe('work\n');
    await prunePoints(later, 'none', tree);
    expect(trap.ran()).toEqual([]);
    expect(git(remote, 'for-each-ref', '--format=%(refname)')).toContain('refs/heads/dacapo/RALPH_1');
  },
);

it('(the trap works: git itself runs them)', () => {
  const trap = openTrap();
  const { dir, remote } = prepared();
  trap.arm(dir);
  for (const name of ['a.txt', 'c.f']) put(dir, name, 'changed\n');
  const tries = [
    ['log', '-1'],
    ['diff', '--ext-diff'],
    ['diff', '--no-ext-diff'],
    ['commit', '-qam', 'x'],
    ['fetch', remote],
  ];
  for (const words of tries)
    try {
      git(dir, ...words);
    } catch {
      // What runs is enough.
    }
  expect(trap.ran()).toEqual(
    expect.arrayContaining([
      'gpg.program',
      'diff.<driver>.command',
      'diff.<driver>.textconv',
      'filter.<driver>.process',
      'includeIf.<condition>.path',
      'core.hooksPath pre-commit',
    ]),
  );
});
