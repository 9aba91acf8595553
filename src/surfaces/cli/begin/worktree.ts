/**
 * The work tree of a run: says where the work is when the run has ended, and removes the tree with its loop.
 */
import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { oneLine } from '#base/words/sanitize.ts';
import { hasEnded, planOf, type Loop } from '#law/loop.ts';
import type { Refusal } from '#base/refusal.ts';
import { plural, sayNames } from '#law/words/phrases.ts';
import { title } from '#telling/person/status.ts';
import { inspect } from '#evidence/git/lists.ts';
import {
  mayRemoveWorktree,
  removeWorktree,
  worktreeAround,
  worktreePath,
} from '#evidence/git/worktree/worktree.ts';
import { notesPath } from '#engine/driver/work.ts';
import type { Runtime } from '#store/runtime.ts';
import { liesIn, realPath } from '#base/files/paths.ts';
import { replaceFile } from '#store/file/home.ts';
import { here } from '../context.ts';
import { linesWhen } from '../terminal/terminal.ts';
import { shellWord } from '#base/words/shell-quote.ts';

/** The work is not in the project, and the message at the start has scrolled away. */
export async function sayWhere(loop: Loop, { store }: Runtime): Promise<string[]> {
  if (planOf(loop).worktreeOf === null) return [];
  const found = await inspect(loop.project);
  const branch = found.ok ? found.branch : planOf(loop).branch;
  const path = found.ok ? found.root : loop.project;
  const open = found.ok ? found.dirty : [];
  const on = branch === null ? 'on no branch' : `on branch ${branch}`;
  const where = `Da Capo: its work is in ${path}, ${on}.`;
  // A loop that can continue will continue there, so no advice about merging.
  if (!hasEnded(loop)) return [where];
  const uncommitted = `${plural(open.length, 'file')} (${sayNames(open)})`;
  const isOurs = worktreeAround(store.place(), loop.project) !== null;
  const prune = isOurs ? '; dacapo prune does it for old loops' : '';
  return [
    where,
    ...linesWhen(
      open.length > 0,
      `  Not committed there: ${uncommitted}. Commit first what you want to keep.`,
    ),
    ...(branch === null ? [] : [`  To take it over:  git merge ${shellWord(branch)}`]),
    `  To clear it away: git worktree remove ${shellWord(path)} (the branch stays)${prune}`,
  ];
}

export type ClearedWorktree = Awaited<ReturnType<typeof clearWorktree>>;

/**
 * Removes the work tree if nothing is lost: everything is committed, the branch stays and no other loop uses
 * it. `notes`: where the agents' notes were copied to.
 */
export async function clearWorktree(loop: Loop, staying: readonly Loop[], dryRun: boolean, runtime: Runtime) {
  const { worktreeOf } = planOf(loop);
  const home = runtime.store.place();
  const name = worktreeOf === null ? null : worktreeAround(home, loop.project);
  if (worktreeOf === null || name === null) return { is: 'none' as const };
  const path = worktreePath(home, name);
  if (!existsSync(path)) return { is: 'none' as const };
  const root = realPath(path);
  const user = staying.find(({ project }) => liesIn(root, project));
  if (user !== undefined)
    return kept(path, `loop ${title(user)} works there too`, 'prune again when it is over');
  if (liesIn(root, here())) return kept(path, 'you are in it', 'cd elsewhere, and prune again');
  const notes = notesPath(loop);
  const copied = lstatSync(notes, { throwIfNoEntry: false })?.isFile() === true ? [notes] : [];
  const order = { project: worktreeOf, loop: name, home, copied };
  const may = await mayRemoveWorktree(order);
  if (!may.ok) return refuseWorktree(may, path);
  const copy = copied.length === 0 ? null : join(home, 'notes', `${loop.id}.md`);
  const cleared = { is: 'cleared' as const, path, branch: may.branch, notes: copy };
  if (dryRun) return cleared;
  if (copy !== null) replaceFile(copy, readFileSync(notes));
  const removed = await removeWorktree(order);
  return removed.ok ? { ...cleared, branch: removed.branch } : refuseWorktree(removed, path);
}

function kept(path: string, why: string, next: string) {
  return { is: 'kept' as const, path, why, next };
}

const MAX_REASON_CHARS = 300;

function refuseWorktree({ code, message }: Refusal, path: string) {
  // Without the repository, git can't remove the work tree.
  const clear = code === 'no-repository' ? 'rm -r' : 'git worktree remove --force';
  // It follows a colon, so it starts in lower case and has no full stop.
  const why = oneLine(message, MAX_REASON_CHARS)
    .replace(/^The worktree /, 'it ')
    .replace(/^./, (first) => first.toLowerCase())
    .replace(/\.$/, '');
  return kept(path, why, `take from it what you need, then ${clear} ${shellWord(path)}`);
}
