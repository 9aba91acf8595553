/** `dacapo prune`: removes ended loops and what crashes left behind. It keeps work that is on no branch. */
import { isAbsolute } from 'node:path';
import { hasEnded, type Loop } from '../../core/loop.ts';
import { plural } from '../../core/words/phrases.ts';
import { sayStatus, title } from '../../text/status.ts';
import { findScratch, removeScratch } from '../../files/scratch.ts';
import { loopById } from '../../operations/look/loops.ts';
import type { Runtime } from '../../store/runtime.ts';
import type { StoredHook, Store } from '../../store/store.ts';
import { paint, reply, when, failUsage } from '../terminal/terminal.ts';
import { findLoops, here } from '../context.ts';
import { findTraces, removeTraces, repositoryOf, sayTraces, type Traces } from './traces.ts';
import { ago, readAge } from '../../text/time.ts';
import { clearWorktree, type Cleared } from '../begin/worktree.ts';
import type { Call, Given } from '../command.ts';

export async function runPrune(
  { olderThan, dryRun, json }: Given<'dryRun' | 'json'> & { readonly olderThan: string },
  { runtime }: Call,
): Promise<number> {
  const age = readAge(olderThan);
  if (age === null)
    return failUsage(
      `--older-than takes an age, not ${JSON.stringify(olderThan)}.`,
      'write it like 30d, 12h or 90m.',
    );
  const now = runtime.now();
  const oldest = Date.parse(now) - age;
  const all = findLoops(true, runtime);
  const old = all.filter((loop) => hasEnded(loop) && Date.parse(loop.updatedAt) <= oldest);
  const young = all.filter((loop) => !old.includes(loop));
  const pruned = await pruneLoops(old, young, dryRun, runtime);
  const gone = pruned.filter(({ tree }) => tree.is !== 'kept');
  const removed = new Set(gone.map(({ loop }) => loop.id));
  const leftovers = runtime.store.leftovers({ removed, isAlive: runtime.isAlive, now });
  const scratch = findScratch(now);
  const staying = all.filter((loop) => !gone.some((one) => one.loop.id === loop.id));
  const traces = await findTraces([here(), ...all.map(repositoryOf)], staying);
  const hooks = hooksOfGone(runtime.store, removed);
  if (!dryRun) {
    runtime.store.sweep(leftovers);
    removeScratch(scratch);
    removeHooks(runtime.store, hooks);
    removeTraces(traces);
  }
  const swept = { pruned, leftovers: [...leftovers, ...scratch], traces, hooks, dryRun };
  return reply(json, asJson(swept), ...sayPruned(swept, olderThan, now));
}

/** If a work tree must stay, its loop stays too. Otherwise the person could not tell which loop the tree belongs to. */
async function pruneLoops(
  loops: readonly Loop[],
  staying: readonly Loop[],
  dryRun: boolean,
  runtime: Runtime,
) {
  const pruned: { readonly loop: Loop; readonly tree: Cleared }[] = [];
  for (const loop of loops) {
    const now = dryRun ? loop : loopById(loop.id, runtime);
    if (now === null || !hasEnded(now)) continue;
    const tree = await clearWorktree(loop, staying, dryRun, runtime);
    if (!dryRun && tree.is !== 'kept') runtime.store.remove(loop.id);
    pruned.push({ loop, tree });
  }
  return pruned;
}

interface Swept {
  readonly pruned: Awaited<ReturnType<typeof pruneLoops>>;
  readonly leftovers: readonly string[];
  readonly traces: readonly Traces[];
  readonly hooks: readonly StoredHook[];
  readonly dryRun: boolean;
}

function asJson({ pruned, leftovers, traces, hooks, dryRun }: Swept): unknown {
  const trees = (wanted: Cleared['is']) =>
    pruned.flatMap(({ loop, tree: { is, ...tree } }) => (is === wanted ? [{ loop: loop.id, ...tree }] : []));
  return {
    dry_run: dryRun,
    loops: pruned.flatMap(({ loop, tree }) => (tree.is === 'kept' ? [] : [loop.id])),
    worktrees: trees('cleared'),
    kept: trees('kept'),
    leftovers,
    hooks: hooks.map(({ id, taskId }) => ({ id, loop: taskId })),
    repositories: traces,
  };
}

function sayPruned(
  { pruned, leftovers, traces, hooks, dryRun }: Swept,
  olderThan: string,
  now: string,
): string[] {
  const gone = pruned.flatMap(({ loop, tree }) =>
    tree.is === 'kept' ? [] : [`${sayOld(loop, now)}${sayCleared(tree)}`],
  );
  const kept = pruned.flatMap(({ loop, tree }) =>
    tree.is === 'kept'
      ? [[sayOld(loop, now), `    ${tree.path}: ${tree.why}`, `    next: ${tree.next}`]]
      : [],
  );
  const count = [
    ...when(gone.length > 0, plural(gone.length, 'ended loop')),
    ...when(leftovers.length > 0, plural(leftovers.length, 'leftover file')),
  ].join(' and ');
  const removed = dryRun ? 'Would remove' : 'Removed';
  const stays = `${dryRun ? 'Would keep' : 'Kept'} ${plural(kept.length, 'ended loop')} because of a work tree:`;
  if (pruned.length + leftovers.length + traces.length + hooks.length === 0)
    return [`Nothing to prune: no loop ended more than ${olderThan} ago.`];
  return [
    ...when(count !== '', `${removed} ${count}${gone.length === 0 ? '.' : ':'}`, ...gone.map(paint.dim)),
    ...when(kept.length > 0, stays, ...kept.flat().map(paint.dim)),
    ...when(hooks.length > 0, `${removed} ${plural(hooks.length, 'stop hook')} of loops that are gone.`),
    ...sayTraces(traces, dryRun),
  ];
}

function sayOld(loop: Loop, now: string): string {
  return `  ${title(loop)} ${sayStatus(loop)}, ${ago(loop.updatedAt, now)}`;
}

function sayCleared(tree: Exclude<Cleared, { is: 'kept' }>): string {
  if (tree.is === 'none') return '';
  const branch = tree.branch === null ? '' : `; branch ${tree.branch} stays`;
  const notes = tree.notes === null ? '' : `; the agents' notes are kept in ${tree.notes}`;
  return `, with its work tree${branch}${notes}`;
}

/**
 * Stop hooks that `dacapo hooks add --loop ID` stored for loops that are gone. `removed`: the loops that are pruned now.
 * Hooks of a project stay, and so do those of a loop that can't be read, and a file that can't be read: each may be a guard.
 */
function hooksOfGone({ hooks, stamps }: Store, removed: ReadonlySet<string>): readonly StoredHook[] {
  const ids = new Set(stamps().flatMap(({ id }) => (removed.has(id) ? [] : [id])));
  const stored = hooks.any() ? hooks.read() : null;
  return stored?.ok === true
    ? stored.hooks.filter(({ taskId }) => !isAbsolute(taskId) && !ids.has(taskId))
    : [];
}

function removeHooks({ hooks }: Store, gone: readonly StoredHook[]): void {
  const stored = hooks.read();
  if (gone.length === 0 || !stored.ok) return;
  const ids = new Set(gone.map(({ id }) => id));
  hooks.write(stored.hooks.filter(({ id }) => !ids.has(id)));
}
