/**
 * The work tree of a loop on this worker. It is a clone that borrows objects from a mirror of the repository,
 * so a second loop of the same repository costs little. Each time the loop is taken, the tree becomes that of
 * its last counted iteration: nothing of a pass that was not counted stays. What git ignores stays, and never
 * travels.
 */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { hasEnded, type StatusWord } from '#law/loop.ts';
import { contentOf } from '#law/record/mark.ts';
import { refuse, type Refusal } from '#base/refusal.ts';
import { git, saidBy, type GitAnswer } from '#evidence/git/git.ts';
import { operand, operands } from '#evidence/git/words.ts';
import { takeTreeMark } from '#evidence/git/marks/mark.ts';
import { fetchPoint } from '#evidence/git/points/travel.ts';
import { FETCH, NETWORK_MS, withRelay } from '#evidence/git/relay.ts';
import { openRepository, type Repository } from '#evidence/git/repository.ts';
import { namesIfThere, type Home } from '#store/file/home.ts';
import { clearCopy } from '#store/file/loops.ts';
import { ownFiles } from '#evidence/views/names.ts';
import type { Sql } from '../database/database.ts';
import type { LeasedRow } from '../lease.ts';
import { cloneTo, openGitMirror, refuseGit, type NetworkEnv } from './clone.ts';
import { dropLoopHome } from './loop-home.ts';

export interface TreePlace {
  /** The folder of all mirrors. */
  readonly mirrors: string;
  /** The tree of this loop. */
  readonly tree: string;
}

export interface TreeOrder extends TreePlace {
  readonly network: NetworkEnv;
}

/** A tree whose set-up did not end is made again. */
function readyFile(tree: string): string {
  return `${tree}.ready`;
}

export function markReady(tree: string): void {
  writeFileSync(readyFile(tree), '');
}

export function dropTree(tree: string): void {
  for (const path of [readyFile(tree), tree]) rmSync(path, { recursive: true, force: true });
}

/**
 * Removes what loops have left here that ended elsewhere, or while nobody drove them. A tree that is not as
 * the record knows it stays: a pass that was cut short has worked in it since, or a person. In that of a loop
 * that never began, nothing but its set-up has.
 */
export async function dropEnded(
  sql: Sql,
  { trees, homes, home }: { readonly trees: string; readonly homes: string; readonly home: Home },
  isHeld: (id: string) => boolean,
) {
  const names = [...namesIfThere(trees), ...namesIfThere(homes)].map((name) =>
    name.replace(/\.(?:ready|lent)$/, ''),
  );
  const ids = [...new Set(names)].filter((name) => !isHeld(name));
  const loops = await sql.query<{ id: string; status: StatusWord; known: (string | null)[] }>(
    `select id, status, array(
       select coalesce(body->>'tree', body->'definition'->>'tree') from dacapo.event
       where loop = l.id and type in ('created', 'verdict')) as known
     from dacapo.loop l where id = any($1) and ready_at is null`,
    [ids],
  );
  for (const { id, status: is, known } of loops) {
    if (!hasEnded({ status: { is } })) continue;
    // Nobody works in its home.
    await dropLoopHome(join(homes, id));
    const tree = join(trees, id);
    const hasBegun = known.some((content) => content !== null);
    const own = ownFiles({ files: { views: [] } });
    const mark = hasBegun ? await takeTreeMark(tree, join(home.loops, id, 'git'), own) : null;
    if (hasBegun && (mark === null || !known.includes(contentOf(mark)))) continue;
    dropTree(tree);
    clearCopy(home, id);
  }
}

/**
 * Clones the repository where this worker has no tree yet, and checks out `base`, the commit that the loop
 * began with. `isNew`: it has to be set up.
 */
