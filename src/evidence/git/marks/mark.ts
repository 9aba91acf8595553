/**
 * Marks of the work tree: has anything changed since, and which files? A mark is the id of a git tree. Only
 * trees are stored, in the loop's own store: `.git` and the files stay untouched, no content is copied, and
 * none of the repository's programs runs. After five seconds we give up and return null, for "unknown". Two
 * kinds of files count as changed once they are touched: a file behind a filter (git-lfs), because only the
 * filter could say that it is the same, and a file above 8 MB that differs from the index.
 */
import { isSameTree, type TreeMark } from '#law/record/mark.ts';
import { sayNames } from '#law/words/phrases.ts';
import { ignoresProject, openRepository, withStore, type Opening, type Repository } from '../repository.ts';
import { keepScan, namesBetweenScans, readScan, scanFolder, type Scan } from './folder-scan.ts';
import { readable, saidBy } from '../git.ts';
import { writeMarkTree, type MarkExclusions } from './mark-tree.ts';
import { matcherOf, rawDifference, parseDifferences, seenFromPrefix } from '../lists.ts';

const MAX_SCAN_MS = 5_000;

export interface MarkOptions {
  /** Da Capo's own files, relative to the project: patterns as in `base/globs.ts`. */
  readonly ignored?: readonly string[];
  /** Files in which some lines are Da Capo's own (`progress.txt`). */
  readonly withoutLines?: readonly { readonly file: string; readonly lines: RegExp }[];
  readonly unknown?: (why: string) => void;
}

/** `store`: a folder outside the project where the trees of its marks are kept. */
export async function takeTreeMark(
  project: string,
  store: string,
  options: MarkOptions = {},
): Promise<TreeMark | null> {
  return (await takeMark(project, store, options))?.mark ?? null;
}

/**
 * Which files differ from that mark of the same store, relative to the project. Returns null if we can't
 * tell.
 */
export async function filesModifiedSince(
  project: string,
  since: TreeMark,
  store: string,
  options: MarkOptions = {},
): Promise<string[] | null> {
  return (await changesSince(project, since, store, options))?.files ?? null;
}

async function changesSince(project: string, since: TreeMark, store: string, options: MarkOptions) {
  const now = await takeMark(project, store, options);
  if (now === null) return null;
  const names = isSameTree(now.mark, since) ? [] : await now.namesSince(since);
  return names && { files: forPeople(names), now: now.mark };
}

/**
 * Which files differ between the contents of two marks (`contentOf`). Null: one of them can no longer be
 * read.
 */
export async function filesBetween(
  project: string,
  from: string,
  to: string,
  store: string,
): Promise<string[] | null> {
  const [then, now] = [readScan(store, from), readScan(store, to)];
  if (then !== null && now !== null) return forPeople(namesBetweenScans(then, now));
  const repository = await openRepository(project, { filters: 'all', ms: MAX_SCAN_MS });
  const names = repository.ok ? await namesOfTrees(withStore(repository, store), from, to) : null;
  return names && forPeople(names);
}

export function markWith(content: string, store: string): TreeMark {
  return readScan(store, content) === null ? { tree: content, head: null } : { folder: content };
}

/** Relative to the project. Null: one of the trees can no longer be read. */
async function namesOfTrees({ ask, prefix }: Repository, from: string, to: string): Promise<string[] | null> {
  const out = saidBy(await ask(rawDifference(from, to)));
  return out === null ? null : parseDifferences(out).map(({ path }) => seenFromPrefix(prefix, path));
}

function forPeople(names: readonly string[]): string[] {
  return [...new Set(names)].map(readable).toSorted();
}

interface TakenMark {
  readonly mark: TreeMark;
  /** As bytes, relative to the project. */
  readonly namesSince: (since: TreeMark) => Promise<string[] | null> | string[] | null;
}

async function takeMark(project: string, store: string, options: MarkOptions): Promise<TakenMark | null> {
  const unknown = (why = `git did not answer within ${MAX_SCAN_MS / 1_000} seconds`) => {
    options.unknown?.(why);
    return null;
  };
  const signal = AbortSignal.timeout(MAX_SCAN_MS);
  const opening: Opening = { filters: 'all', ms: MAX_SCAN_MS, signal };
  const repository = await openRepository(project, opening);
  if (!repository.ok)
    return /^git-(silent|old)$/.test(repository.code)
      ? unknown(repository.message)
      : takeFolder(project, store, options, signal);
  const ignored = await ignoresProject(repository, opening);
  if (ignored === null) return unknown();
  if (ignored) return takeFolder(project, store, options, signal);

  const { prefix, head } = repository;
  const exclusions = exclusionsIn(prefix, options);
  const place = { store, opening };
  // Try twice: a file may disappear between being listed and being read.
  const tree =
    (await writeMarkTree(repository, exclusions, place)) ??
    (await writeMarkTree(repository, exclusions, place));
  if (tree === null) return unknown(signal.aborted ? undefined : 'files change while it is read');
  return {
    mark: { tree, head },
    namesSince: (since) =>
      'tree' in since ? namesOfTrees(withStore(repository, store), since.tree, tree) : null,
  };
}

function takeFolder(
  project: string,
  store: string,
  options: MarkOptions,
  signal: AbortSignal,
): TakenMark | null {
  const scan = scanFolder(project, exclusionsIn('', options), () => signal.aborted);
  if (scan === null) return null;
  const folder = keepScan(store, scan);
  return {
    mark: { folder },
    namesSince: (since) => {
      const then: Scan | null = 'folder' in since ? readScan(store, since.folder) : null;
      return then && namesBetweenScans(then, scan);
    },
  };
}

function exclusionsIn(prefix: string, { ignored = [], withoutLines = [] }: MarkOptions): MarkExclusions {
  const parts = withoutLines.map(({ file, lines }) => ({ matches: matcherOf([file], prefix), lines }));
  return {
    ignored: matcherOf(ignored, prefix),
    withoutLines: (path) => parts.find(({ matches }) => matches(path))?.lines ?? null,
  };
}

/** The project of a run that works in a worktree of its own. `before`: its mark when the pass began. */
interface MainTree {
  readonly main: string;
  readonly before: TreeMark;
  readonly store: string;
}

/** A worker may have left its worktree. A person may be at work there, too, so this is only a warning. */
export async function sayStrayed(
  { main, before, store }: MainTree,
  options: MarkOptions = {},
  /**
   * Da Capo merges branches there meanwhile. Then a moved branch tells nothing, nor do the files that moved
   * with it.
   */
  isMergedInto = false,
): Promise<string | null> {
  const changes = await changesSince(main, before, store, options);
  if (changes === null || (isMergedInto && headOf(changes.now) !== headOf(before))) return null;
  const { files, now } = changes;
  const seen = [
    ...(files.length > 0 ? [`these files changed: ${sayNames(files)}`] : []),
    ...(headOf(now) === headOf(before) ? [] : ['another commit is checked out']),
  ];
  if (seen.length === 0) return null;
  return `While the pass ran in its own worktree, in the project itself ${seen.join('; ')}. Was that you?`;
}

function headOf(mark: TreeMark): string | null {
  return 'head' in mark ? mark.head : null;
}
