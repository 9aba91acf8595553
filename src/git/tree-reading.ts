/** What stands in a repository's work tree, its submodules included. Looks only: neither index, objects nor files are written. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findFilters } from './filters.ts';
import { bytesOf, fileAt, git, readable, saidBy, type GitOptions } from './git.ts';
import { GITLINK, readIndex, readStatus, STATUS, type Status } from './lists.ts';
import { GONE, identify, identifyLines, identityOf, type Wanted } from './identity.ts';

/** Of a work tree, what does not count. Names are as seen from the repository's root, as bytes. */
export interface Apart {
  readonly ignored: (path: string) => boolean;
  /** Which lines of the file don't count; null: all do. */
  readonly withoutLines: (path: string) => RegExp | null;
}

export interface TreeReading {
  readonly head: string | null;
  /** Every file by its name, as bytes. */
  readonly files: Map<string, string>;
  /** Those that are not what `head` holds. */
  readonly dirty: Map<string, string>;
}

/** Null: git did not answer in time, or the work tree changed under the eye. */
export async function readTree(root: string, apart: Apart, options: GitOptions): Promise<TreeReading | null> {
  const filters = await findFilters('all', { ...options, at: root });
  if (filters === null) return null;
  const here = { ...options, at: root, env: filters.off };
  const [index, status, format] = await Promise.all([
    git(['ls-files', '--stage', '-z'], here).then(saidBy),
    git(STATUS, here).then(saidBy),
    git(['rev-parse', '--show-object-format'], here).then(saidBy),
  ]);
  if (index === null || status === null || format === null) return null;
  return gather(root, index, readStatus(status), format.trim(), apart, here);
}

async function gather(
  root: string,
  index: string,
  status: Status,
  format: string,
  apart: Apart,
  here: GitOptions,
): Promise<TreeReading | null> {
  const indexed = readIndex(index);
  const files = new Map(indexed.map(({ path, mode, oid }) => [path, identityOf(mode, oid)]));
  const dirty = new Map<string, string>();
  const links = new Set(indexed.filter(({ mode }) => mode === GITLINK).map(({ path }) => path));

  const wanted: Wanted[] = status.unmerged.map((path) => ({ path, mode: null }));
  for (const { path, inTree, mode, indexed: staged } of status.changed) {
    if (mode === GITLINK) links.add(path);
    else if (inTree !== '.') wanted.push({ path, mode });
    else dirty.set(path, staged === null ? GONE : identityOf(staged.mode, staged.oid));
  }
  for (const path of status.untracked) {
    if (path.endsWith('/')) links.add(path.slice(0, -1));
    else wanted.push({ path, mode: null });
  }
  const counting = wanted.filter(({ path }) => !apart.ignored(path));
  const identities = await identify(root, counting, format, here);
  if (identities === null) return null;
  for (const [path, identity] of identities) dirty.set(path, identity);
  for (const [path, identity] of dirty) {
    if (identity === GONE) files.delete(path);
    else files.set(path, identity);
  }
  for (const path of links) if (!(await enter(root, path, { files, dirty }, apart, here))) return null;
  setApart(root, { files, dirty }, apart);
  return { head: status.head, files, dirty };
}

type Lists = Pick<TreeReading, 'files' | 'dirty'>;

/** A repository inside: its commit and its own files count as ours. One that is not checked out has none. */
async function enter(
  root: string,
  path: string,
  into: Lists,
  apart: Apart,
  here: GitOptions,
): Promise<boolean> {
  const inner = fileAt(root, path).toString('utf8');
  if (apart.ignored(path) || bytesOf(readable(path)) !== path || !existsSync(join(inner, '.git')))
    return true;
  const below = (name: string) => `${path}/${name}`;
  const reading = await readTree(
    inner,
    {
      ignored: (name) => apart.ignored(below(name)),
      withoutLines: (name) => apart.withoutLines(below(name)),
    },
    here,
  );
  if (reading === null) return false;
  const identity = identityOf(GITLINK, reading.head ?? 'unborn');
  if (into.files.get(path) !== identity) into.dirty.set(path, identity);
  into.files.set(path, identity);
  for (const [name, value] of reading.files) into.files.set(below(name), value);
  for (const [name, value] of reading.dirty) into.dirty.set(below(name), value);
  return true;
}

/** What counts in part is told by its own content always, dirty or not: its identity is not git's. */
function setApart(root: string, { files, dirty }: Lists, apart: Apart): void {
  for (const path of files.keys()) {
    const without = apart.withoutLines(path);
    if (apart.ignored(path)) files.delete(path);
    else if (without !== null) {
      const identity = identifyLines(root, path, without);
      files.set(path, identity);
      dirty.set(path, identity);
    }
  }
  for (const path of dirty.keys()) if (apart.ignored(path)) dirty.delete(path);
}

export function digestOf(files: ReadonlyMap<string, string>): string {
  const digest = createHash('sha256');
  for (const path of [...files.keys()].toSorted(byBytes))
    digest.update(`${path}\0${files.get(path)}\n`, 'latin1');
  return digest.digest('hex').slice(0, 32);
}

function byBytes(a: string, b: string): number {
  return a < b ? -1 : 1;
}
