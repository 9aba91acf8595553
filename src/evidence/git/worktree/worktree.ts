/** A worktree for one loop, outside the project. It goes only if all its work is on a branch, which stays. */
import { existsSync, mkdirSync, realpathSync, rmSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { listBelow } from '#base/files/list-below.ts';
import { refuse, type Refusal } from '#base/refusal.ts';
import { isId } from '#base/shape.ts';
import { sayNames } from '#law/words/phrases.ts';
import { switchOff } from '../filters.ts';
import { fieldsOf, readable, saidBy } from '../git.ts';
import { operand, operands } from '../words.ts';
import { dirtyFiles } from '../lists.ts';
import { MADE_BY_PROGRAMS } from '../marks/folder-scan.ts';
import { heard, obeyed, openRepository, refusePlainly, type Repository } from '../repository.ts';
import {
  claimBranch,
  isBranchName,
  refuseBranchName,
  refuseNoBranch,
  resolveTip,
  unclaimBranch,
} from './branch.ts';

export interface Worktree {
  readonly ok: true;
  /** `there-already`: an earlier run of the same loop made it. */
  readonly is: 'made' | 'there-already';
  readonly path: string;
  /** Where the agent works: as deep in the worktree as the project is in its repository. */
  readonly project: string;
  readonly branch: string | null;
  readonly begun: string | null;
  /** Uncommitted in the user's tree, and therefore missing here. */
  readonly leftBehind: readonly string[];
}

export interface WorktreeOrder {
  readonly project: string;
  /** A part of the name of its folder and branch. */
  readonly loop: string;
  readonly home: string;
}

/** It begins with the commit `at`, or with that of the branch `from`; by default with the current one. */
export async function makeWorktree(
  { project, loop, home }: WorktreeOrder,
  name = `dacapo/${loop}`,
  from?: string,
  at?: string,
): Promise<Worktree | Refusal> {
  if (!isId(loop)) return refuse('name', `${String(loop)} is not an id of a loop.`, 'See `dacapo list`.');
  const repository = await openRepository(project);
  if (!repository.ok) return repository;
  const path = worktreePath(home, loop);
  const inside = relative(realpathSync(repository.root), realpathSync(project));
  if (existsSync(path)) return reopen(repository, path, inside);
  if (repository.head === null)
    return refuse('no-commits', 'A worktree needs a commit to begin with.', 'Make the first commit.');
  if (!(await isBranchName(repository, name))) return refuseBranchName(name);
  if ((await resolveTip(repository, name)) !== null)
    return refuse('branch-exists', `The branch ${name} exists.`, 'Choose another name.');
  const leftBehind = await dirtyFiles(repository);
  if (!Array.isArray(leftBehind)) return leftBehind;

  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  // Not `-b`: if it fails after making the branch, the next try would fail because the branch exists.
  const begun = at ?? (from === undefined ? repository.head : await resolveTip(repository, from));
  if (begun === null) return refuseNoBranch(from ?? name);
  const claimed = await claimBranch(repository, name, begun);
  if (claimed !== null) return claimed;
  const made = await repository.ask(['worktree', 'add', '-q', '--no-checkout', ...operands(path, name)]);
  const there = saidBy(made) === null ? null : await checkOut(path);
  if (there?.ok !== true) {
    await discard(repository, { path, branch: name, begun });
    return there ?? refusePlainly('worktree', 'The worktree could not be made', made);
  }
  return { ok: true, is: 'made', path, project: join(path, inside), branch: name, begun, leftBehind };
}

/** Settings may apply to this tree or branch alone (`includeIf`), so we look for its filters from inside. */
async function checkOut(path: string): Promise<Repository | Refusal> {
  const there = await openRepository(path);
  if (!there.ok) return there;
  const out = await there.ask(['read-tree', '-m', '-u', 'HEAD']);
  return obeyed(out, 'worktree', 'The worktree could not be made') ?? there;
}

/** Removes an unused worktree together with its branch. */
export async function discardWorktree(project: string, made: MadeWorktree): Promise<void> {
  const repository = await openRepository(project);
  if (repository.ok) await discard(repository, made);
}

type MadeWorktree = Pick<Worktree, 'path' | 'branch' | 'begun'>;

async function discard(repository: Repository, { path, branch, begun }: MadeWorktree): Promise<void> {
  // With `--force` git reads no file in the worktree, and so runs no filter.
  await repository.ask(['worktree', 'remove', '--force', operand(path)]);
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

/** Only if it is a worktree of this same repository. */
async function reopen(repository: Repository, path: string, inside: string): Promise<Worktree | Refusal> {
  const there = await openRepository(path);
  const isOurs = there.ok && there.root === realpathSync(path) && there.objects === repository.objects;
  if (!isOurs)
    return refuse('worktree-taken', `${path} is not a worktree of this repository.`, 'Move it away first.');
  const project = join(path, inside);
  return { ok: true, is: 'there-already', path, project, branch: there.branch, begun: null, leftBehind: [] };
}

export interface RemovalOrder extends WorktreeOrder {
  /** Files in the worktree of which we keep a copy elsewhere, as absolute paths: they may go. */
  readonly copied?: readonly string[];
}

export async function mayRemoveWorktree(order: RemovalOrder) {
  const path = worktreePath(order.home, order.loop);
  const tree = isId(order.loop) && existsSync(path) ? await openRepository(path) : null;
  if (tree === null)
    return refuse('no-worktree', `There is no worktree at ${path}.`, 'There is nothing to remove.');
  if (!tree.ok) return tree;
  const isCopied = copiesIn(tree, order.copied ?? []);
  const [ignored, changed] = [await precious(tree), await dirtyFiles(tree)];
  if (!Array.isArray(ignored)) return ignored;
  if (!Array.isArray(changed)) return changed;
  const lost = ignored.filter((name) => !isCopied(name));
  if (lost.length > 0)
    return refuse(
      'ignored-files',
      `The worktree holds files that git ignores and that would be lost: ${sayNames(lost)}.`,
      `Copy what you need from ${path}.`,
    );
  const dirty = changed.filter((name) => !isCopied(name));
  // A commit that is on no branch would be lost with the worktree.
  if (tree.operation !== null || tree.branch === null || dirty.length > 0)
    return refuse('uncommitted', sayUnsaved(tree, dirty), `Commit it in ${path}.`);
  return { ok: true as const, path, branch: tree.branch, filters: tree.ownFilters };
}

function sayUnsaved({ operation, branch }: Repository, dirty: readonly string[]): string {
  if (operation !== null) return `The worktree is in the middle of a ${operation}.`;
  return branch === null
    ? 'The worktree is on no branch: its commits might be lost.'
    : `The worktree holds uncommitted work: ${sayNames(dirty)}.`;
}

export async function removeWorktree(order: RemovalOrder) {
  const main = await openRepository(order.project);
  if (!main.ok) return main;
  const may = await mayRemoveWorktree(order);
  if (!may.ok) return may;
  // Then we need not use `--force`: if a file appears at this moment, git still finds it and refuses.
  for (const file of order.copied ?? []) rmSync(file, { force: true });
  // Git reads the worktree with the settings that apply there, which may differ from those of the main work
  // tree.
  const env = switchOff([...new Set([...main.ownFilters, ...may.filters])]);
  const removed = await main.ask(['worktree', 'remove', operand(may.path)], { env });
  return obeyed(removed, 'worktree', 'The worktree could not be removed') ?? may;
}

/** Ignored files, but for those that programs can make again. */
async function precious({ ask }: Repository): Promise<string[] | Refusal> {
  const args = ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory'] as const;
  const out = heard(await ask(args), 'unreadable', 'The work tree could not be read');
  if (typeof out !== 'string') return out;
  const isMade = (name: string) => name.split('/').some((part) => MADE_BY_PROGRAMS.includes(part));
  return fieldsOf(out)
    .map(readable)
    .filter((name) => !isMade(name));
}

/** Takes names as git gives them: a folder of which git ignores everything ends in a slash. */
function copiesIn({ root }: Repository, copied: readonly string[]): (name: string) => boolean {
  return (name) => {
    const path = join(root, name);
    if (!name.endsWith('/') || copied.every((file) => !file.startsWith(path))) return copied.includes(path);
    return filesIn(path).every((file) => copied.includes(file));
  };
}

function filesIn(folder: string): string[] {
  return listBelow(folder)
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name));
}
