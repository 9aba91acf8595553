/** Removes a loop's worktree. The branch stays. Refuses if the worktree holds work that is on no branch. */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { refuse, type Refusal } from '../../core/refusal.ts';
import { isId } from '../../core/shape.ts';
import { MADE_BY_PROGRAMS } from '../marks/folder-scan.ts';
import { switchOff } from '../filters.ts';
import { fieldsOf, readable } from '../git.ts';
import { dirtyFiles } from '../lists.ts';
import { sayNames } from '../../core/words/phrases.ts';
import { heard, obeyed, openRepository, type Repository } from '../repository.ts';
import { worktreePath, type WorktreeOrder } from './worktree.ts';

export interface RemovalOrder extends WorktreeOrder {
  /** Files in the worktree of which we keep a copy elsewhere, as absolute paths: they may go. */
  readonly copied?: readonly string[];
}

export interface Removable {
  readonly ok: true;
  readonly path: string;
  readonly branch: string | null;
  /** The filters that the repository's settings define for this work tree. */
  readonly filters: readonly string[];
}

/** Whether the worktree may be removed; reads only. */
export async function mayRemoveWorktree(order: RemovalOrder): Promise<Removable | Refusal> {
  const path = worktreePath(order.home, order.loop);
  const tree = isId(order.loop) && existsSync(path) ? await openRepository(path) : null;
  if (tree === null)
    return refuse('no-worktree', `There is no worktree at ${path}.`, 'There is nothing to remove.');
  if (!tree.ok) return tree;
  const isCopied = copiesIn(tree, order.copied ?? []);
  const [ignored, changed] = [await precious(tree), await dirtyFiles(tree)];
  if (!Array.isArray(ignored)) return ignored;
  if (!Array.isArray(changed)) return changed;
  const lost = ignored.filter((name) => !isCopied(name));
  if (lost.length > 0)
    return refuse(
      'ignored-files',
      `The worktree holds files that git ignores and that would be lost: ${sayNames(lost)}.`,
      `Copy what you need from ${path}.`,
    );
  const dirty = changed.filter((name) => !isCopied(name));
  // A commit that is on no branch would be lost with the worktree.
  if (tree.operation !== null || tree.branch === null || dirty.length > 0)
    return refuse('uncommitted', sayUnsaved(tree, dirty), `Commit it in ${path}.`);
  return { ok: true, path, branch: tree.branch, filters: tree.ownFilters };
}

function sayUnsaved({ operation, branch }: Repository, dirty: readonly string[]): string {
  if (operation !== null) return `The worktree is in the middle of a ${operation}.`;
  return branch === null
    ? 'The worktree is on no branch: its commits might be lost.'
    : `The worktree holds uncommitted work: ${sayNames(dirty)}.`;
}

/** The branch stays, with all its commits. */
export async function removeWorktree(order: RemovalOrder): Promise<Removable | Refusal> {
  const main = await openRepository(order.project);
  if (!main.ok) return main;
  const may = await mayRemoveWorktree(order);
  if (!may.ok) return may;
  // Then we need not use `--force`: if a file appears at this moment, git still finds it and refuses.
  for (const file of order.copied ?? []) rmSync(file, { force: true });
  // Git reads the worktree with the settings that apply there, which may differ from those of the main work tree.
  const env = switchOff([...new Set([...main.ownFilters, ...may.filters])]);
  const removed = await main.ask(['worktree', 'remove', may.path], { env });
  return obeyed(removed, 'worktree', 'The worktree could not be removed') ?? may;
}

/** Ignored files, but for those that programs can make again. */
async function precious({ ask }: Repository): Promise<string[] | Refusal> {
  const args = ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory'];
  const out = heard(await ask(args), 'unreadable', 'The work tree could not be read');
  if (typeof out !== 'string') return out;
  const isMade = (name: string) => name.split('/').some((part) => MADE_BY_PROGRAMS.includes(part));
  return fieldsOf(out)
    .map(readable)
    .filter((name) => !isMade(name));
}

/**
 * Takes a name as git gives it. If git ignores all that is in a folder, that is the folder's name with a slash at its
 * end.
 */
function copiesIn({ root }: Repository, copied: readonly string[]): (name: string) => boolean {
  return (name) => {
    const path = join(root, name);
    if (!name.endsWith('/') || copied.every((file) => !file.startsWith(path))) return copied.includes(path);
    return filesIn(path).every((file) => copied.includes(file));
  };
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name));
}
