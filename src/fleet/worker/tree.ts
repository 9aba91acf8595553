/**
 * The work tree of a loop on this worker. It is a clone that borrows objects from a mirror of the repository, so a second
 * loop of the same repository costs little. Each time the loop is taken, the tree becomes that of its last counted
 * iteration: nothing of a pass that was not counted stays. What git ignores stays, and never travels.
 */
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { hasEnded, type StatusWord } from '../../core/loop.ts';
import { contentOf } from '../../core/record/mark.ts';
import { refuse, type Granted, type Refusal } from '../../core/refusal.ts';
import { oneLine } from '../../core/words/sanitize.ts';
import { sha256 } from '../../files/sha256.ts';
import { git, saidBy, type GitAnswer } from '../../git/git.ts';
import { treeMark } from '../../git/marks/mark.ts';
import { fetchPoint, NETWORK, publishPoint } from '../../git/points/travel.ts';
import { readPoint, type Point } from '../../git/points/points.ts';
import { namesIn, type Home } from '../../store/file/home.ts';
import { clearCopy } from '../../store/file/loops.ts';
import { isAlive } from '../../store/runtime.ts';
import { ownFiles } from '../../views/names.ts';
import type { Sql } from '../database.ts';
import type { TakenLoop } from '../lease.ts';
import type { Published } from '../ship.ts';

/** A first clone over a slow line takes minutes. */
const MOST_MS = 600_000;
const COMPLAINT = 300;
export const PUSH = ['push', '--quiet', '--no-verify'];

