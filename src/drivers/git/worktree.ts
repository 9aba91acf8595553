/** A worktree of a loop's own, outside the project: the user's files and branch are not touched. */
import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { refuse, type Refusal } from '../../core/refusal.ts';
import { filteredBy } from '../../proofs/filters.ts';
import { MADE_BY_PROGRAMS } from '../../proofs/folder-scan.ts';
import { fieldsOf, readable, saidBy } from '../../proofs/git.ts';
import { dirtyIn, readStatus, STATUS } from '../../proofs/git-lists.ts';
import { exists, isBranchName } from './branch.ts';
import { sayNames } from './names.ts';
import { recordPoint } from './points.ts';
import { openRepository, refusePlainly, type Repository } from './repository.ts';

export interface Worktree {
  readonly ok: true;
  /** `there-already`: of an earlier run of the same loop. */
  readonly is: 'made' | 'there-already';
  readonly path: string;
  /** Where the agent works: as deep in the worktree as the project is in its repository. */
  readonly project: string;
  readonly branch: string | null;
  /** Uncommitted in the user's tree, and therefore not here. */
  readonly leftBehind: readonly string[];
  /** They pass through a program that the repository configures, which was not run: here they are as git stores them. */
  readonly unfiltered: readonly string[];
}

export interface WorktreeOrder {
  readonly project: string;
  readonly loop: string;
  /** Da Capo's home; worktrees live in a folder of it. */
  readonly home: string;
  /** By default `dacapo/<loop>`. */
  readonly branch?: string;
}

const ID = /^[A-Za-z0-9_-]{1,128}$/;

export async function makeWorktree({
  project,
  loop,
  home,
  branch,
}: WorktreeOrder): Promise<Worktree | Refusal> {
  if (!ID.test(loop)) return refuse('name', `${loop} is no id of a loop.`, 'See `dacapo list`.');
  const repository = await openRepository(project);
  if (!repository.ok) return repository;
  const path = worktreePath(home, loop);
  const inside = relative(realpathSync(repository.root), realpathSync(project));
  if (existsSync(path)) return reopen(repository, path, inside);
  if (repository.head === null)
    return refuse('no-commits', 'A worktree needs a commit to begin with.', 'Make the first commit.');
  const name = branch ?? `dacapo/${loop}`;
  if (!(await isBranchName(repository, name)))
    return refuse(
      'branch-name',
      `${JSON.stringify(name)} can't be the name of a branch.`,
      'See `git help check-ref-format`.',
    );
  if (await exists(repository, name))
    return refuse('branch-exists', `The branch ${name} exists.`, 'Choose another name.');
  const asked = await repository.ask(STATUS);
  const status = saidBy(asked);
  if (status === null) return refusePlainly('unreadable', 'The work tree could not be read', asked);

  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const made = await repository.ask(['worktree', 'add', '-q', '-b', name, path, repository.head]);
  if (saidBy(made) === null) return refusePlainly('worktree', 'The worktree could not be made', made);
  return {
    ok: true,
    is: 'made',
    path,
    project: join(path, inside),
    branch: name,
    leftBehind: dirtyIn(readStatus(status)),
    unfiltered: await findUnfiltered(repository),
  };
}

function worktreePath(home: string, loop: string): string {
  return join(home, 'worktrees', loop);
}

async function findUnfiltered(repository: Repository): Promise<string[]> {
  if (repository.ownFilters.length === 0) return [];
  const tracked = fieldsOf(saidBy(await repository.ask(['ls-files', '-z'])) ?? '');
  const filtered = await filteredBy(repository.ownFilters, tracked, { at: repository.root });
  return (filtered ?? []).map(readable);
}

