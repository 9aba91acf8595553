/**
 * Recorded points: the work tree at one moment. A point is a small file in the loop's own store that names a tree. Its
 * objects are there too, so the user's repository gets neither objects nor refs; we later read from it only what HEAD
 * held at that moment. A point named by a number is the end of that iteration, counted over the whole loop.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { refuse, type Refusal } from '../../core/refusal.ts';
import { readAs, instant, isId, maybe, orNull, record, text, whole, type Infer } from '../../core/shape.ts';
import { readable } from '../git.ts';
import { openRepository, withStore, type Repository } from '../repository.ts';
import { keepState } from './keep-state.ts';
import { addWorkSpan, readWorkSpans, type TreeState } from './work-spans.ts';
import { withSnapshot, type Snapshot } from '../marks/snapshot.ts';
import { namesIn } from '../../files/paths.ts';

/** A point as it is stored. */
export const recordedPoint = record({
  tree: text,
  /** What was checked out and staged at that moment. */
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

export interface PointOrder {
  readonly project: string;
  /** The loop's own store. */
  readonly store: string;
  readonly name: string;
  /** Da Capo's own files, relative to the project. */
  readonly ignored?: readonly string[];
  readonly about?: About;
}

export type About = Pick<Point, 'work' | 'gates'>;

/** A finished span of the loop's work. */
export interface WorkSpanOrder extends Omit<PointOrder, 'name'> {
  readonly iteration: number;
  /** The work tree when the span began. */
  readonly from: TreeState;
  /** Null if the iteration is not over: then there is no point to return to. */
  readonly name: string | null;
}

/** Replaces an older point of the same name. */
export function recordPoint({ name, about, ...order }: PointOrder): Promise<Recorded | Refusal> {
  return snapshotFor(order, (repository, snapshot) =>
    keepPoint(repository, snapshot, order.store, name, about),
  );
}

/** Returns null if it is done and no point was asked for. */
export function recordWorkSpan({
  iteration,
  from,
  name,
  about,
  ...order
}: WorkSpanOrder): Promise<Recorded | Refusal | null> {
  const { store } = order;
  return snapshotFor(order, async (repository, snapshot) => {
    const kept = await keepState(repository, snapshot, store, from);
    if ('ok' in kept) return kept;
    if (snapshot.tree !== from.tree) addWorkSpan(store, { iteration, from, to: snapshot.tree });
    return name === null ? null : writePoint(kept, snapshot, store, name, about);
  });
}

/**
 * Keeps the work tree when a pass begins. It replaces the point after the last iteration only if the files are the same:
 * a person, a rollback or an interrupted pass may have changed them since, and what that iteration left must not be lost.
 */
export function recordBeginning({
  done,
  ...order
}: Omit<PointOrder, 'name'> & { readonly done: number }): Promise<(TreeState & { ok: true }) | Refusal> {
  return snapshotFor(order, async (repository, snapshot) => {
    const last = readPoint(order.store, String(done));
    const kept = await keepState(repository, snapshot, order.store, last);
    if ('ok' in kept) return kept;
    if (last !== null && last.tree !== snapshot.tree) return { ok: true, ...kept };
    return writePoint(kept, snapshot, order.store, String(done), last === null ? {} : aboutOf(last));
  });
}

function aboutOf({ work, gates }: Point): About {
  return { ...(work === undefined ? {} : { work }), ...(gates === undefined ? {} : { gates }) };
}

async function snapshotFor<T>(
  { project, store, ignored = [] }: Omit<PointOrder, 'name'>,
  use: (repository: Repository, snapshot: Snapshot) => Promise<T>,
): Promise<T | Refusal> {
  const opened = await openRepository(project);
  if (!opened.ok) return opened;
  const repository = withStore(opened, store);
  return withSnapshot(repository, ignored, (snapshot) => use(repository, snapshot));
}

/** `repository` uses the loop's store. */
export async function keepPoint(
  repository: Repository,
  snapshot: Snapshot,
  store: string,
  name: string,
  about: About = {},
): Promise<Recorded | Refusal> {
  const kept = await keepState(repository, snapshot, store, null);
  return 'ok' in kept ? kept : writePoint(kept, snapshot, store, name, about);
}

function writePoint(
  { tree, head, staged }: TreeState,
  { leftAlone }: Snapshot,
  store: string,
  name: string,
  about: About = {},
): Recorded | Refusal {
  if (!isPointName(name))
    return refuse('name', `${name} can't be the name of a point.`, 'Letters, digits, - and _.');
  const at = new Date().toISOString();
  const point = { tree, head, staged, at, stretches: readWorkSpans(store).length, ...about };
  return { ok: true, ...storePoint(store, name, point), leftAlone: leftAlone.map(readable) };
}

/** The name must be one of a point. */
export function storePoint(store: string, name: string, point: Infer<typeof recordedPoint>): Point {
  const file = pointFile(store, name);
  mkdirSync(join(store, 'points'), { recursive: true, mode: 0o700 });
  writeFileSync(`${file}.${process.pid}.tmp`, `${JSON.stringify(point)}\n`);
  renameSync(`${file}.${process.pid}.tmp`, file);
  return { name, ...point };
}

export function readPoint(store: string, name: string): Point | null {
  if (!isPointName(name)) return null;
  const point = readAs(recordedPoint, () => readFileSync(pointFile(store, name), 'utf8'));
  return point && { ...point, name };
}

export function isPointName(name: string): boolean {
  return isId(name);
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
