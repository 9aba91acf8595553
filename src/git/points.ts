/**
 * Recorded points: what a work tree was at one moment, kept as a commit that no branch knows, under
 * `refs/dacapo/<loop>/<name>`, so that git never collects it. Its parents are HEAD and what was staged, as in a stash.
 * A point named by a number is the end of that iteration, counted over the whole loop; `before-3` is the beginning of
 * the third, where someone changed the files after the second.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { refuse, type Refusal } from '../core/refusal.ts';
import { readable, saidBy } from './git.ts';
import { openRepository, refusePlainly, type Repository } from './repository.ts';
import { copyIndex, withSnapshot, writeTree, type Snapshot } from './snapshot.ts';

export interface Point {
  readonly ok: true;
  readonly ref: string;
  readonly sha: string;
  /** Not recorded as they are: a return to this point leaves them alone. */
  readonly leftAlone: readonly string[];
}

/** A loop's id, and what a point may be called: both become parts of a ref. */
const NAME = /^[A-Za-z0-9_-]{1,128}$/;

const BEGINNING = 'before-';

/** Points are ours and no one's work: nobody need have told git a name for them. */
const OURS = {
  GIT_AUTHOR_NAME: 'Da Capo',
  GIT_AUTHOR_EMAIL: 'dacapo@localhost',
  GIT_COMMITTER_NAME: 'Da Capo',
  GIT_COMMITTER_EMAIL: 'dacapo@localhost',
};

export interface PointOrder {
  readonly project: string;
  readonly loop: string;
  readonly name: string;
  /** Da Capo's own files, as seen from the project. */
  readonly ignored?: readonly string[];
}

/** An older point of the same name gives way. */
export async function recordPoint({
  project,
  loop,
  name,
  ignored = [],
}: PointOrder): Promise<Point | Refusal> {
  const repository = await openRepository(project);
  if (!repository.ok) return repository;
  return withSnapshot(repository, ignored, (snapshot) => keepPoint(repository, snapshot, loop, name, false));
}

/**
 * What there is when a pass begins. It takes the place of the point after the last iteration only where the files are the
 * same: what that iteration left must not be lost because a person, a rollback or a broken pass changed them since.
 */
export async function recordBeginning({
  project,
  loop,
  done,
  ignored = [],
}: Omit<PointOrder, 'name'> & { readonly done: number }): Promise<Point | Refusal> {
  const repository = await openRepository(project);
  if (!repository.ok) return repository;
  return withSnapshot(repository, ignored, async (snapshot) => {
    const keep = (name: string) => keepPoint(repository, snapshot, loop, name, false);
    const ref = refOf(loop, String(done));
    const last = ref === null ? null : await readPoint(repository, ref);
    if (ref === null || !last?.ok) return keep(String(done));
    if (last.tree !== snapshot.tree) return keep(`${BEGINNING}${done + 1}`);
    // In most passes nobody has done anything since: the point of then is the point of now.
    const isSame = last.head === repository.head && last.staged === (await stagedTree(repository));
    return isSame
      ? { ok: true, ref, sha: last.sha, leftAlone: snapshot.leftAlone.map(readable) }
      : keep(String(done));
  });
}

/** `anew`: refuses where a point of that name is there. */
export async function keepPoint(
  repository: Repository,
  { tree, leftAlone }: Snapshot,
  loop: string,
  name: string,
  anew: boolean,
): Promise<Point | Refusal> {
  const ref = refOf(loop, name);
  if (ref === null)
    return refuse('name', `${loop}/${name} can't be the name of a point.`, 'Letters, digits, - and _.');
  const staged = await stagedTree(repository);
  const parents = repository.head === null ? [] : [repository.head];
  const index = staged === null ? null : await commitTree(repository, staged, parents, 'What was staged');
  if (index !== null && typeof index !== 'string') return index;
  const words = `Point ${name} of ${loop}\n\nhead ${repository.head ?? 'none'}\nstaged ${staged ?? 'none'}\n`;
  const sha = await commitTree(repository, tree, index === null ? parents : [...parents, index], words);
  if (typeof sha !== 'string') return sha;
  const kept = await repository.ask(['update-ref', ref, sha, ...(anew ? ['0'.repeat(sha.length)] : [])]);
  if (saidBy(kept) === null) return refusePlainly('ref', `${ref} could not be written`, kept);
  return { ok: true, ref, sha, leftAlone: leftAlone.map(readable) };
}