export interface TreePlace {
  /** The folder of all mirrors. */
  readonly mirrors: string;
  /** The tree of this loop. */
  readonly tree: string;
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
 * Removes what loops have left here that ended elsewhere, or while nobody drove them. A tree that is not as the record
 * knows it stays: a pass that was cut short has worked in it since, or a person.
 */
export async function dropEnded(sql: Sql, trees: string, home: Home, isHeld: (id: string) => boolean) {
  const ids = namesIn(trees).filter((name) => !name.endsWith('.ready') && !isHeld(name));
  const loops = await sql.query<{ id: string; status: StatusWord; known: (string | null)[] }>(
    `select id, status, array(
       select coalesce(body->>'tree', body->'definition'->>'tree') from dacapo.event
       where loop = l.id and type in ('created', 'verdict')) as known
     from dacapo.loop l where id = any($1) and ready_at is null`,
    [ids],
  );
  for (const { id, status: is, known } of loops) {
    if (!hasEnded({ status: { is } })) continue;
    const tree = join(trees, id);
    const mark = await treeMark(tree, join(home.loops, id, 'git'), ownFiles({ files: { views: [] } }));
    if (mark === null || !known.includes(contentOf(mark))) continue;
    dropTree(tree);
    clearCopy(home, id);
  }
}

/**
 * Clones the repository where this worker has no tree yet, and checks out `base`, the commit that the loop began with.
 * `isNew`: it has to be set up.
 */
export async function makeTree(loop: TakenLoop, { mirrors, tree }: TreePlace) {
  const isNew = !existsSync(readyFile(tree));
  const refusal = isNew ? await clone(loop, mirrors, tree) : null;
  if (refusal !== null) return refusal;
  const base = await commitOf(tree, loop);
  if (base === null)
    return refuse('no-ref', `${loop.repo} has no ${loop.ref}.`, 'Submit it again with another --ref.');
  if (!isNew && loop.point !== null) return { ok: true as const, isNew, base };
  const { branch, events } = loop;
  const hasBranch = branch !== null && events > 0;
  const on = hasBranch ? ['-B', branch] : ['--detach'];
  const failed = await inTree(tree, ['checkout', '--quiet', '--force', ...on, base], ['clean', '-ffdq']);
  if (failed !== null) return failed;
  // The beginning of the loop makes its branch. An earlier try may have left one, with commits that do not count.
  if (branch !== null && !hasBranch) await git(['branch', '--quiet', '-D', branch], { at: tree });
  return { ok: true as const, isNew, base };
}

async function clone({ repo }: TakenLoop, mirrors: string, tree: string): Promise<Refusal | null> {
  const mirror = join(mirrors, `${sha256(repo).slice(0, 16)}.git`);
  for (const folder of [mirrors, dirname(tree)]) mkdirSync(folder, { recursive: true, mode: 0o700 });
  dropTree(tree);
  if (!existsSync(mirror)) {
    // Another worker of this machine may make it at the same moment: each makes its own, and the first one stays.
    const making = `${mirror}.${process.pid}`;
    const made = await online(mirrors, ['clone', '--quiet', '--mirror', repo, making]);
    if (saidBy(made) === null) return refuseGit('The repository could not be cloned', made);
    const kept = await git(['--git-dir', making, 'config', 'gc.auto', '0'], { at: mirrors });
    if (saidBy(kept) === null) return refuseGit('The mirror could not be kept', kept);
    try {
      renameSync(making, mirror);
    } catch {
      rmSync(making, { recursive: true, force: true });
    }
  }
  const made = await online(mirrors, ['clone', '--quiet', '-n', '--reference', mirror, repo, tree]);
  return saidBy(made) === null ? refuseGit('The repository could not be cloned', made) : null;
}

/** What clones have left that were killed. */
export function dropHalfMirrors(mirrors: string): void {
  for (const name of namesIn(mirrors)) {
    const maker = /\.git\.(\d+)$/.exec(name)?.[1];
    if (maker !== undefined && !isAlive(Number(maker)))
      rmSync(join(mirrors, name), { recursive: true, force: true });
  }
}

async function commitOf(tree: string, { base, ref }: TakenLoop): Promise<string | null> {
  for (const name of base === null ? [`refs/remotes/origin/${ref}`, ref] : [base]) {
    const said = saidBy(await git(['rev-parse', '--verify', '--quiet', `${name}^{commit}`], { at: tree }));
    if (said !== null) return said.trim();
  }
  return null;
}

/** Brings the last point of the loop into the tree, with its branch and what was staged. `store`: the loop's own. */
export async function returnToPoint(loop: TakenLoop, tree: string, store: string): Promise<Refusal | null> {
  const { repo, points, point, point_ref, branch } = loop;
  if (point === null || point_ref === null) return null;
  const remote = points ?? repo;
  const fetched = await fetchPoint({ project: tree, store, remote, ref: point_ref }, point);
  if (!fetched.ok) return fetched;
  // Once more for the repository itself: an agent's own git does not see the store of the loop.
  const brought = await online(tree, ['fetch', '--quiet', '--no-tags', remote, point_ref]);
  if (saidBy(brought) === null) return refuseGit('The point could not be fetched', brought);
  const { tree: files, head, staged } = fetched;
  const on = branch === null ? ['--detach'] : ['-B', branch];
  return inTree(
    tree,
    ...(head === null ? [] : [['checkout', '--quiet', '--force', ...on, head]]),
    ['clean', '-ffdq'],
    ['read-tree', '-u', '--reset', files],
    ['read-tree', staged ?? head ?? files],
    ['update-index', '-q', '--refresh'],
  );
}

/** Publishes a point, and the branch. The caller has just looked at its lease. */
export async function publish(
  loop: TakenLoop,
  tree: string,
  store: string,
  name: string,
): Promise<Granted<Published>> {
  const { id, epoch, repo, points } = loop;
  const recorded = readPoint(store, name);
  const point_ref = `refs/dacapo/${id}/${epoch}/${name}`;
  const journey = { project: tree, store, remote: points ?? repo, ref: point_ref };
  const published = await publishPoint(journey, name);
  if (!published.ok) return published;
  const pushed = recorded === null ? null : await pushBranch(loop, tree, recorded);
  if (pushed !== null && !pushed.ok) return pushed;
  return { ok: true, point: published.commit, point_ref, head: pushed?.head ?? null };
}

/**
 * Never over what somebody else has pushed. A worker that died between its push and its shipment leaves commits of this
 * loop that do not count: those are replaced. Null: there is nothing to push.
 */
async function pushBranch(
  { id, repo, branch, head: before, base }: TakenLoop,
  tree: string,
  { head }: Point,
): Promise<Granted<{ head: string }> | null> {
  if (branch === null || head === null || head === (before ?? base)) return null;
  const ref = `refs/heads/${branch}`;
  const listed = await online(tree, ['ls-remote', repo, ref]);
  const there = saidBy(listed)?.split('\t', 1)[0]?.trim();
  if (there === undefined) return refuseGit(`Branch ${branch} could not be looked at`, listed);
  const next = 'Move those commits to another branch; the loop tries again.';
  if (!['', before, base, head].includes(there) && !(await isOf(id, there, repo, tree)))
    return refuse('foreign', `Somebody else has pushed to ${branch} of ${repo}.`, next);
  const pushed = await online(tree, [...PUSH, `--force-with-lease=${ref}:${there}`, repo, `${head}:${ref}`]);
  return saidBy(pushed) === null
    ? refuseGit(`Branch ${branch} could not be pushed`, pushed)
    : { ok: true, head };
}

async function isOf(id: string, commit: string, repo: string, tree: string): Promise<boolean> {
  await online(tree, ['fetch', '--quiet', '--no-tags', repo, commit]);
  const said = saidBy(await git(['log', '-1', '--format=%B', commit, '--'], { at: tree }));
  return said?.includes(`Da-Capo-Loop: ${id}`) ?? false;
}

/** Removes the points of a loop that is over, but for the last one. Where that fails, they only take room. */
export async function prunePoints({ id, repo, points }: TakenLoop, keep: string, tree: string) {
  const remote = points ?? repo;
  const listed = saidBy(await online(tree, ['ls-remote', remote, `refs/dacapo/${id}/*`])) ?? '';
  const refs = listed.split('\n').flatMap((line) => line.split('\t')[1] ?? []);
  const old = refs.filter((ref) => ref !== keep);
  if (old.length > 0) await online(tree, [...PUSH, remote, ...old.map((ref) => `:${ref}`)]);
}

export function online(at: string, args: readonly string[]): Promise<GitAnswer> {
  return git(args, { at, env: NETWORK, ms: MOST_MS });
}

/** One after the other. Null: all of them went well. */
async function inTree(tree: string, ...commands: readonly (readonly string[])[]): Promise<Refusal | null> {
  for (const args of commands) {
    const answer = await git(args, { at: tree, ms: MOST_MS });
    // `update-index --refresh` tells by its exit code that files differ, which they may.
    if (saidBy(answer) === null && args[0] !== 'update-index')
      return refuseGit('The work tree could not be made', answer);
  }
  return null;
}

export function refuseGit(what: string, answer: GitAnswer): Refusal {
  const why =
    answer.is === 'said' ? oneLine(answer.complaint, COMPLAINT) : `git did not answer: ${answer.why}`;
  return refuse('git', `${what} (${why}).`, 'Look at the URL, and at the credentials of git.');
}
