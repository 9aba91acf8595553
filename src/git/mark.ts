/**
 * Marks of the work tree: has anything changed since, and which files? Taken at stops, so it looks and writes nothing,
 * runs none of the repository's programs, and gives up after five seconds: null means that nobody knows.
 *
 * What it can't tell: a file that passes through a filter (git-lfs) and was touched counts as changed, because only the
 * filter could say that it is the same. So does a touched file above 8 MB that is not what the index holds.
 */
import {
  isSameTree,
  makeMark,
  modifiedBetween,
  type CommitDifference,
  type Identified,
  type TreeMark,
} from '../core/mark.ts';
import { scanFolder } from './folder-scan.ts';
import { git, readable, saidBy, type GitOptions } from './git.ts';
import { ABSENT, rawDifference, readDifferences } from './lists.ts';
import { GONE, identifyLines, identityOf } from './identity.ts';
import { matcherOf, seenFrom } from './path-patterns.ts';
import { digestOf, readTree, type Apart } from './tree-reading.ts';

const MOST_MS = 5_000;

export interface MarkOptions {
  /** Da Capo's own files, as seen from the project: patterns as in `core/globs.ts`. */
  readonly ignored?: readonly string[];
  /** Files of which some lines are Da Capo's own (`progress.txt`). */
  readonly withoutLines?: readonly { readonly file: string; readonly lines: RegExp }[];
  readonly signal?: AbortSignal | undefined;
}

export async function treeMark(project: string, options: MarkOptions = {}): Promise<TreeMark | null> {
  return (await take(project, options, bounded(project, options)))?.mark ?? null;
}

/** Which files differ from that mark, as seen from the project. Null: nobody can tell. */
export async function filesModifiedSince(
  project: string,
  since: TreeMark,
  options: MarkOptions = {},
): Promise<string[] | null> {
  const ask = bounded(project, options);
  const now = await take(project, options, ask);
  if (now === null || now.mark.kind !== since.kind) return null;
  if (isSameTree(now.mark, since)) return [];
  if (since.cut) return null;
  const commits = await commitsBetween(since.head, now, ask);
  return commits === null ? null : modifiedBetween(since.dirty, now.dirty, commits);
}

interface Taken {
  readonly mark: TreeMark;
  /** All of them, where the mark keeps the first. */
  readonly dirty: readonly Identified[];
  readonly place: (Place & Apart) | null;
}

interface Bounded extends GitOptions {
  readonly signal: AbortSignal;
}

function bounded(project: string, { signal }: MarkOptions): Bounded {
  const late = AbortSignal.timeout(MOST_MS);
  return { at: project, signal: signal === undefined ? late : AbortSignal.any([signal, late]) };
}

async function take(project: string, options: MarkOptions, ask: Bounded): Promise<Taken | null> {
  const found = await findPlace(ask);
  if (found === 'unknown') return null;
  if (found === 'none') return takeFolder(project, options, ask);
  const apart = apartIn(found.prefix, options);
  // Once more: a file may go away between being listed and being read.
  const reading = (await readTree(found.root, apart, ask)) ?? (await readTree(found.root, apart, ask));
  if (reading === null) return null;
  const dirty = named(reading.dirty, found);
  return {
    mark: makeMark('git', reading.head, digestOf(reading.files), dirty),
    dirty,
    place: { ...found, ...apart },
  };
}

function takeFolder(project: string, options: MarkOptions, { signal }: Bounded): Taken | null {
  const apart = apartIn('', options);
  const files = scanFolder(project, apart.ignored, () => signal.aborted);
  if (files === null) return null;
  for (const path of files.keys()) {
    const without = apart.withoutLines(path);
    if (without !== null) files.set(path, identifyLines(project, path, without));
  }
  const dirty = [...files].map(([path, identity]): Identified => [readable(path), identity]);
  return { mark: makeMark('folder', null, digestOf(files), dirty), dirty, place: null };
}

interface Place {
  readonly root: string;
  /** Of the project below the root, as bytes: empty, or with a slash at its end. */
  readonly prefix: string;
}

async function findPlace(ask: Bounded): Promise<Place | 'none' | 'unknown'> {
  const asked = await git(['rev-parse', '--show-toplevel', '--show-prefix'], ask);
  if (asked.is === 'unanswered') return asked.why === 'no-git' ? 'none' : 'unknown';
  if (asked.code !== 0) return 'none';
  // A folder's name may hold a newline, but the prefix is what stands between the last two.
  const lines = asked.out.replace(/\n$/, '').split('\n');
  const prefix = lines.length > 1 ? (lines.at(-1) ?? '') : '';
  const root = readable(lines.slice(0, Math.max(1, lines.length - 1)).join('\n'));
  if (prefix === '') return { root, prefix };
  // A repository that ignores the project (a home folder under git) sees nothing of what is done there.
  const here = `./${readable(prefix.slice(0, -1))}`;
  const ignored = await git(['--no-literal-pathspecs', 'check-ignore', '-q', '--', here], {
    ...ask,
    at: root,
  });
  if (ignored.is === 'unanswered') return 'unknown';
  return ignored.code === 0 ? 'none' : { root, prefix };
}

function apartIn(prefix: string, { ignored = [], withoutLines = [] }: MarkOptions): Apart {
  const parts = withoutLines.map(({ file, lines }) => ({ matches: matcherOf([file], prefix), lines }));
  return {
    ignored: matcherOf(ignored, prefix),
    withoutLines: (path) => parts.find(({ matches }) => matches(path))?.lines ?? null,
  };
}

function named(dirty: ReadonlyMap<string, string>, { prefix }: Place): Identified[] {
  return [...dirty]
    .map(([path, identity]): Identified => [readable(seenFrom(prefix, path)), identity])
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
}

async function commitsBetween(
  then: string | null,
  { mark: { head }, place }: Taken,
  ask: Bounded,
): Promise<CommitDifference[] | null> {
  if (place === null || head === then) return [];
  const at = { ...ask, at: place.root };
  const nothing = saidBy(await git(['hash-object', '-t', 'tree', '--stdin'], at))?.trim();
  if (nothing === undefined) return null;
  // A commit that is gone since (rewritten, and collected) leaves nobody who knows.
  const out = saidBy(await git(rawDifference(then ?? nothing, head ?? nothing), at));
  if (out === null) return null;
  return readDifferences(out)
    .filter(({ path }) => !place.ignored(path))
    .map(({ path, from, to }) => ({
      path: readable(seenFrom(place.prefix, path)),
      before: identityIn(from),
      after: identityIn(to),
    }));
}

function identityIn({ mode, oid }: { readonly mode: string; readonly oid: string }): string {
  return mode === ABSENT ? GONE : identityOf(mode, oid);
}
