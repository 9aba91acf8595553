/**
 * Writes a tree of its own: ground for those who judge work (a reviewer, a check in a clean room), which the
 * agent that did the work can't write to. It holds what git knows, and no `.git`: no ignored file, no
 * settings, no hooks. The project and its repository stay untouched, and none of the repository's programs
 * runs.
 *
 *     withExportFolder({ home, isAlive }, async (to) => {
 *       await exportTree({ project, from: { is: 'work-tree' }, to, isWanted: (path) => !isTest(path) });
 *       // Laid over it:
 *       await exportTree({ project, from: { is: 'tree', tree, store }, to, isWanted: isTest });
 *       makeReadOnly(to);
 *     });
 */
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { refuse, type Refusal } from '#base/refusal.ts';
import { realPath } from '#base/files/paths.ts';
import { bytesOf, fieldsOf, readable, statAt } from '../git.ts';
import { MADE_BY_PROGRAMS } from '../marks/folder-scan.ts';
import { heard, ignoresProject, openRepository, type Repository } from '../repository.ts';
import { checkOutTree } from './check-out-tree.ts';
import { copierBetween } from './copy-files.ts';

export type ExportSource =
  /**
   * The files as they are now: those that git tracks, and new ones that it does not ignore, also in
   * submodules. Without git, all but folders that programs make.
   */
  | { readonly is: 'work-tree' }
  /**
   * A commit, or a tree whose contents `store` holds (a snapshot or a point; a mark alone has none).
   * Attributes are the tree's own and settings the user's, but no filter runs: a file of git-lfs comes as its
   * pointer. Submodules are left out.
   */
  | { readonly is: 'tree'; readonly tree: string; readonly store: string }
  /** Files that Da Capo has kept, for projects without git. */
  | { readonly is: 'folder'; readonly folder: string };

export interface ExportOrder {
  readonly project: string;
  readonly from: ExportSource;
  /** A folder that exists. What it holds stays, but for files of the same names. */
  readonly to: string;
  /** Takes names relative to the root of the repository, with slashes. */
  readonly isWanted?: (path: string) => boolean;
  readonly signal?: AbortSignal;
}

export interface Exported {
  readonly ok: true;
  /** Where the project is: as deep in the export as it is in its repository. */
  readonly project: string;
  /** What was written, relative to the root of the repository. */
  readonly files: readonly string[];
}

/** Names as bytes, relative to the root. */
interface Listing {
  readonly ok: true;
  readonly root: string;
  readonly prefix: string;
  readonly paths: readonly string[];
}

/** A folder without git with more files is more often somebody's home than a project. */
const MAX_FILES_WITHOUT_GIT = 50_000;
/** After this many files other work gets its turn, and an abort counts. */
const FILES_PER_TURN = 500;

export async function exportTree(order: ExportOrder): Promise<Exported | Refusal> {
  const { project, from, signal } = order;
  if (from.is === 'folder') return copyListed(listFolder(from.folder), order);
  const repository = await openRepository(project, { filters: 'all', ...(signal && { signal }) });
  if (from.is === 'tree') {
    if (!repository.ok) return repository;
    const files = await checkOutTree(repository, { ...from, ...order });
    return Array.isArray(files)
      ? { ok: true, project: makeProjectFolder(order.to, repository.prefix), files }
      : files;
  }
  if (!repository.ok && SILENT.includes(repository.code)) return repository;
  const isSeen = repository.ok && !(await ignoresProject(repository));
  return copyListed(isSeen ? await listRepository(repository) : listFolder(project), order);
}

/** There may be a repository, but it does not answer. */
const SILENT: readonly string[] = ['git-silent', 'git-old'];

async function listRepository(repository: Repository): Promise<Listing | Refusal> {
  const { ask, root, prefix } = repository;
  const listed = await ask(['ls-files', '-z', '--cached', '--others', '--exclude-standard']);
  const out = heard(listed, 'unreadable', 'The work tree could not be read');
  if (typeof out !== 'string') return out;
  const paths: string[] = [];
  for (const name of new Set(fieldsOf(out))) {
    const path = name.replace(/\/$/, '');
    if (statAt(root, path)?.isDirectory() !== true) paths.push(path);
    else {
      const inner = await listInside(root, path);
      if (!inner.ok) return inner;
      paths.push(...inner.paths.map((one) => `${path}/${one}`));
    }
  }
  return { ok: true, root, prefix, paths };
}

/** A submodule or another nested repository. One that is not checked out has no files. */
async function listInside(root: string, path: string): Promise<Pick<Listing, 'ok' | 'paths'> | Refusal> {
  const folder = join(root, readable(path));
  const isThere = bytesOf(readable(path)) === path && existsSync(join(folder, '.git'));
  const inner = isThere ? await openRepository(folder, { filters: 'all' }) : null;
  // If its own `.git` is broken, git finds the repository around it.
  if (inner?.ok !== true || inner.prefix !== '' || realPath(inner.root) !== realPath(folder))
    return { ok: true, paths: [] };
  return listRepository(inner);
}

function listFolder(root: string): Listing | Refusal {
  const paths: string[] = [];
  const folders = [''];
  for (let at = folders.pop(); at !== undefined; at = folders.pop())
    for (const entry of entriesIn(root, at)) {
      const path = `${at}${entry.name}`;
      if (!entry.isDirectory()) paths.push(path);
      else if (!MADE_BY_PROGRAMS.includes(entry.name)) folders.push(`${path}/`);
      if (paths.length > MAX_FILES_WITHOUT_GIT)
        return refuse(
          'too-many-files',
          `${root} has more than ${MAX_FILES_WITHOUT_GIT} files and no git.`,
          'Run `git init` there.',
        );
    }
  return { ok: true, root, prefix: '', paths };
}

/** Names as bytes. A folder that can't be read has no files for us. */
function entriesIn(root: string, folder: string) {
  try {
    return readdirSync(Buffer.from(`${bytesOf(root)}/${folder}`, 'latin1'), {
      withFileTypes: true,
      encoding: 'latin1',
    });
  } catch {
    return [];
  }
}

async function copyListed(listing: Listing | Refusal, order: ExportOrder): Promise<Exported | Refusal> {
  if (!listing.ok) return listing;
  const { to, isWanted = () => true, signal } = order;
  const copy = copierBetween(listing.root, to);
  const files: string[] = [];
  for (const [i, path] of listing.paths.entries()) {
    if (i % FILES_PER_TURN === 0) await new Promise(setImmediate);
    if (signal?.aborted) return refuseAborted();
    const name = readable(path);
    if (isWanted(name) && copy(path)) files.push(name);
  }
  return { ok: true, project: makeProjectFolder(to, listing.prefix), files };
}

/** Nothing in it may be wanted. */
function makeProjectFolder(to: string, prefix: string): string {
  const project = join(to, readable(prefix));
  mkdirSync(project, { recursive: true });
  return project;
}

function refuseAborted(): Refusal {
  return refuse('aborted', 'The export was stopped.', 'Run the command again.');
}
