/**
 * Recorded points: the work tree at one moment. A point is a small file in the loop's own store that names a
 * tree. Its objects are there too, so the user's repository gets neither objects nor refs; we later read from
 * it only what HEAD held at that moment. A point named by a number is the end of that iteration, counted over
 * the whole loop.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { refuse, type Refusal } from '#base/refusal.ts';
import { readAs, instant, isId, maybe, orNull, record, text, whole, type Infer } from '#base/shape.ts';
import { readable } from '../git.ts';
import { operand } from '../words.ts';
import { ABSENT, GITLINK, rawDifference, parseDifferences } from '../lists.ts';
import { heard, obeyed, withIndex, type Repository, type StoredRepository } from '../repository.ts';
import { addWorkSpan, readWorkSpans, type TreeState } from './work-spans.ts';
import { copyIndex, snapshotFor, withTemporaryIndex, writeTree } from '../marks/snapshot.ts';
import type { LoopTree, Snapshot } from '../marks/snapshot.ts';
import { namesIn } from '#base/files/paths.ts';

export const recordedPoint = record({
  tree: text,
  head: orNull(text),
  staged: orNull(text),
  at: instant,
  /** How many spans of the loop's work were over by then. */
  stretches: whole,
  /** What the iteration worked on, and the state of the gates after it: for people. */
  work: maybe(text),
  gates: maybe(text),
});

export type Point = Infer<typeof recordedPoint> & { readonly name: string };

export interface Recorded extends Point {
  readonly ok: true;
  /** Not recorded with their content: a return to this point leaves these files alone. */
  readonly leftAlone: readonly string[];
}

export type About = Pick<Point, 'work' | 'gates'>;

export interface WorkSpanOrder extends LoopTree {
  readonly iteration: number;
  readonly from: TreeState;
  /** Null if the iteration is not over: then there is no point to return to. */
  readonly name: string | null;
  readonly about?: About;
}

/** Replaces an older point of the same name. */
export function recordPoint(order: LoopTree & Pick<Point, 'name'>): Promise<Recorded | Refusal> {
  return snapshotFor(order, (repository, snapshot) => keepPoint(repository, snapshot, order.name));
}

export function recordWorkSpan(order: WorkSpanOrder): Promise<Recorded | Refusal | null> {
  const { store, iteration, from, name, about } = order;
  return snapshotFor(order, async (repository, snapshot) => {
    const kept = await keepState(repository, snapshot, from);
    if ('ok' in kept) return kept;
    if (snapshot.tree !== from.tree) addWorkSpan(store, { iteration, from, to: snapshot.tree });
    return name === null ? null : writePoint(store, name, { ...kept, leftAlone: snapshot.leftAlone }, about);
  });
}

/**
 * Keeps the work tree when a pass begins. It replaces the point after the last iteration only if the files
 * are the same: a person, a rollback or an interrupted pass may have changed them since, and what that
 * iteration left must not be lost.
 */
export function recordBeginning(
  order: LoopTree & { readonly done: number },
): Promise<(TreeState & { readonly ok: true }) | Refusal> {
  const { store, done } = order;
  return snapshotFor(order, async (repository, snapshot) => {
    const last = readPoint(store, String(done));
    const kept = await keepState(repository, snapshot, last);
    if ('ok' in kept) return kept;
    if (last !== null && last.tree !== snapshot.tree) return { ok: true, ...kept };
    const { work, gates } = last ?? {};
    const about = { ...(work !== undefined && { work }), ...(gates !== undefined && { gates }) };
    return writePoint(store, String(done), { ...kept, leftAlone: snapshot.leftAlone }, about);
  });
}

export async function keepPoint(
  repository: StoredRepository,
  snapshot: Snapshot,
  name: string,
): Promise<Recorded | Refusal> {
  const kept = await keepState(repository, snapshot, null);
  return 'ok' in kept ? kept : writePoint(repository.store, name, { ...kept, leftAlone: snapshot.leftAlone });
}

function writePoint(
  store: string,
  name: string,
  { tree, head, staged, leftAlone }: TreeState & Pick<Snapshot, 'leftAlone'>,
  about: About = {},
): Recorded | Refusal {
  if (!isId(name))
    return refuse('name', `${String(name)} can't be the name of a point.`, 'Letters, digits, - and _.');
  const at = new Date().toISOString();
  const point = { tree, head, staged, at, stretches: readWorkSpans(store).length, ...about };
  return { ok: true, ...storePoint(store, name, point), leftAlone: leftAlone.map(readable) };
}

