/**
 * Returns the loop's own changes to a recorded point, and nothing else: no branch moves, no commit goes away,
 * staged changes stay staged. A file that somebody else changed since stays as it is, even if the loop
 * changed it too. The present work tree is always recorded first, so the same command can undo a rollback.
 * Files that could not be recorded (ignored files, large new ones, nested repositories, files behind the
 * repository's own filters) stay untouched; if one is in the way, we refuse before anything is written.
 */
import { copyFileSync, readdirSync } from 'node:fs';
import { isRefusal, refuse, type Refusal } from '#base/refusal.ts';
import { filteredBy } from '../filters.ts';
import { readable, saidBy, fileAt, statAt } from '../git.ts';
import { operands } from '../words.ts';
import { ABSENT, differences, entryAfter, GITLINK, isDeletion, matcherOf } from '../lists.ts';
import type { Difference, TreePair } from '../lists.ts';
import { commitPass } from './commit.ts';
import { addWorkSpan, handsSince } from './work-spans.ts';
import { sayNames } from '#law/words/phrases.ts';
import { keepObjects, keepPoint, listPoints, readPoint, type Point } from './points.ts';
import { obeyed, openRepository, refuseOperation, withIndex, withStore } from '../repository.ts';
import type { Repository, StoredRepository } from '../repository.ts';
import { withSnapshot, writeIndex, writeTree, type LoopTree, type Snapshot } from '../marks/snapshot.ts';

export interface RollbackOrder extends LoopTree {
  /** A point's name: the number of an iteration, or `before-rollback-1`. */
  readonly to: string;
  /** Given: the changes are committed on top. In a loop that commits, the next pass would find them dirty. */
  readonly message?: string;
  readonly dryRun?: boolean;
}

export type RolledBack = Extract<Awaited<ReturnType<typeof rollback>>, { ok: true }>;

const UNDO = /^before-rollback-(\d+)$/;

export async function rollback(order: RollbackOrder) {
  const { project, store, message, ignored = [] } = order;
  const opened = await openRepository(project);
  if (!opened.ok) return opened;
  if (opened.operation !== null) return refuseOperation(opened.operation);
  const repository = withStore(opened, store);
  const restored = await withSnapshot(repository, ignored, (now) => restore(repository, now, order));
  if (!restored.ok || restored.is !== 'rolled-back' || message === undefined) return restored;
  const [before, target] = [readPoint(store, restored.undo), readPoint(store, order.to)];
  if (before === null || target === null) return refuseUnknown(restored.undo, []);
  const { head, tree, staged } = target;
  // What was in no commit at the point must not get into one by a rollback to it.
  const foreignChanges = [tree, staged ?? tree].map((one): TreePair => [head ?? opened.nothing, one]);
  const commit = await commitPass({ project, store, before, foreignChanges, message, ignored });
  return { ...restored, commit };
}

async function restore(
  repository: StoredRepository,
  now: Snapshot,
  { store, to, ignored = [], dryRun = false }: RollbackOrder,
) {
  const points = listPoints(store);
  const target = readPoint(store, to);
  if (target === null) return refuseUnknown(to, points);
  const all = await differences(repository, now.tree, target.tree);
  const hands = await handsSince(repository, target, now.tree);
  if (isRefusal(all) || hands === null) return refuseLost(to);
  const untouchable = await findUntouchable(repository, all, now, ignored);
  if (untouchable === null)
    return refuse('unreadable', 'The attributes could not be read.', 'Try `git status`.');
  const touchable = all.filter(({ path }) => !untouchable.has(path));
  const ours = touchable.filter(({ path }) => hands.loop.has(path));
  const changes = ours.filter(({ path }) => !hands.others.has(path));
  // All files that differ from the point. Only the first two return to it.
  const sorted = {
    files: namesOf(changes),
    /** Those among them that are deleted. */
    removed: namesOf(changes.filter(isDeletion)),
    /** Only somebody else has changed them since. */
    others: namesOf(touchable.filter(({ path }) => !hands.loop.has(path))),
    /** Both the loop and somebody else have changed them. */
    undecided: namesOf(ours.filter(({ path }) => hands.others.has(path))),
    /** Not recorded, or Da Capo's own. */
    leftAlone: namesOf(all.filter(({ path }) => untouchable.has(path))),
  };
  if (changes.length === 0) return { ok: true as const, is: 'same' as const, ...sorted };
  const obstacles = findObstacles(repository.root, changes);
  if (obstacles.length > 0)
    return refuse(
      'in-the-way',
      `Files that are not recorded would be overwritten: ${sayNames(obstacles.map(readable))}.`,
      'Move them away first.',
    );
  if (await isLost(repository, changes)) return refuseLost(to);
  if (dryRun) return { ok: true as const, is: 'planned' as const, ...sorted };

  const numbers = points.map(({ name }) => Number(UNDO.exec(name)?.[1] ?? 0));
  const undo = `before-rollback-${Math.max(0, ...numbers) + 1}`;
  const saved = await keepPoint(repository, now, undo);
  if (!saved.ok) return saved;
  const tree = await writeTreeAfter(repository, now, changes);
  if (typeof tree !== 'string') return tree;
  const unkept = await keepObjects(repository, tree);
  if (unkept !== null) return unkept;
  // Git checks every file again before it writes the first, and stops if one has changed meanwhile.
  const { ask } = withIndex(repository, now.index);
  const moved = await ask(['read-tree', '-m', '-u', ...operands(now.tree, tree)]);
  const refused = obeyed(moved, 'in-the-way', `The point could not be restored (what was there is ${undo})`);
  if (refused !== null) return refused;
  addWorkSpan(store, { iteration: 0, from: saved, to: tree });
  // `undo`: the point of the work tree before. A rollback to it undoes this one.
  return { ok: true as const, is: 'rolled-back' as const, ...sorted, undo, commit: null };
}