/** Only if it is a worktree of this very repository. */
async function reopen(repository: Repository, path: string, inside: string): Promise<Worktree | Refusal> {
  const there = await openRepository(path);
  const isOurs =
    there.ok && there.root === realpathSync(path) && (await commonOf(there)) === (await commonOf(repository));
  if (!isOurs)
    return refuse(
      'worktree-taken',
      `${path} is there, and no worktree of this repository.`,
      'Move it away first.',
    );
  const { branch } = there;
  return {
    ok: true,
    is: 'there-already',
    path,
    project: join(path, inside),
    branch,
    leftBehind: [],
    unfiltered: [],
  };
}

async function commonOf({ ask }: Repository): Promise<string | null> {
  return saidBy(await ask(['rev-parse', '--path-format=absolute', '--git-common-dir']));
}

export interface WorktreeRemoved {
  readonly ok: true;
  /** Where its uncommitted work is kept, if there was any. */
  readonly savedAs: string | null;
  readonly branch: string | null;
}

export interface RemovalOrder extends Omit<WorktreeOrder, 'branch'> {
  /** Record what is uncommitted as a point, and then remove; else it is refused. */
  readonly save?: boolean;
  /** Ignored files can't be recorded: without this, any that is not in a folder like `node_modules` is a refusal. */
  readonly discardIgnored?: boolean;
}

/** The branch, with all commits, stays. */
export async function removeWorktree(order: RemovalOrder): Promise<WorktreeRemoved | Refusal> {
  const main = await openRepository(order.project);
  if (!main.ok) return main;
  const path = worktreePath(order.home, order.loop);
  const tree = ID.test(order.loop) && existsSync(path) ? await openRepository(path) : null;
  if (tree === null)
    return refuse('no-worktree', `There is no worktree at ${path}.`, 'Nothing is to be removed.');
  if (!tree.ok) return tree;
  const [ignored, answer] = [
    order.discardIgnored === true ? [] : await precious(tree),
    await tree.ask(STATUS),
  ];
  const out = saidBy(answer);
  if (ignored === null || out === null)
    return refusePlainly('unreadable', `${path} could not be read`, answer);
  if (ignored.length > 0)
    return refuse(
      'ignored-files',
      `The worktree holds files that git ignores and that would be lost: ${sayNames(ignored)}.`,
      `Copy what you need from ${path}.`,
    );
  const dirty = dirtyIn(readStatus(out));
  // A commit that no branch holds would go with the worktree.
  const loose = tree.branch === null;
  if (tree.operation !== null || (order.save !== true && (dirty.length > 0 || loose)))
    return refuse(
      'uncommitted',
      loose
        ? 'The worktree is on no branch: its commits might be lost.'
        : `The worktree holds uncommitted work: ${sayNames(dirty)}.`,
      `Commit it in ${path}, or have it saved.`,
    );
  const savedAs = dirty.length > 0 || loose ? await save(order, path) : null;
  if (savedAs !== null && typeof savedAs !== 'string') return savedAs;
  const force = savedAs === null ? [] : ['--force'];
  const removed = await main.ask(['worktree', 'remove', ...force, path]);
  if (saidBy(removed) === null)
    return refusePlainly('worktree', 'The worktree could not be removed', removed);
  return { ok: true, savedAs, branch: tree.branch };
}

async function save({ loop }: RemovalOrder, path: string): Promise<string | Refusal> {
  const point = await recordPoint({ project: path, loop, name: 'worktree-removed' });
  if (!point.ok) return point;
  if (point.leftAlone.length === 0) return point.ref;
  return refuse(
    'unsaved',
    `These can't be recorded, and would be lost: ${sayNames(point.leftAlone)}.`,
    `Copy them from ${path}.`,
  );
}

/** Null: git would not tell. */
async function precious({ ask }: Repository): Promise<string[] | null> {
  const args = ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory'];
  const out = saidBy(await ask(args));
  const names = out === null ? null : fieldsOf(out).map(readable);
  return names && names.filter((name) => !name.split('/').some((part) => MADE_BY_PROGRAMS.includes(part)));
}
