/** A worktree for one loop, outside the project: the user's files and branch stay untouched. */
import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { refuse, type Refusal } from '../../core/refusal.ts';
import { isId } from '../../core/shape.ts';
import { filteredBy } from '../filters.ts';
import { fieldsOf, readable, saidBy } from '../git.ts';
import { dirtyIn, STATUS } from '../lists.ts';
import {
  claimBranch,
  exists,
  isBranchName,
  refuseName,
  refuseNoBranch,
  tipOf,
  unclaimBranch,
} from './branch.ts';
import { heard, obeyed, openRepository, refusePlainly, type Repository } from '../repository.ts';

export interface Worktree {
  readonly ok: true;
  /** `there-already`: an earlier run of the same loop made it. */
  readonly is: 'made' | 'there-already';
  readonly path: string;
  /** Where the agent works: as deep in the worktree as the project is in its repository. */
  readonly project: string;
  readonly branch: string | null;
  /** The commit that a new one begins with. */
  readonly begun: string | null;
  /** Uncommitted in the user's tree, and therefore missing here. */
  readonly leftBehind: readonly string[];
  /** Files behind a filter that the repository configures. We did not run it, so they are here as git stores them. */
  readonly unfiltered: readonly string[];
}

export interface WorktreeOrder {
  readonly project: string;
  /** A part of the name of its folder and branch. */
  readonly loop: string;
  /** Da Capo's home, which has a folder for worktrees. */
  readonly home: string;
}

/** `branch`: by default `dacapo/<loop>`. It begins at a commit, with the branch `from`, or with the current commit. */
export async function makeWorktree(
  order: WorktreeOrder & { readonly branch?: string; readonly from?: string; readonly at?: string },
): Promise<Worktree | Refusal> {
  const { project, loop, home, branch, from, at } = order;
  if (!isId(loop)) return refuse('name', `${order.loop} is not an id of a loop.`, 'See `dacapo list`.');
  const repository = await openRepository(project);
  if (!repository.ok) return repository;
  const path = worktreePath(home, loop);
  const inside = relative(realpathSync(repository.root), realpathSync(project));
  if (existsSync(path)) return reopen(repository, path, inside);
  if (repository.head === null)
    return refuse('no-commits', 'A worktree needs a commit to begin with.', 'Make the first commit.');
  const name = branch ?? `dacapo/${loop}`;
  if (!(await isBranchName(repository, name))) return refuseName(name);
  if (await exists(repository, name))
    return refuse('branch-exists', `The branch ${name} exists.`, 'Choose another name.');
  const status = heard(await repository.ask(STATUS), 'unreadable', 'The work tree could not be read');
  if (typeof status !== 'string') return status;

  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  // Not `-b`: if it fails after making the branch, the next try would fail because the branch exists.
  const begun = at ?? (from === undefined ? repository.head : await tipOf(repository, from));
  if (begun === null) return refuseNoBranch(from ?? name);
  const claimed = await claimBranch(repository, name, begun);
  if (claimed !== null) return claimed;
  const made = await repository.ask(['worktree', 'add', '-q', '--no-checkout', path, name]);
  const there = saidBy(made) === null ? null : await checkOut(path);
  if (there?.ok !== true) {
    await discard(repository, path, name, begun);
    return there ?? refusePlainly('worktree', 'The worktree could not be made', made);
  }
  return {
    ok: true,
    is: 'made',
    path,
    project: join(path, inside),
    branch: name,
    begun,
    leftBehind: dirtyIn(status).map(readable),
    unfiltered: await findUnfiltered(there),
  };
}

/**
 * Settings may apply to this work tree or its branch alone (`includeIf`). So we look for its filters from inside it,
 * and switch them off before git checks out the first file.
 */
async function checkOut(path: string): Promise<Repository | Refusal> {
  const there = await openRepository(path);
  if (!there.ok) return there;
  const out = await there.ask(['read-tree', '-m', '-u', 'HEAD']);
  return obeyed(out, 'worktree', 'The worktree could not be made') ?? there;
}

/** Removes an unused worktree together with its branch. */
export async function discardWorktree(
  project: string,
  { path, branch, begun }: Pick<Worktree, 'path' | 'branch' | 'begun'>,
): Promise<void> {
  const repository = await openRepository(project);
  if (repository.ok) await discard(repository, path, branch, begun);
}

async function discard(
  repository: Repository,
  path: string,
  branch: string | null,
  begun: string | null,
): Promise<void> {
  // With `--force` git reads no file in the worktree, and so runs no filter.
  await repository.ask(['worktree', 'remove', '--force', path]);
  if (branch !== null && begun !== null) await unclaimBranch(repository, branch, begun);
}

/** The name of the worktree that a project lies in; null if it lies in none. */
export function worktreeAround(home: string, project: string): string | null {
  const [name = ''] = relative(worktreePath(home, ''), project).split(sep);
  return isId(name) ? name : null;
}

export function worktreePath(home: string, loop: string): string {
  return join(home, 'worktrees', loop);
}

async function findUnfiltered(repository: Repository): Promise<string[]> {
  if (repository.ownFilters.length === 0) return [];
  const tracked = fieldsOf(saidBy(await repository.ask(['ls-files', '-z'])) ?? '');
  const filtered = await filteredBy(repository.ownFilters, tracked, { at: repository.root });
  return (filtered ?? []).map(readable);
}

/** Only if it is a worktree of this same repository. */
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
  const project = join(path, inside);
  return {
    ok: true,
    is: 'there-already',
    path,
    project,
    branch: there.branch,
    begun: null,
    leftBehind: [],
    unfiltered: [],
  };
}

async function commonOf({ ask }: Repository): Promise<string | null> {
  return saidBy(await ask(['rev-parse', '--path-format=absolute', '--git-common-dir']));
}
