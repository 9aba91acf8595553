/**
 * Merges the branch of a loop's work tree into another branch. First that branch is merged into the loop's,
 * in the loop's own tree, where the result can be checked; then it moves to that result, as one merge commit.
 * A person's uncommitted work is never touched: where it is in the way, git refuses.
 */
import { join } from 'node:path';
import { refuse, type Refusal } from '#base/refusal.ts';
import { sayNames } from '#law/words/phrases.ts';
import { readTextIfAny } from '#base/files/read.ts';
import { bytesOf, fieldsOf, readable, saidBy } from '../git.ts';
import { operand, operands } from '../words.ts';
import { dirtyFiles, NO_NEW } from '../lists.ts';
import { refuseNameless } from '../points/commit.ts';
import { heard, obeyed, openRepository, refuseOperation, refusePlainly } from '../repository.ts';
import type { Repository } from '../repository.ts';
import { changesFiltered, claimBranch, isBranchName, refOf, refuseBranchName, resolveTip } from './branch.ts';

export interface LoopWork {
  readonly loop: string;
  readonly branch: string;
  readonly tree: string;
}

/** In every commit of a loop. */
export const LOOP_TRAILER = 'Da-Capo-Loop: ';
/** The code of the refusal to move a branch to which somebody has committed. */
export const MOVED = 'moved';
const NO_HOOKS = ['--no-verify', '--no-gpg-sign', '-q'] as const;

/**
 * The branch that takes the work: the named one, which is made if needed, or the current one. Its tree must
 * be clean.
 */
export async function branchToMergeInto(
  project: string,
  wanted: string | null,
): Promise<{ readonly ok: true; readonly branch: string } | Refusal> {
  const repository = await openRepository(project);
  if (!repository.ok) return repository;
  const { branch: current, head, operation } = repository;
  if (operation !== null) return refuseOperation(operation);
  if (head === null)
    return refuse('no-commits', 'A worktree needs a commit to begin with.', 'Make the first commit.');
  // What git does not know yet is in nobody's way.
  const changed = await dirtyFiles(repository, NO_NEW);
  if (!Array.isArray(changed)) return changed;
  if (changed.length > 0)
    return refuse(
      'dirty',
      `Not committed: ${sayNames(changed)}. The loops would not have it, and their work is merged here.`,
      'Commit or stash it first.',
    );
  const refused = (await refuseNameless(repository)) ?? (await refuseDrivers(repository));
  if (refused !== null) return refused;
  const branch = wanted ?? current;
  if (branch === null)
    return refuse('detached', 'HEAD is detached: there is no branch to merge into.', 'Give --branch NAME.');
  if (!(await isBranchName(repository, branch))) return refuseBranchName(branch);
  const made =
    (await resolveTip(repository, branch)) === null && (await claimBranch(repository, branch, head));
  return made || { ok: true, branch };
}

/**
 * A merge would run the programs that the repository's own settings name. The user's own (global) ones may
 * run.
 */
async function refuseDrivers({ ask }: Repository): Promise<Refusal | null> {
  const drivers = ['--name-only', '--get-regexp', '^merge\\..*\\.driver$'] as const;
  const listed = await ask(['config', '-z', '--show-scope', ...drivers]);
  const fields = fieldsOf(saidBy(listed) ?? '');
  const own = fields.find((_, at) => at % 2 === 1 && /^(?:local|worktree)$/.test(fields[at - 1] ?? ''));
  if (own === undefined) return null;
  const why =
    `This repository configures a program for merges (${readable(own)}), which Da Capo ` + 'does not run.';
  return refuse('merge-driver', why, 'If you trust it, put it into your own settings: git config --global.');
}

/**
 * Merges `onto` into the branch of this tree. Files in conflict are committed with git's markers in them, so
 * that an agent finds a tree as any other, which no kill can leave half merged. `land` leaves these commits
 * out.
 */
