/** Checkpoints of a task: where the work stands, and the hooks that were registered then. */
import { hasEnded, topFrame } from '../core/loop.ts';
import { refuse, type Refusal } from '../core/refusal.ts';
import { keepCheckpoint, phaseOf, readCheckpoints } from '../proofs/stop-hooks/checkpoints.ts';
import { openOwn } from '../operations/agent/tool-session.ts';
import { withLoop } from '../operations/look/loops.ts';
import { readOwnGates } from '../proofs/stop-hooks/own-gates.ts';
import type { Blobs, OpenLoop } from '../store/open-loop.ts';
import type { Runtime } from '../store/runtime.ts';
import { addTo, findTask, lastRun, liveRun } from './find.ts';
import { newId, type Task, type TaskCheckpoint, type TaskHook } from './record.ts';
import { openTask } from './task.ts';

/** A checkpoint describes the state of the work; it is not a backup. All of them are read at every call. */
const MOST_CHECKPOINTS = 100;

export interface ShownCheckpoint {
  readonly id: string;
  readonly at: string;
  readonly iteration: number;
  readonly data: Readonly<Record<string, unknown>>;
  /** The stop hook that gave it; null: the agent made it by a tool. */
  readonly hook: string | null;
}

/** In a live run, the loop keeps it as well, so that `dacapo checkpoints` lists it. */
export function createCheckpoint(
  order: {
    readonly task: string;
    readonly data: Readonly<Record<string, unknown>>;
    readonly session: string | null;
  },
  runtime: Runtime,
): { readonly ok: true; readonly checkpoint: ShownCheckpoint } | Refusal {
  const found = openTask(order.task, runtime);
  if (!found.ok) return found;
  const { task } = found;
  if (task.checkpoints.length >= MOST_CHECKPOINTS)
    return refuse(
      'too-many',
      `Task ${task.id} has ${MOST_CHECKPOINTS} checkpoints, and that is the most.`,
      'Go on in a new task.',
    );
  const live = liveRun(task, runtime);
  const iteration = live === null ? 0 : topFrame(live.loop).passes + 1;
  if (live !== null) {
    const opened = openOwn({ loop: live.loop.id, session: order.session }, runtime);
    if (!opened.ok) return opened;
    keepInLoop(opened.open, order.data, runtime);
    opened.open.close();
  }
  const at = runtime.now();
  const { data } = order;
  const checkpoint = { id: newId('CP', at), at, iteration, data, hooks: task.hooks };
  addTo(task.id, { type: 'checkpointed', at, checkpoint }, runtime);
  return { ok: true, checkpoint: { ...checkpoint, hook: null } };
}

const BY_TOOL = 'checkpoint_create';

function keepInLoop(open: OpenLoop, data: TaskCheckpoint['data'], runtime: Runtime): void {
  const at = runtime.now();
  const iteration = topFrame(open.loop()).passes + 1;
  const file = keepCheckpoint(open.blobs, { iteration, hook: BY_TOOL, at, data });
  open.write({ type: 'checkpointed', at, hook: BY_TOOL, phase: phaseOf(data), file });
  open.keep();
}

/** A run begins in the phase that the last checkpoint of its task names, and its hooks are told so. */
export function carryPhase({ checkpoints }: Task, open: OpenLoop, runtime: Runtime): void {
  const last = checkpoints.at(-1);
  if (last !== undefined) keepInLoop(open, last.data, runtime);
}

/** Those of tools, and those that stop hooks gave during the last run. The oldest first. */
export function listCheckpoints(
  id: string,
  runtime: Runtime,
): { readonly ok: true; readonly checkpoints: readonly ShownCheckpoint[] } | Refusal {
  const found = findTask(id, runtime);
  if (!found.ok) return found;
  return { ok: true, checkpoints: checkpointsOf(found.task, runtime) };
}

/** Each with the hooks that were registered then. A stop hook gave its own in a run, which keeps those it began with. */
function checkpointsOf(
  task: Task,
  runtime: Runtime,
): (ShownCheckpoint & { readonly hooks: readonly TaskHook[] })[] {
  const loop = lastRun(task, runtime)?.loop;
  const ofHooks = (loop && withLoop(loop.id, runtime, ({ blobs }) => givenIn(blobs))) ?? [];
  return [...task.checkpoints.map((made) => ({ ...made, hook: null })), ...ofHooks].sort(
    (a, b) => Date.parse(a.at) - Date.parse(b.at),
  );
}

function givenIn(blobs: Blobs) {
  const hooks = (readOwnGates(blobs)?.hooks ?? []).map(({ taskId: _, ...hook }) => hook);
  return readCheckpoints(blobs)
    .filter(({ hook }) => hook !== BY_TOOL)
    .map(({ file, ...given }) => ({ ...given, id: file, hooks }));
}

export interface ResumedCheckpoint {
  readonly ok: true;
  readonly checkpoint: ShownCheckpoint;
  /** Those that are registered again. */
  readonly hooks: readonly TaskHook[];
  /** The live run, if there is one: it goes on with its own limits. */
  readonly run: string | null;
}

/**
 * Gives the agent a checkpoint back, and registers its hooks again if they were cleared. It reopens no loop that has
 * ended, and changes no limit: that takes a person.
 */
export function resumeCheckpoint(
  order: { readonly task: string; readonly checkpoint: string | undefined },
  runtime: Runtime,
): ResumedCheckpoint | Refusal {
  const found = openTask(order.task, runtime);
  if (!found.ok) return found;
  const { task } = found;
  const all = checkpointsOf(task, runtime);
  const checkpoint =
    order.checkpoint === undefined ? all.at(-1) : all.find(({ id }) => id === order.checkpoint);
  if (checkpoint === undefined)
    return refuse(
      'no-checkpoint',
      `Task ${task.id} has no such checkpoint.`,
      'checkpoint_list lists them; checkpoint_create makes one.',
    );
  const hooks = checkpoint.hooks.filter(({ id }) => !task.hooks.some((hook) => hook.id === id));
  for (const hook of hooks) addTo(task.id, { type: 'hooked', at: runtime.now(), hook }, runtime);
  const live = lastRun(task, runtime);
  return { ok: true, checkpoint, hooks, run: live === null || hasEnded(live.loop) ? null : live.run };
}
