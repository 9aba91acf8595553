/** Checkpoints of a task: where the work stands, and the hooks that were registered then. */
import { hasEnded, topFrame } from '../core/loop.ts';
import { refuse, type Refusal } from '../core/refusal.ts';
import { readCheckpoints, keepCheckpoint as keepInLoop, phaseOf } from '../proofs/stop-hooks/checkpoints.ts';
import { openOwn } from '../operations/agent/own.ts';
import { withLoop } from '../operations/look/loops.ts';
import type { Runtime } from '../store/runtime.ts';
import { addTo, findTask, lastRun, liveRun } from './find.ts';
import { newId, type Task, type TaskCheckpoint, type TaskHook } from './record.ts';
import { openTask } from './task.ts';

/** A checkpoint describes the state of the work; it is no backup. All of them are read at every call. */
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
  world: Runtime,
): { readonly ok: true; readonly task: Task; readonly checkpoint: ShownCheckpoint } | Refusal {
  const found = openTask(order.task, world);
  if (!found.ok) return found;
  const { task } = found;
  if (task.checkpoints.length >= MOST_CHECKPOINTS)
    return refuse(
      'too-many',
      `Task ${task.id} has ${MOST_CHECKPOINTS} checkpoints, and that is the most.`,
      'Go on in a new task.',
    );
  const live = liveRun(task, world);
  const iteration = live === null ? 0 : topFrame(live.loop).passes + 1;
  if (live !== null) {
    const opened = openOwn({ loop: live.loop.id, session: order.session }, world);
    if (!opened.ok) return opened;
    const { open } = opened;
    const at = world.now();
    const file = keepInLoop(open.blobs, { iteration, hook: BY_TOOL, at, data: order.data });
    open.write({ type: 'checkpointed', at, hook: BY_TOOL, phase: phaseOf(order.data), file });
    open.keep();
    open.close();
  }
  const kept = keepCheckpoint(task, order.data, iteration, world);
  return { ok: true, task, checkpoint: { ...kept, hook: null } };
}

const BY_TOOL = 'checkpoint_create';

export function keepCheckpoint(
  task: Task,
  data: Readonly<Record<string, unknown>>,
  iteration: number,
  world: Runtime,
): TaskCheckpoint {
  const at = world.now();
  const checkpoint = { id: newId('CP', at), at, iteration, data, hooks: task.hooks };
  addTo(task.id, { type: 'checkpointed', at, checkpoint }, world);
  return checkpoint;
}

/** Those of tools, and those that stop hooks gave during the last run. The oldest first. */
export function listCheckpoints(
  id: string,
  world: Runtime,
): { readonly ok: true; readonly checkpoints: readonly ShownCheckpoint[] } | Refusal {
  const found = findTask(id, world);
  if (!found.ok) return found;
  return { ok: true, checkpoints: checkpointsOf(found.task, world) };
}

function checkpointsOf(task: Task, world: Runtime): ShownCheckpoint[] {
  const loop = lastRun(task, world)?.loop;
  const ofHooks =
    loop === undefined ? [] : (withLoop(loop.id, world, ({ blobs }) => readCheckpoints(blobs)) ?? []);
  return [
    ...task.checkpoints.map(({ id, at, iteration, data }) => ({ id, at, iteration, data, hook: null })),
    ...ofHooks
      .filter(({ hook }) => hook !== BY_TOOL)
      .map(({ file, at, iteration, data, hook }) => ({ id: file, at, iteration, data, hook })),
  ].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

export interface ResumedCheckpoint {
  readonly ok: true;
  readonly task: Task;
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
  world: Runtime,
): ResumedCheckpoint | Refusal {
  const found = openTask(order.task, world);
  if (!found.ok) return found;
  const { task } = found;
  const all = checkpointsOf(task, world);
  const checkpoint =
    order.checkpoint === undefined ? all.at(-1) : all.find(({ id }) => id === order.checkpoint);
  if (checkpoint === undefined)
    return refuse(
      'no-checkpoint',
      `Task ${task.id} has no such checkpoint.`,
      'checkpoint_list lists them; checkpoint_create makes one.',
    );
  const then = task.checkpoints.find(({ id }) => id === checkpoint.id)?.hooks ?? [];
  const hooks = then.filter(({ id }) => !task.hooks.some((hook) => hook.id === id));
  for (const hook of hooks) addTo(task.id, { type: 'hooked', at: world.now(), hook }, world);
  const live = lastRun(task, world);
  return { ok: true, task, checkpoint, hooks, run: live === null || hasEnded(live.loop) ? null : live.run };
}