export async function makeTree(loop: LeasedRow, order: TreeOrder) {
  const { tree } = order;
  const isNew = !existsSync(readyFile(tree));
  const refusal = isNew ? await clone(loop, order) : null;
  if (refusal !== null) return refusal;
  const base = await resolveCommit(tree, loop);
  if (base === null)
    return refuse(
      'no-ref',
      `${loop.repo} has no branch, tag or commit "${loop.ref}".`,
      'Submit it again with another --ref.',
    );
  if (!isNew && loop.point !== null) return { ok: true as const, isNew, base };
  const { branch, events } = loop;
  const hasBranch = branch !== null && events > 0;
  const checkOut: InTree = (ask) =>
    ask([...CHECK_OUT, ...onBranch(hasBranch ? branch : null), operand(base)]);
  const failed = await inTree(tree, checkOut, CLEAN);
  if (failed !== null) return failed;
  // The beginning of the loop makes its branch. An earlier try may have left one, with commits that do not
  // count.
  if (branch !== null && !hasBranch) await git(['branch', '--quiet', '-D', operand(branch)], { at: tree });
  return { ok: true as const, isNew, base };
}

async function clone({ repo }: LeasedRow, order: TreeOrder): Promise<Refusal | null> {
  const { mirrors, tree, network } = order;
  const opened = await openGitMirror(repo, mirrors, network);
  if (!opened.ok) return opened;
  mkdirSync(dirname(tree), { recursive: true, mode: 0o700 });
  dropTree(tree);
  const made = await cloneTo(tree, repo, network, '-n', '--reference', operand(opened.mirror));
  return saidBy(made) === null ? refuseGit('The repository could not be cloned', made) : null;
}

async function resolveCommit(tree: string, { base, ref }: LeasedRow): Promise<string | null> {
  for (const name of base === null ? [`refs/remotes/origin/${ref}`, ref] : [base]) {
    const said = saidBy(
      await git(['rev-parse', '--verify', '--quiet', operand(`${name}^{commit}`)], { at: tree }),
    );
    if (said !== null) return said.trim();
  }
  return null;
}

/**
 * Brings the last point of the loop into the tree, with its branch and what was staged. `store`: the loop's
 * own.
 */
export async function returnToPoint(
  loop: LeasedRow,
  { tree, network: as }: TreeOrder,
  store: string,
): Promise<Refusal | null> {
  const { repo, points, point, point_ref, branch } = loop;
  if (point === null || point_ref === null) return null;
  const remote = points ?? repo;
  const fetched = await fetchPoint({ project: tree, store, remote, ref: point_ref, as }, point);
  if (!fetched.ok) return fetched;
  const repository = await openRepository(tree);
  if (!repository.ok) return repository;
  // Once more for the repository itself: an agent's own git does not see the store of the loop.
  const into = repository.objects;
  const brought = await withRelay({ repository, into, as }, (ask) =>
    ask([...FETCH, ...operands(remote, point_ref)]),
  );
  if (saidBy(brought) === null) return refuseGit('The point could not be fetched', brought);
  const { tree: files, head, staged } = fetched;
  const checkOut: InTree[] =
    head === null ? [] : [(ask) => ask([...CHECK_OUT, ...onBranch(branch), operand(head)])];
  return inTree(
    tree,
    ...checkOut,
    CLEAN,
    (ask) => ask(['read-tree', '-u', '--reset', operand(files)]),
    (ask) => ask(['read-tree', operand(staged ?? head ?? files)]),
    // Its exit code tells that files differ, which they may.
    async (ask) => (await ask(['update-index', '-q', '--refresh'])) && null,
  );
}

/** One call in a tree. Null: whatever it said is right. */
type InTree = (ask: Repository['ask']) => Promise<GitAnswer | null>;

const CHECK_OUT = ['checkout', '--quiet', '--force'] as const;
const CLEAN: InTree = (ask) => ask(['clean', '-ffdq']);

function onBranch(branch: string | null) {
  return branch === null ? (['--detach'] as const) : (['-B', operand(branch)] as const);
}

/**
 * One after the other. Null: all of them went well. Filters that an agent has put into the settings of its
 * tree are off.
 */
async function inTree(tree: string, ...calls: readonly InTree[]): Promise<Refusal | null> {
  const repository = await openRepository(tree, { ms: NETWORK_MS });
  if (!repository.ok) return repository;
  for (const call of calls) {
    const answer = await call(repository.ask);
    if (answer !== null && saidBy(answer) === null)
      return refuseGit('The work tree could not be made', answer);
  }
  return null;
}
