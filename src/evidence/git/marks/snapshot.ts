/**
 * The whole work tree as a git tree, made with a copy of the index: the index, HEAD and the files stay
 * untouched. Marks, points and commits all start here. Objects go to the store that the repository was given
 * (`withStore`).
 */
import { copyFileSync, existsSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import type { Refusal } from '#base/refusal.ts';
import { withScratch } from '#base/files/scratch.ts';
import { filteredBy } from '../filters.ts';
import { statAt } from '../git.ts';
import { ABSENT, LIST_TRACKED, matcherOf, readStatus, readTracked, STATUS_WITH_HEAD } from '../lists.ts';
import type { ListedEntry, WorkTreeStatus, StatusEntry, TrackedEntry } from '../lists.ts';
import { heard, obeyed, openRepository, refusePlainly, withIndex, withStore } from '../repository.ts';
import type { Repository, StoredRepository } from '../repository.ts';

/** A larger new file is more often a dump or a recording than a source, and most servers refuse it. */
const MAX_NEW_FILE_BYTES = 50 * 1024 * 1024;

export interface SnapshotRules {
  /** Takes names as bytes, relative to the root. Such files stay as the index has them. */
  readonly isIgnored: (path: string) => boolean;
  readonly isTooLarge: (size: number, isNew: boolean) => boolean;
  /** False: compute the ids of the contents without storing them. */
  readonly contents: boolean;
  /**
   * Files that git was told not to look at count as they are. A commit leaves them out, as its author wants
   * it; whoever judges sees them.
   */
  readonly seesHidden?: boolean;
}

export interface FilledIndex {
  readonly ok: true;
  /** A copy of the index that matches the work tree, with the file system's data on each file. */
  readonly index: string;
  /**
   * As bytes. Not held as they are now: large files, files behind own filters, and nested repositories, whose
   * names end in `/`.
   */
  readonly leftAlone: readonly string[];
  /** It is what the index held: every file that it holds is staged as it is now. */
  readonly isStaged: boolean;
  /** The tree of what is staged, where that is the tree of HEAD: nothing is staged. */
  readonly stagedTree: string | null;
}

export interface Snapshot extends FilledIndex {
  readonly tree: string;
}

export interface LoopTree {
  readonly project: string;
  readonly store: string;
  /** Patterns relative to the project. */
  readonly ignored?: readonly string[];
  readonly seesHidden?: boolean;
}

export async function snapshotFor<T>(
  { project, store, ignored = [], seesHidden = false }: LoopTree,
  use: (repository: StoredRepository, snapshot: Snapshot) => Promise<T>,
): Promise<T | Refusal> {
  const opened = await openRepository(project);
  if (!opened.ok) return opened;
  const repository = withStore(opened, store);
  return withSnapshot(repository, ignored, (snapshot) => use(repository, snapshot), seesHidden);
}

/** `ignored`: patterns relative to the project. */
export function withSnapshot<T>(
  repository: Repository,
  ignored: readonly string[],
  use: (snapshot: Snapshot) => Promise<T>,
  seesHidden = false,
): Promise<T | Refusal> {
  const wanted = {
    seesHidden,
    isIgnored: matcherOf(ignored, repository.prefix),
    isTooLarge: (size: number, isNew: boolean) => isNew && size > MAX_NEW_FILE_BYTES,
    contents: true,
  };
  return withFilledIndex(repository, wanted, async (filled) => {
    const tree =
      (filled.isStaged ? filled.stagedTree : null) ?? (await writeTree(withIndex(repository, filled.index)));
    return typeof tree === 'string' ? use({ ...filled, tree }) : tree;
  });
}

export async function withFilledIndex<T>(
  repository: Repository,
  wanted: SnapshotRules,
  use: (filled: FilledIndex) => Promise<T>,
): Promise<T | Refusal> {
  return withTemporaryIndex(async (index) => {
    const filled = await fill(repository, wanted, copyIndex(repository, index));
    return filled.ok ? use(filled) : filled;
  });
}

/** Passes the name of an index that does not exist yet. */
export function withTemporaryIndex<T>(use: (index: string) => Promise<T>): Promise<T> {
  return withScratch('index', (folder) => use(join(folder, 'index')));
}

async function fill(
  repository: Repository,
  { isIgnored, isTooLarge, contents, seesHidden = false }: SnapshotRules,
  index: string,
): Promise<FilledIndex | Refusal> {
  const { root } = repository;
  const copy = withIndex(repository, index);
  if (seesHidden) {
    const listed = heard(await copy.ask(LIST_TRACKED), 'unreadable', 'The index could not be read');
    if (typeof listed !== 'string') return listed;
    const unadded = await addHidden(copy, readTracked(listed), contents);
    if (unadded !== null) return unadded;
  }
  // With the lock of the copy, git keeps what it finds out about each file there.
  const asked = await copy.ask(STATUS_WITH_HEAD, { env: { GIT_OPTIONAL_LOCKS: '1' } });
  const said = heard(asked, 'unreadable', 'The work tree could not be read');
  if (typeof said !== 'string') return said;

  const status = readStatus(said);
  const dirty = status.entries.filter(({ path, unstaged }) => unstaged !== '.' && !isIgnored(path));
  const paths = dirty.map(({ path }) => path);
  const filtered = await filteredBy(repository.ownFilters, paths, { at: root });
  if (filtered === null) return refusePlainly('unreadable', 'The attributes could not be read', asked);
  const isLarge = ({ path, is }: StatusEntry) =>
    isTooLarge(statAt(root, path)?.size ?? 0, is === 'untracked');
  // Git would record a nested repository as a bare pointer that leads nowhere.
  const isNested = ({ path, is }: StatusEntry) => is === 'untracked' && path.endsWith('/');
  const large = dirty.filter((entry) => isNested(entry) || isLarge(entry)).map(({ path }) => path);
  const leftAlone = new Set([...filtered, ...large]);
  const all = dirty.filter(({ path }) => !leftAlone.has(path));

  // We ask git, not the file system: behind a link to a folder there may be a file of that name which is not
  // ours. For a file in conflict git does not say, so there we look at the file system.
  const isGone = ({ path, is, unstaged }: StatusEntry) =>
    is === 'in-conflict' ? statAt(root, path) === undefined : unstaged === 'D';
  const gone = all.filter(isGone).map(({ path }) => ({ path, mode: ABSENT, oid: repository.nothing }));
  const there = all.filter((entry) => !isGone(entry)).map(({ path }) => path);
  const refused = (await writeIndex(copy, gone)) ?? (await addFiles(copy, there, contents));
  if (refused !== null) return refused;
  const isStaged = all.length === 0;
  const stagedTree = hasNothingStaged(repository, status) ? repository.headTree : null;
  return { ok: true, index, leftAlone: [...leftAlone], isStaged, stagedTree };
}

/** False if another commit is checked out by now: the tree that we know is not that one's. */
function hasNothingStaged({ head }: Repository, status: WorkTreeStatus): boolean {
  return (
    status.head === head && status.entries.every(({ is, staged }) => is === 'untracked' || staged === '.')
  );
}

/**
 * In a copy of the index. In a sparse checkout, files that are not there are hidden, and not deleted. Each
 * flag needs a call of its own.
 */
export async function addHidden(
  copy: Repository,
  tracked: readonly TrackedEntry[],
  contents: boolean,
): Promise<Refusal | null> {
  const hidden = tracked.filter(({ path, isHidden }) => isHidden && statAt(copy.root, path) !== undefined);
  const paths = hidden.map(({ path }) => path);
  if (paths.length === 0) return null;
  const input = paths.map((path) => `${path}\0`).join('');
  for (const flag of ['--no-assume-unchanged', '--no-skip-worktree'] as const) {
    const shown = await copy.ask(['update-index', flag, '-z', '--stdin'], { input });
    const refused = obeyed(shown, 'unreadable', 'The index could not be read');
    if (refused !== null) return refused;
  }
  return addFiles(copy, paths, contents);
}

/** Git trusts sizes and times, unless a file is as young as the index. So the copy is never younger. */
export function copyIndex({ gitDir }: Repository, to: string): string {
  const from = join(gitDir, 'index');
  if (!existsSync(from)) return to;
  const { mtimeMs } = statSync(from);
  copyFileSync(from, to);
  const before = (Math.floor(mtimeMs) - 1) / 1_000;
  utimesSync(to, before, before);
  return to;
}

export async function addFiles({ ask }: Repository, paths: readonly string[], contents = true) {
  if (paths.length === 0) return null;
  const flags = ['-z', '--add', '--replace', ...(contents ? [] : (['--info-only'] as const))] as const;
  const input = paths.map((path) => `${path}\0`).join('');
  const added = await ask(['update-index', ...flags, '--stdin'], { input });
  return obeyed(added, 'unreadable', 'A file could not be recorded');
}

/** Mode `ABSENT` removes a file. Returns null on success. */
export async function writeIndex({ ask }: Repository, entries: readonly ListedEntry[]) {
  if (entries.length === 0) return null;
  // Removals come first: a file may have become a folder.
  const ordered = [
    ...entries.filter(({ mode }) => mode === ABSENT),
    ...entries.filter(({ mode }) => mode !== ABSENT),
  ];
  const input = ordered.map(({ path, mode, oid }) => `${mode} ${oid}\t${path}\0`).join('');
  const answer = await ask(['update-index', '-z', '--index-info'], { input });
  return obeyed(answer, 'index', 'The index could not be written');
}

/** `flags`: `--missing-ok` if the contents were not stored. */
export async function writeTree(
  { ask }: Repository,
  ...flags: readonly '--missing-ok'[]
): Promise<string | Refusal> {
  const tree = heard(await ask(['write-tree', ...flags]), 'tree', 'The tree could not be written');
  return typeof tree === 'string' ? tree.trim() : tree;
}
