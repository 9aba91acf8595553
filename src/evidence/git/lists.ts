/** Git's lists: `status`, `ls-files --stage`, raw differences. All are NUL-separated, with names as bytes. */
import { posix } from 'node:path';
import { globs, type Matches } from '#base/globs.ts';
import { isRefusal, type Refusal } from '#base/refusal.ts';
import { bytesOf, fieldsOf, readable, saidBy } from './git.ts';
import { heard, openRepository, type Repository } from './repository.ts';
import { operands } from './words.ts';

export const STATUS_COMMAND = [
  'status',
  '--porcelain=v2',
  '-z',
  '--untracked-files=all',
  '--no-renames',
  // Any deeper, git would start itself in each submodule, with settings that we have not checked.
  '--ignore-submodules=dirty',
] as const;

/** Also names the commit with which the index was compared. */
export const STATUS_WITH_HEAD = [...STATUS_COMMAND, '--branch', '--no-ahead-behind'] as const;

export interface StatusEntry {
  readonly path: string;
  readonly is: 'changed' | 'in-conflict' | 'untracked';
  /** Git's letters for what is staged, and for how the work tree differs from that. `.`: not at all. */
  readonly staged: string;
  readonly unstaged: string;
}

export interface WorkTreeStatus {
  /** Null: there is none, or git was not asked for it. */
  readonly head: string | null;
  readonly entries: readonly StatusEntry[];
}

/** The kinds of lines, and how many words come before the name in each. */
const STATUS_LINES: Readonly<Record<string, readonly [is: StatusEntry['is'], wordsBefore: number]>> = {
  '1': ['changed', 8],
  u: ['in-conflict', 10],
  '?': ['untracked', 1],
};

export function readStatus(out: string): WorkTreeStatus {
  let head: string | null = null;
  const entries: StatusEntry[] = [];
  for (const line of fieldsOf(out)) {
    head ??= /^# branch\.oid ([0-9a-f]+)$/.exec(line)?.[1] ?? null;
    const [is, wordsBefore] = STATUS_LINES[line.charAt(0)] ?? [];
    if (is === undefined) continue;
    const path = line.split(' ').slice(wordsBefore).join(' ');
    const [staged = '', unstaged = ''] = is === 'untracked' ? '??' : line.slice(2, 4);
    entries.push({ path, is, staged, unstaged });
  }
  return { head, entries };
}

export function dirtyIn(out: string): string[] {
  return [...new Set(readStatus(out).entries.map(({ path }) => path))].toSorted();
}

/** Without files that git does not track. */
export const NO_NEW = '--untracked-files=no';

/** The same, for people. Paths are relative to the root. */
export async function dirtyFiles(
  { ask }: Repository,
  ...flags: readonly (typeof NO_NEW)[]
): Promise<string[] | Refusal> {
  const out = heard(
    await ask([...STATUS_COMMAND, ...flags]),
    'unreadable',
    'The work tree could not be read',
  );
  return typeof out === 'string' ? dirtyIn(out).map(readable) : out;
}

interface Content {
  readonly mode: string;
  readonly oid: string;
}

export interface ListedEntry extends Content {
  readonly path: string;
}

export interface TrackedEntry extends ListedEntry {
  /** Git was told not to look at it (`update-index --assume-unchanged`, `--skip-worktree`). */
  readonly isHidden: boolean;
}

export const LIST_TRACKED = ['ls-files', '-v', '--stage', '-z'] as const;

/** Parses what `LIST_TRACKED` says. Leaves out files in conflict. */
export function readTracked(out: string): TrackedEntry[] {
  return fieldsOf(out).flatMap((line) => {
    const tab = line.indexOf('\t');
    const [tag = '', mode = '', oid = '', stage] = line.slice(0, tab).split(' ');
    const isHidden = /^[a-z]$|^S$/.test(tag);
    return stage === '0' ? [{ path: line.slice(tab + 1), mode, oid, isHidden }] : [];
  });
}

export interface Difference {
  readonly path: string;
  readonly status: string;
  readonly from: Content;
  readonly to: Content;
}

export function isDeletion({ to }: Difference): boolean {
  return to.mode === ABSENT;
}

export function entryAfter({ path, to }: Difference): ListedEntry {
  return { path, ...to };
}

/** Compares two trees or commits. A raw list involves neither textconv nor an external diff program. */
export function rawDifference(from: string, to: string, ...flags: readonly '-t'[]) {
  const raw = ['-r', '-z', '--raw', '--no-abbrev', '--no-renames'] as const;
  return ['diff-tree', ...raw, ...flags, ...operands(from, to)] as const;
}

export function parseDifferences(out: string): Difference[] {
  const fields = fieldsOf(out);
  const found: Difference[] = [];
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const [mode = '', toMode = '', oid = '', toOid = '', status = ''] = (fields[i] ?? '').slice(1).split(' ');
    const path = fields[i + 1] ?? '';
    found.push({ path, status, from: { mode, oid }, to: { mode: toMode, oid: toOid } });
  }
  return found;
}

export const ABSENT = '000000';
/** A submodule. */
export const GITLINK = '160000';

export async function differences({ ask }: Repository, from: string, to: string) {
  const out = heard(await ask(rawDifference(from, to)), 'tree', 'Two states could not be compared');
  return typeof out === 'string' ? parseDifferences(out) : out;
}

export type TreePair = readonly [from: string, to: string];

export async function pathsBetween(repository: Repository, pairs: readonly TreePair[]) {
  const paths = new Set<string>();
  for (const [from, to] of pairs) {
    if (from === to) continue;
    const found = await differences(repository, from, to);
    if (isRefusal(found)) return found;
    for (const { path } of found) paths.add(path);
  }
  return paths;
}

/**
 * File patterns (`base/globs.ts`) for such names. They are relative to the project, which lies below the root
 * at `prefix`.
 */
export function matcherOf(patterns: readonly string[], prefix = ''): Matches {
  if (patterns.length === 0) return () => false;
  const matches = globs(patterns.map(bytesOf));
  return (path) => matches(seenFromPrefix(prefix, path));
}

/** `prefix` is empty or ends in a slash, as in `rev-parse --show-prefix`. */
export function seenFromPrefix(prefix: string, path: string): string {
  if (prefix === '') return path;
  return path.startsWith(prefix) ? path.slice(prefix.length) : posix.relative(`/${prefix}`, `/${path}`);
}

/** For messages at a start. `dirty`: changed, staged, in conflict or untracked; relative to the root. */
export async function inspect(project: string) {
  const repository = await openRepository(project);
  if (!repository.ok) return repository;
  const { ok, root, head, branch, operation } = repository;
  const dirty = await dirtyFiles(repository);
  return Array.isArray(dirty) ? { ok, root, head, branch, operation, dirty } : dirty;
}

/** Patterns without which git would show no new file. Empty if git does not answer. */
export async function hidingNothing(project: string, patterns: readonly string[]): Promise<string[]> {
  const repository = patterns.length === 0 ? null : await openRepository(project);
  if (repository?.ok !== true) return [];
  const { ask } = repository;
  const found = await Promise.all(
    patterns.map(async (pattern) =>
      saidBy(await ask(['ls-files', '-z', '--others', '--ignored', `--exclude=${pattern}`])),
    ),
  );
  return patterns.filter((_, i) => found[i] === '');
}
