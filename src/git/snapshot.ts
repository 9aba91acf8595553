/** The whole work tree as a tree of git, by way of a copy of the index: neither index, HEAD nor a file is touched. */
import { copyFileSync, existsSync, lstatSync, mkdtempSync, rmSync, statSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Refusal } from '../core/refusal.ts';
import { filteredBy } from './filters.ts';
import { fieldsOf, fileAt, saidBy } from './git.ts';
import { ABSENT, readDifferences } from './lists.ts';
import { matcherOf } from './path-patterns.ts';
import { refusePlainly, type Repository } from './repository.ts';

/** A new file above this is more often a dump or a recording than a source; most servers refuse it, too. */
const MOST_NEW_FILE = 50 * 1024 * 1024;

export interface Snapshot {
  readonly ok: true;
  readonly tree: string;
  /** The index that the tree was written from, with what the file system says of each file. */
  readonly index: string;
  /** Not in it as they are now, names as bytes: large new files, repositories inside, what passes through the repository's own filters. */
  readonly leftAlone: readonly string[];
}

/** Gives a snapshot to `use`, and removes what it needed when that is done. `ignored`: patterns, as seen from the project. */
export async function withSnapshot<T>(
  repository: Repository,
  ignored: readonly string[],
  use: (snapshot: Snapshot) => Promise<T>,
): Promise<T | Refusal> {
  const folder = mkdtempSync(join(tmpdir(), 'dacapo-index-'));
  try {
    const snapshot = await take(repository, ignored, folder);
    return snapshot.ok ? await use(snapshot) : snapshot;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function take(
  repository: Repository,
  ignored: readonly string[],
  folder: string,
): Promise<Snapshot | Refusal> {
  const index = copyIndex(repository, join(folder, 'index'));
  const env = { GIT_INDEX_FILE: index };
  const [changed, untracked] = await Promise.all([
    repository.ask(
      ['diff-files', '-z', '--raw', '--no-abbrev', '--no-ext-diff', '--ignore-submodules=dirty'],
      { env },
    ),
    repository.ask(['ls-files', '-z', '--others', '--exclude-standard'], { env }),
  ]);
  const [changes, others] = [saidBy(changed), saidBy(untracked)];
  if (changes === null) return refusePlainly('unreadable', 'The work tree could not be read', changed);
  if (others === null) return refusePlainly('unreadable', 'The work tree could not be read', untracked);

  const isIgnored = matcherOf(ignored, repository.prefix);
  const fresh = fieldsOf(others).filter((path) => !isIgnored(path));
  const differences = readDifferences(changes).filter(({ path }) => !isIgnored(path));
  const paths = [...new Set(differences.map(({ path }) => path))];
  const filtered = await filteredBy(repository.ownFilters, [...paths, ...fresh], { at: repository.root });
  if (filtered === null) return refusePlainly('unreadable', 'The attributes could not be read', untracked);
  const leftAlone = new Set([...filtered, ...fresh.filter((path) => isUnwelcome(repository.root, path))]);
  const wanted = [...paths, ...fresh].filter((path) => !leftAlone.has(path));

  // By git's word: behind a link to a folder a file of that name may stand, and yet it is not ours. In a conflict it has none.
  const deleted = new Set(differences.filter(({ status }) => status === 'D').map(({ path }) => path));
  const unmerged = new Set(differences.filter(({ status }) => status === 'U').map(({ path }) => path));
  const isGone = (path: string) =>
    deleted.has(path) || (unmerged.has(path) && look(repository.root, path) === undefined);
  const gone = wanted.filter(isGone);
  const there = wanted.filter((path) => !isGone(path));
  const removed = await writeIndex(
    repository,
    index,
    gone.map((path) => ({ path, mode: ABSENT, oid: repository.nothing })),
  );
  if (removed !== null) return removed;
  const added = await repository.ask(['update-index', '-z', '--add', '--replace', '--stdin'], {
    env,
    input: there.map((path) => `${path}\0`).join(''),
  });
  if (saidBy(added) === null) return refusePlainly('unreadable', 'A file could not be recorded', added);
  const tree = await writeTree(repository, index);
  return typeof tree === 'string' ? { ok: true, tree, index, leftAlone: [...leftAlone] } : tree;
}

/**
 * Git takes a file for unchanged when its size and times are those of the index, unless it is as young as the index
 * itself: so the copy may be older than the original, never younger.
 */
export function copyIndex({ gitDir }: Repository, to: string): string {
  const from = join(gitDir, 'index');
  if (!existsSync(from)) return to;
  const { mtimeMs } = statSync(from);
  copyFileSync(from, to);
  const before = (Math.floor(mtimeMs) - 1) / 1_000;
  utimesSync(to, before, before);
  return to;
}

export interface Entry {
  readonly path: string;
  readonly mode: string;
  readonly oid: string;
}

/** `ABSENT` as mode removes. Null: done. */
export async function writeIndex(
  repository: Repository,
  index: string | null,
  entries: readonly Entry[],
): Promise<Refusal | null> {
  if (entries.length === 0) return null;
  // Removals first: a file may have become a folder.
  const ordered = [
    ...entries.filter(({ mode }) => mode === ABSENT),
    ...entries.filter(({ mode }) => mode !== ABSENT),
  ];
  const answer = await repository.ask(['update-index', '-z', '--index-info'], {
    ...(index === null ? {} : { env: { GIT_INDEX_FILE: index } }),
    input: ordered.map(({ path, mode, oid }) => `${mode} ${oid}\t${path}\0`).join(''),
  });
  return saidBy(answer) === null ? refusePlainly('index', 'The index could not be written', answer) : null;
}

export async function writeTree(repository: Repository, index: string): Promise<string | Refusal> {
  const answer = await repository.ask(['write-tree'], { env: { GIT_INDEX_FILE: index } });
  return saidBy(answer)?.trim() ?? refusePlainly('tree', 'The tree could not be written', answer);
}

/** Git would record a repository inside as a bare pointer, which nobody could follow. */
function isUnwelcome(root: string, path: string): boolean {
  return path.endsWith('/') || (look(root, path)?.size ?? 0) > MOST_NEW_FILE;
}

function look(root: string, path: string) {
  try {
    return lstatSync(fileAt(root, path), { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