export async function bringUpToDate(
  { tree, loop }: Pick<LoopWork, 'tree' | 'loop'>,
  onto: string,
): Promise<{ readonly ok: true; readonly conflicts: readonly string[] } | Refusal> {
  const repository = await openRepository(tree);
  if (!repository.ok) return repository;
  const { ask, gitDir, operation, branch } = repository;
  const message = `Merge ${onto} into ${branch ?? 'the work'}` as const;
  // Left by a run that was killed at this very point.
  const isOurs =
    operation === 'merge' && readTextIfAny(join(gitDir, 'MERGE_MSG'))?.startsWith(message) === true;
  if (isOurs) await ask(['merge', '--abort']);
  else if (operation !== null) return refuseOperation(operation);
  const changed = await uncommitted(repository, loop);
  if (!Array.isArray(changed)) return changed;
  if (changed.length > 0)
    return refuse('uncommitted', `Not committed: ${sayNames(changed)}.`, `Commit it in ${tree}.`);
  const refused = await refuseDrivers(repository);
  if (refused !== null) return refused;
  const flags = ['--ff', '--no-autostash', '--no-rerere-autoupdate', ...NO_HOOKS, '-m', message] as const;
  const merged = await ask(['merge', ...flags, refOf(onto)]);
  if (saidBy(merged) !== null) return { ok: true, conflicts: await markedSince(repository, message) };
  const input = saidBy(await ask(['diff', '--name-only', '--diff-filter=U', '-z'])) ?? '';
  const failed = `${onto} could not be merged`;
  if (input === '') return refusePlainly('merge', failed, merged);
  const added = await ask(['add', '-A', '--pathspec-from-file=-', '--pathspec-file-nul'], { input });
  const refusedToAdd = obeyed(added, 'merge', failed);
  if (refusedToAdd !== null) return refusedToAdd;
  const committed = await ask(['commit', ...NO_HOOKS, '-m', `${message}${WITH_CONFLICTS}`]);
  return obeyed(committed, 'merge', failed) ?? { ok: true, conflicts: fieldsOf(input).map(readable) };
}

async function isIn({ ask }: Repository, a: string, b: string): Promise<boolean> {
  return saidBy(await ask(['merge-base', '--is-ancestor', ...operands(a, b)])) !== null;
}

const WITH_CONFLICTS = ', with conflicts';
/** More merges than that without any work in between do not happen. */
const MAX_MERGES_READ = 20;

/** Files in conflict on which nobody has worked since our merge: a run was killed right after it. */
async function markedSince({ ask }: Repository, message: string): Promise<string[]> {
  const last =
    saidBy(await ask(['log', '--first-parent', '--format=%s', `-${MAX_MERGES_READ}`]))?.split('\n') ?? [];
  const merges = last.slice(
    0,
    last.findIndex((subject) => !readable(subject).startsWith(message)),
  );
  if (!merges.some((subject) => subject.endsWith(WITH_CONFLICTS))) return [];
  const since = `HEAD~${merges.length}` as const;
  const marked = await ask(['diff', '--name-only', '-z', '-G^(<{7}|>{7})( |$)', since, 'HEAD']);
  return fieldsOf(saidBy(marked) ?? '').map(readable);
}

/**
 * Whether the work of a loop is in `onto`, and none of it is left in its tree. Without the tree, the branch
 * alone tells.
 */
export async function isLanded(project: string, work: LoopWork, onto: string): Promise<boolean> {
  const there = await openRepository(work.tree);
  const repository = there.ok ? there : await openRepository(project);
  if (!repository.ok) return false;
  const isMerged = await isIn(repository, refOf(work.branch), refOf(onto));
  if (!isMerged || !there.ok) return isMerged;
  const left = await uncommitted(there, work.loop);
  return Array.isArray(left) && left.length === 0;
}

/** Whether a commit of one of these loops is in a branch. */
export async function hasCommitOf(
  project: string,
  loops: readonly string[],
  branch: string,
): Promise<boolean> {
  const repository = await openRepository(project);
  if (!repository.ok || loops.length === 0) return false;
  const named = loops.map((loop) => `--grep=${LOOP_TRAILER}${loop}` as const);
  const found = await repository.ask([
    'log',
    '-1',
    '--format=%H',
    '--fixed-strings',
    ...named,
    refOf(branch),
  ]);
  return (saidBy(found) ?? '').trim() !== '';
}

