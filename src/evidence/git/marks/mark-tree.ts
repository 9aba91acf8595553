/**
 * The tree of a mark: the work tree without Da Capo's own files. A nested repository is one entry in it: a
 * link whose id stands for the commit that it has checked out and for its dirty files.
 */
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openRepository, withIndex, withStore, type Opening, type Repository } from '../repository.ts';
import { addHidden, withFilledIndex, writeIndex, writeTree, type FilledIndex } from './snapshot.ts';
import { bytesOf, fileAt, readable, saidBy } from '../git.ts';
import {
  ABSENT,
  dirtyIn,
  GITLINK,
  LIST_TRACKED,
  readTracked,
  STATUS_COMMAND,
  type ListedEntry,
} from '../lists.ts';

/** For a larger file, size and time stand for the content: marks are taken at stops, while a person waits. */
const MAX_FILE_BYTES = 8 * 1024 * 1024;
/** The same limit for all files that are read for one mark together. */
const MAX_TREE_BYTES = 128 * 1024 * 1024;

/** What does not count in a work tree. Names are bytes, relative to the root. */
export interface MarkExclusions {
  readonly ignored: (path: string) => boolean;
  readonly withoutLines: (path: string) => RegExp | null;
}

export interface MarkPlace {
  readonly store: string;
  readonly opening: Opening;
}

/** Returns null if git did not answer in time, or if the work tree changed while we read it. */
export async function writeMarkTree(
  opened: Repository,
  exclusions: MarkExclusions,
  place: MarkPlace,
): Promise<string | null> {
  // All filters are off: a file behind a filter counts as it is on disk.
  const repository = { ...withStore(opened, place.store), ownFilters: [] };
  let left = MAX_TREE_BYTES;
  const isTooLarge = (size: number) => {
    if (size > MAX_FILE_BYTES || size > left) return true;
    left -= size;
    return false;
  };
  const wanted = { isIgnored: exclusions.ignored, isTooLarge, contents: false };
  const tree = await withFilledIndex(repository, wanted, async (filled) => {
    const entries = await entriesExcept(repository, filled, exclusions, place);
    const index = withIndex(repository, filled.index);
    if (entries === null || (await writeIndex(index, entries)) !== null) return null;
    return writeTree(index, '--missing-ok');
  });
  return typeof tree === 'string' ? tree : null;
}

/** The entries in which a mark differs from a snapshot. */
async function entriesExcept(
  repository: Repository,
  { index, leftAlone }: FilledIndex,
  exclusions: MarkExclusions,
  place: MarkPlace,
): Promise<ListedEntry[] | null> {
  const { root, nothing } = repository;
  const copy = withIndex(repository, index);
  const listed = saidBy(await copy.ask(LIST_TRACKED));
  if (listed === null) return null;
  const tracked = readTracked(listed);
  if ((await addHidden(copy, tracked, false)) !== null) return null;
  const entries: ListedEntry[] = [];
  const links: string[] = [];
  for (const { path, mode } of tracked) {
    if (exclusions.ignored(path)) entries.push({ path, mode: ABSENT, oid: nothing });
    else if (mode === GITLINK) links.push(path);
    const lines = exclusions.withoutLines(path);
    const rest = lines && readRest(fileAt(root, path), lines);
    if (rest !== null) entries.push({ path, mode: '100644', oid: idOf(rest, repository) });
  }
  for (const path of leftAlone)
    if (path.endsWith('/')) links.push(path.slice(0, -1));
    else entries.push({ path, mode: '100644', oid: idOf(sizeAndTime(fileAt(root, path)), repository) });
  for (const path of links) {
    const inner = await openInside(repository, path, place);
    if (inner === null) continue;
    const state = await stateInside(inner, path, exclusions);
    if (state === null) return null;
    entries.push({ path, mode: GITLINK, oid: idOf(state, repository) });
  }
  return entries;
}

/** Returns null if the repository is not checked out and so has no files. */
async function openInside(outer: Repository, path: string, place: MarkPlace): Promise<Repository | null> {
  const folder = join(outer.root, readable(path));
  if (bytesOf(readable(path)) !== path || !existsSync(join(folder, '.git'))) return null;
  const inner = await openRepository(folder, place.opening);
  // If its own `.git` is broken, git finds the repository around it.
  return inner.ok && inner.prefix === '' ? inner : null;
}

/** Its commit, and its dirty files by size and time; null if git did not answer. */
async function stateInside({ ask, head, root }: Repository, path: string, { ignored }: MarkExclusions) {
  const out = saidBy(await ask(STATUS_COMMAND));
  if (out === null) return null;
  const dirty = dirtyIn(out).filter((name) => !ignored(`${path}/${name}`));
  return [head, ...dirty.map((name) => `${name} ${sizeAndTime(fileAt(root, name))}`)].join('\n');
}

/** The id that git gives such a blob. The blob need not be stored. */
function idOf(content: string, { format }: Repository): string {
  const bytes = Buffer.from(content);
  return createHash(format).update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

export function readRest(file: Buffer | string, without: RegExp): string | null {
  const stat = lstatSync(file, { throwIfNoEntry: false });
  if (stat?.isFile() !== true) return null;
  if (stat.size > MAX_FILE_BYTES) return sizeAndTime(file);
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => !without.test(line)).join('\n');
}

export function sizeAndTime(file: Buffer | string): string {
  const stat = lstatSync(file, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? '' : `~${stat.size}.${stat.mtimeNs.toString(36)}`;
}
