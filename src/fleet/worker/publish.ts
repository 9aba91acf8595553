/**
 * Publishes the work of a loop: its point, and its branch. The branch is looked at first, the record is asked after that,
 * and the push replaces only what was seen. So a worker that is cut off, or whose loop has been cancelled, pushes nothing.
 */
import { refuse, type Granted, type Refusal } from '../../core/refusal.ts';
import { saidBy } from '../../git/git.ts';
import { publishPoint } from '../../git/points/travel.ts';
import { readPoint } from '../../git/points/points.ts';
import { PUSH, withRelay, type AskRemote } from '../../git/relay.ts';
import { openRepository } from '../../git/repository.ts';
import type { TakenLoop } from '../lease.ts';
import type { BranchPush, PushPermit } from '../pushed.ts';
import type { Published } from '../ship.ts';
import { refuseGit } from './tree.ts';

export interface PublishOrder {
  readonly loop: TakenLoop;
  readonly tree: string;
  /** The loop's own store of objects. */
  readonly store: string;
  /** The name of the point. */
  readonly point: string;
  /** Asks the record. */
  readonly mayPush: (push: BranchPush) => Promise<PushPermit>;
  /** Aborted: the loop is no longer ours. */
  readonly signal: AbortSignal;
}

export async function publish(order: PublishOrder): Promise<Granted<Published>> {
  const { loop, tree, store, point, signal } = order;
  const { id, epoch, repo, points } = loop;
  const recorded = readPoint(store, point);
  const point_ref = `refs/dacapo/${id}/${epoch}/${point}`;
  const journey = { project: tree, store, remote: points ?? repo, ref: point_ref, signal };
  const published = await publishPoint(journey, point);
  if (!published.ok) return published;
  const pushed = recorded === null ? null : await pushBranch(order, recorded.head);
  if (pushed !== null && !pushed.ok) return pushed;
  return { ok: true, point: published.commit, point_ref, head: pushed?.head ?? null };
}

/** Never over what somebody else has pushed. Null: there is nothing to push. */
async function pushBranch(
  { loop, tree, mayPush, signal }: PublishOrder,
  to: string | null,
): Promise<Granted<{ head: string }> | null> {
  const { repo, branch, head: before, base } = loop;
  if (branch === null || to === null || to === (before ?? base)) return null;
  const repository = await openRepository(tree);
  if (!repository.ok) return repository;
  return withRelay({ repository, signal }, async (ask) => {
    const ref = `refs/heads/${branch}`;
    const from = await lookAt(ask, repo, ref);
    if (typeof from === 'object' && from !== null) return from;
    const may = await mayPush({ from, to });
    if (may === 'lost')
      return refuse('lost', 'Its lease was over before its work was published.', 'Its next worker goes on.');
    if (may === 'foreign')
      return refuse(
        'foreign',
        `Somebody else has pushed to ${branch} of ${repo}.`,
        'Move those commits to another branch; the loop tries again.',
      );
    const lease = `--force-with-lease=${ref}:${from ?? ''}`;
    const pushed = await ask([
      'push',
      '--quiet',
      '--no-verify',
      lease,
      '--end-of-options',
      repo,
      `${to}:${ref}`,
    ]);
    return saidBy(pushed) === null
      ? refuseGit(`Branch ${branch} could not be pushed`, pushed)
      : { ok: true, head: to };
  });
}

/** The commit that the ref has there; null: there is no such ref. */
async function lookAt(ask: AskRemote, repo: string, ref: string): Promise<string | null | Refusal> {
  const listed = await ask(['ls-remote', '--end-of-options', repo, ref]);
  const lines = saidBy(listed)?.split('\n');
  if (lines === undefined) return refuseGit(`${ref} could not be looked at`, listed);
  // Git lists every ref that ends so.
  return lines.find((line) => line.endsWith(`\t${ref}`))?.split('\t', 1)[0] ?? null;
}

/** Removes the points of a loop that is over, but for the last one. Where that fails, they only take room. */
export async function prunePoints(
  { id, repo, points }: TakenLoop,
  keep: string,
  tree: string,
): Promise<void> {
  const remote = points ?? repo;
  const repository = await openRepository(tree);
  if (!repository.ok) return;
  await withRelay({ repository }, async (ask) => {
    const listed = saidBy(await ask(['ls-remote', '--end-of-options', remote, `refs/dacapo/${id}/*`])) ?? '';
    const refs = listed.split('\n').flatMap((line) => line.split('\t')[1] ?? []);
    const old = refs.filter((ref) => ref !== keep);
    if (old.length > 0) await ask([...PUSH, remote, ...old.map((ref) => `:${ref}`)]);
  });
}
