/**
 * The tree of a mark, and what differs between two. It is the work tree without Da Capo's own files. A repository inside
 * stands in it as a link to a tree of two entries: `files`, its own work tree, and `head`, the commit it has checked out.
 */
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openRepository, withStore, type Opening, type Repository } from './repository.ts';
import { withFilledIndex, writeIndex, writeTree, type FilledIndex } from './snapshot.ts';
import { bytesOf, fieldsOf, fileAt, readable, saidBy } from './git.ts';
import { ABSENT, GITLINK, rawDifference, readDifferences } from './lists.ts';
import type { Difference, ListedEntry } from './lists.ts';

/** Above this, size and time stand for the content: a mark is taken at stops, and someone waits. */
const MOST_FILE = 8 * 1024 * 1024;
/** And for all files that are read for one mark. */
const MOST_BYTES = 128 * 1024 * 1024;

/** Of a work tree, what does not count. Names are as seen from the root, as bytes. */
export interface Apart {
  readonly ignored: (path: string) => boolean;
  /** Which lines of the file don't count; null: all do. */
  readonly withoutLines: (path: string) => RegExp | null;
}

/** Where the trees go, and how the repositories inside are opened. */
export interface MarkPlace {
  readonly store: string;
  readonly opening: Opening;
}

/** Null: git did not answer in time, or the work tree changed under the eye. */
export async function treeNow(opened: Repository, apart: Apart, place: MarkPlace): Promise<string | null> {
  // All filters are off, and a file behind one counts as it lies there.
  const repository = { ...withStore(opened, place.store), ownFilters: [] };
  let left = MOST_BYTES;
  const isTooLarge = (size: number) => {
    if (size > MOST_FILE || size > left) return true;
    left -= size;
    return false;
  };
  const wanted = { isIgnored: apart.ignored, isTooLarge, contents: false };
  const tree = await withFilledIndex(repository, wanted, async (filled) => {
    const entries = await entriesApart(repository, filled, apart, place);
    if (entries === null || (await writeIndex(repository, filled.index, entries)) !== null) return null;
    return writeTree(repository, filled.index, '--missing-ok');
  });
  return typeof tree === 'string' ? tree : null;
}

/** What a mark holds otherwise than a snapshot does. */
async function entriesApart(
  repository: Repository,
  { tracked, untracked, leftAlone }: FilledIndex,
  apart: Apart,
  place: MarkPlace,
): Promise<ListedEntry[] | null> {
  const { root, nothing } = repository;
  const entries: ListedEntry[] = [];
  const links: string[] = [];
  for (const { path, mode } of tracked)
    if (apart.ignored(path)) entries.push({ path, mode: ABSENT, oid: nothing });
    else if (mode === GITLINK) links.push(path);
  for (const path of [...tracked.map((one) => one.path), ...untracked]) {
    const lines = apart.withoutLines(path);
    const rest = lines && restOf(fileAt(root, path), lines);
    if (rest !== null) entries.push({ path, mode: '100644', oid: idOf(rest, repository) });
  }
  for (const path of leftAlone)
    if (path.endsWith('/')) links.push(path.slice(0, -1));
    else entries.push({ path, mode: '100644', oid: idOf(sizeAndTime(fileAt(root, path)), repository) });
  for (const path of links) {
    const inner = await openInside(repository, path, place);
    if (inner === null) continue;
    const oid = await linkTo(inner, below(path, apart), place);
    if (oid === null) return null;
    entries.push({ path, mode: GITLINK, oid });
  }
  return entries;
}

/** Null: it is not checked out, and has no files. */
async function openInside(outer: Repository, path: string, place: MarkPlace): Promise<Repository | null> {
  const folder = join(outer.root, readable(path));
  if (bytesOf(readable(path)) !== path || !existsSync(join(folder, '.git'))) return null;
  const inner = await openRepository(folder, place.opening);
  // Where its own `.git` is broken, git finds the one around it.
  return inner.ok && inner.prefix === '' ? inner : null;
}

async function linkTo(inner: Repository, apart: Apart, place: MarkPlace): Promise<string | null> {
  const files = await treeNow(inner, apart, place);
  if (files === null) return null;
  const head = inner.head === null ? '' : `${GITLINK} commit ${inner.head}\thead\0`;
  const input = `040000 tree ${files}\tfiles\0${head}`;
  return (
    saidBy(await withStore(inner, place.store).ask(['mktree', '-z', '--missing'], { input }))?.trim() ?? null
  );
}

function below(path: string, { ignored, withoutLines }: Apart): Apart {
  return {
    ignored: (name) => ignored(`${path}/${name}`),
    withoutLines: (name) => withoutLines(`${path}/${name}`),
  };
}

/** As git names a blob, which need not be stored. */
function idOf(content: string, { format }: Repository): string {
  const bytes = Buffer.from(content);
  return createHash(format).update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

/** The lines of a file that count; null: there is no such file. */
export function restOf(file: Buffer | string, without: RegExp): string | null {
  const stat = lstatSync(file, { throwIfNoEntry: false });
  if (stat?.isFile() !== true) return null;
  if (stat.size > MOST_FILE) return sizeAndTime(file);
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => !without.test(line)).join('\n');
}

export function sizeAndTime(file: Buffer | string): string {
  const stat = lstatSync(file, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? '' : `~${stat.size}.${stat.mtimeNs.toString(36)}`;
}

/** As bytes, as seen from the root. Null: one of the trees can't be read any more. */
export async function namesBetween(
  repository: Repository,
  from: string,
  to: string,
  place: MarkPlace,
): Promise<string[] | null> {
  const out = saidBy(await withStore(repository, place.store).ask(rawDifference(from, to)));
  if (out === null) return null;
  const names: string[] = [];
  for (const one of readDifferences(out)) {
    const isLink = one.from.mode === GITLINK || one.to.mode === GITLINK;
    names.push(...(isLink ? await namesInside(repository, one, place) : [one.path]));
  }
  return names;
}

/** Of a repository inside: its files, and its own name where another commit is checked out or nobody can tell. */
async function namesInside(
  outer: Repository,
  { path, from, to }: Difference,
  place: MarkPlace,
): Promise<string[]> {
  const inner = await openInside(outer, path, place);
  if (inner === null) return [path];
  const [then, now] = [await readLink(inner, from, place), await readLink(inner, to, place)];
  const names = await namesBetween(inner, then.files, now.files, place);
  if (names === null) return [path];
  return [...(then.head === now.head ? [] : [path]), ...names.map((name) => `${path}/${name}`)];
}

/** A link that was never entered names a commit, and no files. */
async function readLink(
  inner: Repository,
  { mode, oid }: Difference['from'],
  place: MarkPlace,
): Promise<{ readonly files: string; readonly head: string | null }> {
  const ask = withStore(inner, place.store).ask;
  const out = mode === GITLINK ? saidBy(await ask(['ls-tree', '-z', oid])) : null;
  const entries = new Map(
    fieldsOf(out ?? '').map((line) => {
      const [, , id = ''] = line.split(/[ \t]/);
      return [line.slice(line.indexOf('\t') + 1), id];
    }),
  );
  const files = entries.get('files');
  return files === undefined
    ? { files: inner.nothing, head: oid }
    : { files, head: entries.get('head') ?? null };
}
