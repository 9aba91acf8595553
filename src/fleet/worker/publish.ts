/**
 * Pushes the points and the branch of a loop to its repository. A push replaces only what was read before.
 * The record says whether the loop may push at all.
 */
import type { Refusal } from '#base/refusal.ts';
import { saidBy } from '#evidence/git/git.ts';
import { publishPoint } from '#evidence/git/points/travel.ts';
import { readPoint } from '#evidence/git/points/points.ts';
import { PUSH, withRelay } from '#evidence/git/relay.ts';
import { operand, operands } from '#evidence/git/words.ts';
import { openRepository } from '#evidence/git/repository.ts';
import type { LeasedRow } from '../lease.ts';
import type { BranchPush } from '../pushed.ts';
import type { GitResult } from './leased-loop/state.ts';
import { refuseGit } from './clone.ts';

interface PublishOrder {
  readonly loop: LeasedRow;
  readonly tree: string;
  /** The loop's own store of objects. */
  readonly store: string;
  /** Aborted: the loop is no longer ours. */
  readonly signal: AbortSignal;
}

type PublishedOr<Is extends GitResult['is']> = Promise<Extract<GitResult, { is: Is }> | Refusal>;

export async function pushPoint(
  { loop, tree, store, signal }: PublishOrder,
  point: string,
): PublishedOr<'point-pushed'> {
  const { id, epoch, repo, points } = loop;
  const recorded = readPoint(store, point);
  const point_ref = `refs/dacapo/${id}/${epoch}/${point}`;
  const journey = { project: tree, store, remote: points ?? repo, ref: point_ref, signal };
  const published = await publishPoint(journey, point);
  if (!published.ok) return published;
  return { is: 'point-pushed', point: published.commit, point_ref, head: recorded?.head ?? null };
}

/** The commit that the branch has there; null: there is no such branch. */
export async function readBranch({ loop, tree, signal }: PublishOrder): PublishedOr<'branch-read'> {
  const repository = await openRepository(tree);
  if (!repository.ok) return repository;
  const ref = `refs/heads/${loop.branch}` as const;
  const listed = await withRelay({ repository, signal }, (ask) =>
    ask(['ls-remote', operand(loop.repo), ref]),
  );
  const lines = saidBy(listed)?.split('\n');
  if (lines === undefined) return refuseGit(`${ref} could not be read`, listed);
  // Git lists every ref that ends so.
  const from = lines.find((line) => line.endsWith(`\t${ref}`))?.split('\t', 1)[0] ?? null;
  return { is: 'branch-read', from };
}

/** Never over what somebody else has pushed. */
export async function pushBranch(
  { loop, tree, signal }: PublishOrder,
  { from, to }: BranchPush,
): PublishedOr<'branch-pushed'> {
  const repository = await openRepository(tree);
  if (!repository.ok) return repository;
  const ref = `refs/heads/${loop.branch}` as const;
  const lease = `--force-with-lease=${ref}:${from ?? ''}` as const;
  const words = [...PUSH, lease, ...operands(loop.repo, `${to}:${ref}`)] as const;
  const pushed = await withRelay({ repository, signal }, (ask) => ask(words));
  return saidBy(pushed) === null
    ? refuseGit(`Branch ${loop.branch} could not be pushed`, pushed)
    : { is: 'branch-pushed', head: to };
}

/** Removes the points of a loop that is over, but for the last one. Where that fails, they only take room. */
export async function prunePoints(
  { id, repo, points }: LeasedRow,
  keep: string,
  tree: string,
): Promise<void> {
  const remote = points ?? repo;
  const repository = await openRepository(tree);
  if (!repository.ok) return;
  await withRelay({ repository }, async (ask) => {
    const listed = saidBy(await ask(['ls-remote', operand(remote), `refs/dacapo/${id}/*`])) ?? '';
    const refs = listed.split('\n').flatMap((line) => line.split('\t')[1] ?? []);
    const old = refs.filter((ref) => ref !== keep);
    if (old.length > 0) await ask([...PUSH, operand(remote), ...old.map((ref) => `:${ref}` as const)]);
  });
}