function namesOf(changes: readonly Difference[]): string[] {
  return changes.map(({ path }) => readable(path));
}

async function writeTreeAfter(repository: Repository, now: Snapshot, changes: readonly Difference[]) {
  const target = withIndex(repository, `${now.index}-target`);
  copyFileSync(now.index, `${now.index}-target`);
  return (await writeIndex(target, changes.map(entryAfter))) ?? writeTree(target);
}

async function findUntouchable(
  repository: Repository,
  all: readonly Difference[],
  now: Snapshot,
  ignored: readonly string[],
): Promise<ReadonlySet<string> | null> {
  const paths = all.map(({ path }) => path);
  const filtered = await filteredBy(repository.ownFilters, paths, { at: repository.root });
  if (filtered === null) return null;
  const isIgnored = matcherOf(ignored, repository.prefix);
  const isLink = ({ from, to }: Difference) => from.mode === GITLINK || to.mode === GITLINK;
  return new Set([
    ...filtered,
    ...now.leftAlone,
    ...paths.filter(isIgnored),
    // A submodule holds work of its own.
    ...all.filter(isLink).map(({ path }) => path),
  ]);
}

/** Whether the content of a file is lost. Asked before the first file is written. */
async function isLost({ ask }: Repository, changes: readonly Difference[]): Promise<boolean> {
  const wanted = changes.filter(({ to }) => to.mode !== ABSENT).map(({ to }) => `${to.oid}\n`);
  const out = saidBy(await ask(['cat-file', '--batch-check'], { input: wanted.join('') }));
  return out === null || / missing$/m.test(out);
}

function refuseLost(to: string): Refusal {
  const why =
    `Point ${to} relies on a commit that is no longer in the repository, so its files ` + `can't be read.`;
  return refuse('lost', why, 'Nothing was changed. Choose another point.');
}

function refuseUnknown(to: string, points: readonly Point[]): Refusal {
  const names = points.map(({ name }) => name).join(', ');
  const known =
    names === '' ? 'dacapo run records one after each iteration, in a repository.' : `Recorded: ${names}.`;
  return refuse('no-point', `No point ${to} is recorded for this loop.`, known);
}

/** As bytes: what is recorded nowhere. Git silently overwrites ignored files, even a folder of them. */
function findObstacles(root: string, changes: readonly Difference[]): string[] {
  // Files that exist and are recorded. The rollback may remove or replace them.
  const recorded = new Set(changes.filter(({ from }) => from.mode !== ABSENT).map(({ path }) => path));
  const found = new Set<string>();
  for (const { path, from, to } of changes) {
    if (from.mode !== ABSENT || to.mode === ABSENT) continue;
    const first = firstNonFolder(root, path);
    const paths = first === null ? filesIn(root, path) : [first];
    for (const one of paths) if (!recorded.has(one)) found.add(one);
  }
  return [...found].toSorted();
}

/** The first thing on the way to a path, the path included, that is not a folder. */
function firstNonFolder(root: string, path: string): string | null {
  const parts = path.split('/');
  for (let n = 1; n <= parts.length; n++) {
    const part = parts.slice(0, n).join('/');
    const stat = statAt(root, part);
    if (stat === undefined) return null;
    if (!stat.isDirectory()) return part;
  }
  return null;
}

function filesIn(root: string, path: string): string[] {
  if (statAt(root, path)?.isDirectory() !== true) return [];
  return readdirSync(fileAt(root, path), 'latin1').flatMap((name) => {
    const inner = `${path}/${name}`;
    return statAt(root, inner)?.isDirectory() === true ? filesIn(root, inner) : [inner];
  });
}
