/**
 * The branch that a loop works on. A new branch starts at HEAD, so no file changes and dirty files are not an
 * obstacle.
 */
import { isRefusal, refuse, type Refusal } from '#base/refusal.ts';
import { readable, saidBy } from '../git.ts';
import { operand, operands } from '../words.ts';
import { filteredBy } from '../filters.ts';
import { differences } from '../lists.ts';
import { obeyed, openRepository, refuseOperation, type Repository } from '../repository.ts';

/** Puts the project on a branch, which is made if it does not exist. */
export async function goToBranch(project: string, name: string): Promise<Refusal | null> {
  const repository = await openRepository(project);
  if (!repository.ok) return repository;
  const { ask, head, branch, operation } = repository;
  if (!(await isBranchName(repository, name))) return refuseBranchName(name);
  if (operation !== null) return refuseOperation(operation);
  if (branch === name) return null;
  if ((await resolveTip(repository, name)) !== null) return switchTo(repository, name);
  const claimed = head === null ? null : await claimBranch(repository, name, head);
  if (claimed !== null) return claimed;
  const moved = await ask(['symbolic-ref', '-m', `checkout: moving to ${name}`, 'HEAD', refOf(name)]);
  return obeyed(moved, 'branch', `HEAD could not be moved to ${name}`);
}

/** Creates the branch at this commit, unless it exists. */
export async function claimBranch({ ask }: Repository, name: string, at: string): Promise<Refusal | null> {
  const nothing = '0'.repeat(at.length);
  const made = await ask([
    'update-ref',
    '-m',
    'branch: Created by Da Capo',
    refOf(name),
    ...operands(at, nothing),
  ]);
  // Git can't have both a branch `a` and a branch `a/b`.
  return obeyed(made, 'branch', `The branch ${name} could not be made`);
}

/** Deletes the branch again, unless it has moved since. */
export async function unclaimBranch({ ask }: Repository, name: string, at: string): Promise<void> {
  await ask(['update-ref', '-d', refOf(name), operand(at)]);
}

export function refOf(name: string): `refs/heads/${string}` {
  return `refs/heads/${name}`;
}

/** Git carries dirty files along, and refuses where the switch would overwrite one. */
async function switchTo(repository: Repository, name: string): Promise<Refusal | null> {
  const filtered = await changesFiltered(repository, name, refOf(name));
  if (filtered !== null) return filtered;
  const moved = await repository.ask([
    'switch',
    '--no-guess',
    '--no-overwrite-ignore',
    '--quiet',
    operand(name),
  ]);
  const complaint = moved.is === 'said' ? moved.complaint : '';
  if (/would be overwritten|would lose/.test(complaint)) {
    // The indented lines of git's error message are file names.
    const names = [...complaint.matchAll(/^\t(.+)$/gm)].map(([, file]) => file).join(', ');
    const why = `Files with changes of yours differ on ${name}: ${names}.`;
    return refuse('dirty', why, 'Commit or stash them first.');
  }
  if (/already (checked out|used)/.test(complaint))
    return refuse('elsewhere', `${name} is checked out in another worktree.`, 'See `git worktree list`.');
  return obeyed(moved, 'branch', `${name} could not be switched to`);
}

export async function isBranchName({ ask }: Repository, name: string): Promise<boolean> {
  if (name.startsWith('-') || name.includes('\0') || name === 'HEAD') return false;
  return saidBy(await ask(['check-ref-format', refOf(name)])) !== null;
}

export function refuseBranchName(name: string): Refusal {
  const why = `${JSON.stringify(name)} can't be the name of a branch.`;
  return refuse('branch-name', why, 'See `git help check-ref-format`.');
}

export function refuseNoBranch(name: string): Refusal {
  return refuse('no-branch', `There is no branch ${name}.`, 'See `git branch`.');
}

export async function resolveTip({ ask }: Repository, name: string): Promise<string | null> {
  return saidBy(await ask(['rev-parse', '--verify', '-q', refOf(name)]))?.trim() ?? null;
}

/** Made by `dacapo run --worktree`. They hold the work of a person, so Da Capo never removes them. */
export async function branchesOfRuns(project: string): Promise<string[]> {
  const repository = await openRepository(project);
  if (!repository.ok) return [];
  const listed = await repository.ask(['for-each-ref', '--format=%(refname:short)', 'refs/heads/dacapo/']);
  return (saidBy(listed) ?? '')
    .split('\n')
    .filter((name) => name.startsWith('dacapo/run_'))
    .map(readable);
}

/**
 * We do not run these files' filter. Without it git would check them out as it stores them: encrypted, for
 * example.
 */
export async function changesFiltered(repository: Repository, name: string, commit: string) {
  const { ownFilters, head, nothing, root } = repository;
  if (ownFilters.length === 0) return null;
  const between = await differences(repository, head ?? nothing, commit);
  if (isRefusal(between)) return between;
  const paths = between.map(({ path }) => path);
  const filtered = await filteredBy(ownFilters, paths, { at: root });
  if (filtered !== null && filtered.length === 0) return null;
  return refuse(
    'filtered',
    `Files that differ on ${name} pass through a program that this repository configures, which Da ` +
      'Capo does not run.',
    `Switch yourself: git switch ${name}`,
  );
}
