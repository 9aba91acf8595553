/** What `dacapo prune` says of what it has removed and kept. */
import { relative } from 'node:path';
import type { Loop } from '#law/loop.ts';
import { few, plural } from '#law/words/phrases.ts';
import { isIn } from '#base/files/paths.ts';
import type { StoredHook } from '#store/store.ts';
import { sayStatus, title } from '#telling/person/status.ts';
import { ago } from '#telling/time.ts';
import type { ClearedWorktree } from '../begin/worktree.ts';
import { paint, linesWhen } from '../terminal/terminal.ts';
import { sayTraces, type Traces } from './traces.ts';

const MAX_FILES_LISTED = 10;

export interface Pruned {
  readonly loop: Loop;
  readonly tree: ClearedWorktree;
}

export interface PruneResult {
  readonly pruned: readonly Pruned[];
  readonly unfinished: readonly Loop[];
  readonly leftovers: readonly string[];
  readonly traces: readonly Traces[];
  readonly hooks: readonly StoredHook[];
  readonly dryRun: boolean;
}

export function asJson({ pruned, unfinished, leftovers, traces, hooks, dryRun }: PruneResult): unknown {
  const trees = (wanted: ClearedWorktree['is']) =>
    pruned.flatMap(({ loop, tree: { is, ...tree } }) => (is === wanted ? [{ loop: loop.id, ...tree }] : []));
  return {
    dry_run: dryRun,
    loops: pruned.flatMap(({ loop, tree }) => (tree.is === 'kept' ? [] : [loop.id])),
    worktrees: trees('cleared'),
    kept: trees('kept'),
    unfinished: unfinished.map(({ id }) => id),
    leftovers,
    hooks: hooks.map(({ id, taskId }) => ({ id, loop: taskId })),
    repositories: traces,
  };
}

export function sayPruned(
  { pruned, unfinished, leftovers, traces, hooks, dryRun }: PruneResult,
  { now, home, looked }: { readonly now: string; readonly home: string; readonly looked: string },
): string[] {
  const gone = pruned.flatMap(({ loop, tree }) =>
    tree.is === 'kept' ? [] : [`${sayOld(loop, now)}${sayCleared(tree)}`],
  );
  const kept = pruned.flatMap(({ loop, tree }) =>
    tree.is === 'kept'
      ? [[sayOld(loop, now), `    ${tree.path}: ${tree.why}`, `    next: ${tree.next}`]]
      : [],
  );
  const [removed, keeps] = dryRun ? ['Would remove', 'Would keep'] : ['Removed', 'Kept'];
  const files = few(leftovers, (path) => `  ${sayLeftover(path, home)}`, MAX_FILES_LISTED);
  const [first] = unfinished;
  const total = pruned.length + leftovers.length + traces.length + hooks.length;
  return [
    ...linesWhen(total + unfinished.length === 0, `Nothing to prune: ${looked}.`),
    ...linesWhen(gone.length > 0, `${removed} ${plural(gone.length, 'ended loop')}:`, ...gone.map(paint.dim)),
    ...linesWhen(
      kept.length > 0,
      `${keeps} ${plural(kept.length, 'ended loop')} because of a work tree:`,
      ...kept.flat().map(paint.dim),
    ),
    ...linesWhen(
      first !== undefined,
      `${keeps} ${plural(unfinished.length, 'loop')} that dacapo resume could continue:`,
      ...unfinished.map((loop) => paint.dim(sayOld(loop, now))),
      `  next: dacapo prune ${first?.id} removes one, dacapo prune --unfinished all of them`,
    ),
    ...linesWhen(
      files.length > 0,
      `${removed} ${plural(leftovers.length, 'leftover file')}:`,
      ...files.map(paint.dim),
    ),
    ...linesWhen(hooks.length > 0, `${removed} ${plural(hooks.length, 'stop hook')} of loops that are gone.`),
    ...sayTraces(traces, dryRun),
  ];
}

function sayLeftover(path: string, home: string): string {
  return isIn(path, home) ? relative(home, path) : path;
}

export function sayOld(loop: Loop, now: string): string {
  return `  ${title(loop)} ${sayStatus(loop)}, ${ago(loop.updatedAt, now)}`;
}

function sayCleared(tree: Exclude<ClearedWorktree, { is: 'kept' }>): string {
  if (tree.is === 'none') return '';
  const branch = tree.branch === null ? '' : `; branch ${tree.branch} stays`;
  const notes = tree.notes === null ? '' : `; the agents' notes are kept in ${tree.notes}`;
  return `, with its work tree${branch}${notes}`;
}