export async function hasCommit(project: string, commit: string, branch: string): Promise<boolean> {
  const repository = await openRepository(project);
  return repository.ok && isIn(repository, commit, refOf(branch));
}

/**
 * Files of the loop that are in no commit. New ones count while the branch has no commit of the loop: checks
 * write files, too.
 */
async function uncommitted(repository: Repository, loop: string): Promise<string[] | Refusal> {
  const last = saidBy(await repository.ask(['log', '--first-parent', '-3', '--format=%B']));
  const hasCommitted = last?.includes(`${LOOP_TRAILER}${loop}\n`) === true;
  return dirtyFiles(repository, ...(hasCommitted ? ([NO_NEW] as const) : []));
}

/**
 * Moves `onto` to the content of this tree's branch, in one merge commit. Its second parent is the work as it
 * was before `onto` was merged into it. Refuses with the code `moved` if `onto` is not in the branch:
 * somebody has committed to it.
 */
export async function land(tree: string, onto: string, message: string): Promise<Refusal | null> {
  const repository = await openRepository(tree);
  if (!repository.ok) return repository;
  const { ask, branch, head } = repository;
  const before = await resolveTip(repository, onto);
  if (before === null || branch === null || head === null)
    return refuse(
      'no-branch',
      `The branch ${branch === null ? 'of its work tree' : onto} is gone.`,
      'See `git branch`.',
    );
  if (!(await isIn(repository, before, head)))
    return refuse(MOVED, `Someone committed to ${onto} in the meantime.`, 'Try again.');
  const trees = saidBy(await ask(['rev-parse', ...operands(`${before}^{tree}`, `${head}^{tree}`)])) ?? '';
  const [theirs, ours = null] = trees.trim().split('\n');
  if (theirs === ours) return moveTo(repository, branch, before, head);
  const merges = await ask(['rev-list', '--first-parent', '--merges', operand(`${before}..${head}`)]);
  const first = saidBy(merges)?.trim().split('\n').at(-1) ?? '';
  const work = first === '' ? head : `${first}^1`;
  const parents = ['-p', operand(before), '-p', operand(work)] as const;
  const commit = ['commit-tree', '--no-gpg-sign', operand(`${head}^{tree}`), ...parents, '-F', '-'] as const;
  const written = await ask(commit, { input: bytesOf(message) });
  const made = heard(written, 'merge', 'The merge could not be written');
  if (typeof made !== 'string') return made;
  const sha = made.trim();
  const refused = await advance(repository, onto, before, sha);
  return refused ?? (await moveTo(repository, branch, sha, head));
}

/** The branch of the tree itself: the content is the same, so no file changes. */
async function moveTo({ ask }: Repository, branch: string, to: string, from: string) {
  const moved = await ask(['update-ref', '-m', 'merge: taken over', refOf(branch), ...operands(to, from)]);
  return obeyed(moved, 'branch', `${branch} could not be moved`);
}

/**
 * If a work tree has the branch checked out, its files move along, unless a person's changes are in the way.
 */
async function advance(repository: Repository, onto: string, from: string, to: string) {
  const listed = saidBy(await repository.ask(['worktree', 'list', '--porcelain']));
  const entry = listed?.split('\n\n').find((lines) => lines.includes(`\nbranch ${bytesOf(refOf(onto))}`));
  const path = /^worktree (.+)/.exec(entry ?? '')?.[1];
  if (path === undefined) {
    const moved = await repository.ask([
      'update-ref',
      '-m',
      'merge: by Da Capo',
      refOf(onto),
      ...operands(to, from),
    ]);
    return saidBy(moved) === null ? refuse(MOVED, `${onto} has moved meanwhile.`, 'Try again.') : null;
  }
  const there = await openRepository(readable(path));
  if (!there.ok) return there;
  if (there.head !== from) return refuse(MOVED, `${onto} has moved meanwhile.`, 'Try again.');
  const filtered = await changesFiltered(there, onto, to);
  if (filtered !== null) return filtered;
  const merged = await there.ask([
    'merge',
    '--ff-only',
    '--no-autostash',
    '--no-overwrite-ignore',
    '-q',
    operand(to),
  ]);
  return obeyed(merged, 'in-the-way', `${onto} could not take it over`);
}