export function storePoint(store: string, name: string, point: Infer<typeof recordedPoint>): Point {
  const file = pointFile(store, name);
  mkdirSync(join(store, 'points'), { recursive: true, mode: 0o700 });
  writeFileSync(`${file}.${process.pid}.tmp`, `${JSON.stringify(point)}\n`);
  renameSync(`${file}.${process.pid}.tmp`, file);
  return { name, ...point };
}

export function readPoint(store: string, name: string): Point | null {
  if (!isId(name)) return null;
  const point = readAs(recordedPoint, () => readFileSync(pointFile(store, name), 'utf8'));
  return point && { ...point, name };
}

function pointFile(store: string, name: string): string {
  return join(store, 'points', `${name}.json`);
}

/** In the order of their iterations; points with a name instead of a number come last. */
export function listPoints(store: string): Point[] {
  return namesIn(join(store, 'points'))
    .flatMap((file) =>
      file.endsWith('.json') ? (readPoint(store, file.slice(0, -'.json'.length)) ?? []) : [],
    )
    .toSorted((a, b) => rank(a.name) - rank(b.name) || (a.name < b.name ? -1 : 1));
}

function rank(name: string): number {
  return /^\d+$/.test(name) ? Number(name) : Infinity;
}

/**
 * Puts everything into the loop's store that a later return to this work tree needs. Git stores no object
 * that the user's repository already has. What HEAD holds stays there. Git may collect anything else at any
 * time (what is only staged, what a stash holds), so we copy it. `known`: a state that this store holds,
 * which may be the same.
 */
async function keepState(
  repository: StoredRepository,
  { tree, isStaged, stagedTree }: Snapshot,
  known: TreeState | null,
): Promise<TreeState | Refusal> {
  const { head } = repository;
  const isKept = known !== null && known.tree === tree && known.head === head;
  const [refused, staged] = await Promise.all([
    isKept ? null : keepObjects(repository, tree),
    stagedTree ?? (isStaged ? tree : writeStaged(repository)),
  ]);
  return refused ?? { tree, head, staged };
}

export async function keepObjects(repository: StoredRepository, tree: string): Promise<Refusal | null> {
  const { ask, head, nothing, store } = repository;
  const listed = await ask(rawDifference(head ?? nothing, tree, '-t'));
  const out = heard(listed, 'tree', 'The tree could not be read');
  if (typeof out !== 'string') return out;
  const changed = parseDifferences(out).filter(({ to }) => to.mode !== ABSENT && to.mode !== GITLINK);
  const wanted = notInFiles([...new Set([tree, ...changed.map(({ to }) => to.oid)])], store);
  if (wanted.length === 0) return null;
  const checked = await ask(['cat-file', '--batch-check'], {
    env: { GIT_ALTERNATE_OBJECT_DIRECTORIES: '' },
    input: wanted.map((id) => `${id}\n`).join(''),
  });
  const found = heard(checked, 'tree', "The loop's own objects could not be read");
  if (typeof found !== 'string') return found;
  const missing = found.match(/^[0-9a-f]+(?= missing$)/gm) ?? [];
  if (missing.length === 0) return null;
  const packed = await ask(['pack-objects', '-q', operand(join(store, 'objects', 'pack', 'pack'))], {
    input: missing.map((id) => `${id}\n`).join(''),
  });
  return obeyed(packed, 'tree', 'The files could not be recorded');
}

/** Git has just written most of them, each into a file of its own. The others may be in a pack. */
function notInFiles(ids: readonly string[], store: string): readonly string[] {
  // Up to this many objects, it is faster to look for their files than to start git.
  if (ids.length > 1_000) return ids;
  return ids.filter((id) => !existsSync(join(store, 'objects', id.slice(0, 2), id.slice(2))));
}

/** Returns null if the index is in conflict, since it is not a tree then. */
async function writeStaged(repository: Repository): Promise<string | null> {
  const staged = await withTemporaryIndex((index) =>
    writeTree(withIndex(repository, copyIndex(repository, index))),
  );
  return typeof staged === 'string' ? staged : null;
}