/** Null: the index is in conflict, and is no tree. */
async function stagedTree(repository: Repository): Promise<string | null> {
  const folder = mkdtempSync(join(tmpdir(), 'dacapo-index-'));
  try {
    const tree = await writeTree(repository, copyIndex(repository, join(folder, 'index')));
    return typeof tree === 'string' ? tree : null;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function commitTree(
  { ask }: Repository,
  tree: string,
  parents: readonly string[],
  words: string,
): Promise<string | Refusal> {
  const onto = parents.flatMap((parent) => ['-p', parent]);
  const answer = await ask(['commit-tree', '--no-gpg-sign', tree, ...onto, '-F', '-'], {
    env: OURS,
    input: words,
  });
  return saidBy(answer)?.trim() ?? refusePlainly('commit', 'The point could not be written', answer);
}

export interface PointContent {
  readonly ok: true;
  readonly sha: string;
  readonly tree: string;
  /** What was checked out, and staged, then. */
  readonly head: string | null;
  readonly staged: string | null;
}

export async function readPoint(repository: Repository, point: string): Promise<PointContent | Refusal> {
  // In one call: its name, then what it holds.
  const out = saidBy(await repository.ask(['cat-file', '--batch'], { input: `${point}^{commit}\n` }));
  const of = (key: string) => new RegExp(`^${key} ([0-9a-f]{40,64})$`, 'm').exec(out ?? '')?.[1] ?? null;
  const [sha, tree] = [/^[0-9a-f]{40,64}(?= commit )/.exec(out ?? '')?.[0], of('tree')];
  if (out === null || sha === undefined || tree === null || !/^head (?:none|[0-9a-f]+)$/m.test(out))
    return refuse('no-point', `${point} is no recorded point.`, 'The points of a loop can be listed.');
  return { ok: true, sha, tree, head: of('head'), staged: of('staged') };
}

export interface ListedPoint {
  readonly name: string;
  readonly ref: string;
  readonly sha: string;
  readonly at: string;
}

/** In the order of their iterations; what has a name and no number comes last. */
export async function listPoints(project: string, loop: string): Promise<readonly ListedPoint[] | Refusal> {
  const repository = await openRepository(project);
  return repository.ok ? pointsOf(repository, loop) : repository;
}

export async function pointsOf({ ask }: Repository, loop: string): Promise<readonly ListedPoint[] | Refusal> {
  const folder = `${refOf(loop, '')}`;
  const format = '--format=%(refname) %(objectname) %(committerdate:iso-strict)';
  const answer = await ask(['for-each-ref', format, folder]);
  const out = saidBy(answer);
  if (out === null) return refusePlainly('refs', 'The points could not be listed', answer);
  return out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split(' '))
    .map(([ref = '', sha = '', at = '']) => ({ name: ref.slice(folder.length), ref, sha, at }))
    .toSorted((a, b) => rank(a.name) - rank(b.name) || (a.name < b.name ? -1 : 1));
}

function rank(name: string): number {
  if (/^\d+$/.test(name)) return Number(name);
  const begins = iterationAfter(name);
  return begins === null ? Number.MAX_SAFE_INTEGER : begins - 0.5;
}

/** The iteration at whose beginning a point of this name was recorded; null: it is another kind. */
export function iterationAfter(name: string): number | null {
  const number = /^before-(?<n>\d+)$/.exec(name)?.groups?.['n'];
  return number === undefined ? null : Number(number);
}

/** All of a loop, or those of these names. Returns what it deleted; git collects the contents in its own time. */
export async function deletePoints(
  project: string,
  loop: string,
  names: readonly string[] | 'all' = 'all',
): Promise<readonly ListedPoint[] | Refusal> {
  const repository = await openRepository(project);
  if (!repository.ok) return repository;
  const points = await pointsOf(repository, loop);
  if (!isList(points)) return points;
  const chosen = points.filter(({ name }) => names === 'all' || names.includes(name));
  const input = chosen.map(({ ref, sha }) => `delete ${ref}\0${sha}\0`).join('');
  const answer = await repository.ask(['update-ref', '-z', '--stdin'], { input });
  return saidBy(answer) === null ? refusePlainly('refs', 'The points could not be deleted', answer) : chosen;
}

export function isList<T>(value: readonly T[] | Refusal): value is readonly T[] {
  return Array.isArray(value);
}

/** Null: such a name would lead elsewhere. An empty name: the folder of all of them. */
export function refOf(loop: string, name: string): string | null {
  return NAME.test(loop) && (name === '' || NAME.test(name)) ? `refs/dacapo/${loop}/${name}` : null;
}
