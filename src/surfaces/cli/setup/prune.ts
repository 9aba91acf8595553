/**
 * `dacapo prune`: removes ended loops of this project and what crashes left behind. It keeps work that is on
 * no branch, and a loop that could still be resumed unless it is named.
 */
import { isAbsolute } from 'node:path';
import { hasEnded, type Loop } from '#law/loop.ts';
import { plural } from '#law/words/phrases.ts';
import { findScratch, removeScratch } from '#base/files/scratch.ts';
import { loopsToActOn } from '#engine/look/find.ts';
import { loopById } from '#engine/look/loops.ts';
import { mayRemoveLoop } from '#engine/steer/prune.ts';
import type { Runtime } from '#store/runtime.ts';
import type { StoredHook, Store } from '#store/store.ts';
import { sayStatus, title } from '#telling/person/status.ts';
import { readAge } from '#telling/time.ts';
import { clearWorktree } from '../begin/worktree.ts';
import type { CommandCall, GivenFlags } from '../command.ts';
import { choiceOf, findLoops, here, pickNewest } from '../context.ts';
import { confirm, isConversation } from '../terminal/confirm.ts';
import { EXIT, fail, failUsage, reply, printLines } from '../terminal/terminal.ts';
import { asJson, sayOld, sayPruned, type Pruned } from './prune-report.ts';
import { findTraces, removeTraces, repositoryOf } from './traces.ts';

type PruneOptions = GivenFlags<'all' | 'unfinished' | 'dryRun' | 'json', 'id'> & {
  readonly olderThan: string;
};

export async function runPrune(options: PruneOptions, { runtime }: CommandCall): Promise<number> {
  const { id, olderThan, dryRun, json } = options;
  const age = readAge(olderThan);
  if (age === null)
    return failUsage(
      `--older-than takes an age, not ${JSON.stringify(olderThan)}.`,
      'write it like 30d, 12h or 90m.',
    );
  const everything = findLoops(true, runtime);
  const chosen = id === undefined ? chooseByAge(options, age, everything, runtime) : chooseNamed(id, runtime);
  if (typeof chosen === 'number') return chosen;
  const { scope, old, unfinished } = chosen;
  const now = runtime.now();
  if (!dryRun && old.length > 1 && isConversation(json)) {
    printLines(`${plural(old.length, 'ended loop')} would be removed, with their records and evidence:`);
    printLines(...old.map((loop) => sayOld(loop, now)));
    if (!(await confirm(`Remove these ${old.length} loops?`, false))) {
      printLines('Nothing is removed.');
      return EXIT.ok;
    }
  }
  const young = everything.filter((loop) => !old.some((one) => one.id === loop.id));
  const pruned = await pruneLoops(old, young, dryRun, runtime);
  const gone = pruned.filter(({ tree }) => tree.is !== 'kept');
  const removed = new Set(gone.map(({ loop }) => loop.id));
  const leftovers = runtime.store.leftovers({ removed, isAlive: runtime.isAlive, now });
  const scratch = findScratch(now);
  const staying = everything.filter((loop) => !removed.has(loop.id));
  const traces = await findTraces([here(), ...scope.map(repositoryOf)], staying);
  const hooks = hooksOfGone(runtime.store, removed);
  if (!dryRun) {
    runtime.store.sweep(leftovers);
    removeScratch(scratch);
    removeHooks(runtime.store, hooks);
    removeTraces(traces);
  }
  const swept = { pruned, unfinished, leftovers: [...leftovers, ...scratch], traces, hooks, dryRun };
  const looked = `no loop${options.all ? '' : ' of this project'} ended more than ${olderThan} ago`;
  return reply(json, asJson(swept), ...sayPruned(swept, { now, home: runtime.store.place(), looked }));
}

interface PruneScope {
  /** The loops that this prune looks at. */
  readonly scope: readonly Loop[];
  readonly old: readonly Loop[];
  /** Old enough, but `dacapo resume` could continue them. */
  readonly unfinished: readonly Loop[];
}

/** Outside of any project, the loops of the projects below are not meant. */
function chooseByAge(
  { all, unfinished: wantsUnfinished }: PruneOptions,
  age: number,
  everything: readonly Loop[],
  runtime: Runtime,
): PruneScope {
  const scope = all ? everything : loopsToActOn(choiceOf(undefined), runtime).own;
  const oldest = Date.parse(runtime.now()) - age;
  // A prune that was killed has left those that are marked.
  const isOld = ({ updatedAt, pruned }: Loop) => pruned === true || Date.parse(updatedAt) <= oldest;
  const ended = scope.filter((loop) => hasEnded(loop) && isOld(loop));
  const unfinished = wantsUnfinished ? [] : ended.filter(couldContinue);
  return { scope, old: ended.filter((loop) => !unfinished.includes(loop)), unfinished };
}

function chooseNamed(id: string, runtime: Runtime): PruneScope | number {
  const loop = pickNewest(id, { verb: 'prune' }, runtime);
  if (typeof loop === 'number') return loop;
  if (!hasEnded(loop))
    return fail(
      `loop ${title(loop)} has not ended: ${sayStatus(loop)}.`,
      `end it first: dacapo cancel ${loop.id}`,
    );
  return { scope: [loop], old: [loop], unfinished: [] };
}

/** The loop ended undone, and nobody has said that this is the end of it. */
function couldContinue({ status, pruned }: Loop): boolean {
  if (pruned === true) return false;
  return status.is === 'exhausted' || status.is === 'escalated' || status.is === 'stuck';
}

/**
 * If a work tree must stay, its loop stays too. Otherwise the person could not tell which loop the tree
 * belongs to.
 */
async function pruneLoops(
  loops: readonly Loop[],
  staying: readonly Loop[],
  dryRun: boolean,
  runtime: Runtime,
) {
  const pruned: Pruned[] = [];
  for (const loop of loops) {
    const now = dryRun ? loop : loopById(loop.id, runtime);
    if (now === null || !hasEnded(now)) continue;
    const found = await clearWorktree(loop, staying, true, runtime);
    const stays = dryRun || found.is === 'kept';
    if (!stays && !mayRemoveLoop(loop.id, runtime)) continue;
    const tree = stays ? found : await clearWorktree(loop, staying, false, runtime);
    if (!stays && tree.is !== 'kept') runtime.store.remove(loop.id);
    pruned.push({ loop, tree });
  }
  return pruned;
}

/**
 * Stop hooks that `dacapo hooks add --loop ID` stored for loops that are gone. `removed`: the loops that are
 * pruned now. Hooks of a project stay, and so do those of a loop that can't be read, and a file that can't be
 * read: each may be a guard.
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
