/** Checkpoints of a task: where the work stands, and the hooks that were registered then. */
import { hasEnded } from '#law/loop.ts';
import { refuse } from '#base/refusal.ts';
import { keepCheckpoint, phaseOf, readCheckpoints } from '#evidence/proofs/stop-hooks/checkpoints.ts';
import { openOwn } from '#engine/look/tool-session.ts';
import { withLoop } from '#engine/look/loops.ts';
import { readOwnGates } from '#evidence/proofs/stop-hooks/own-gates.ts';
import type { Blobs, OpenLoop } from '#store/open-loop.ts';
import type { Runtime } from '#store/runtime.ts';
import { newId, type Task, type TaskCheckpoint } from './record.ts';
import { addTo, findTask, lastRun, liveRun, openTask } from './task.ts';

type Data = TaskCheckpoint['data'];

/** In a live run, the loop keeps it as well, so that `dacapo checkpoints` lists it. */
export function createCheckpoint(taskId: string, data: Data, session: string | null, runtime: Runtime) {
  const found = openTask(taskId, runtime);
  if (!found.ok) return found;
  const { task } = found;
  const live = liveRun(task, runtime);
  const iteration = live === null ? 0 : live.loop.frame.passes + 1;
  if (live !== null) {
    const opened = openOwn({ loop: live.loop.id, session }, runtime);
    if (!opened.ok) return opened;
    keepInLoop(opened.open, data, runtime);
    opened.open.close();
  }
  const at = runtime.now();
  const checkpoint = { id: newId('CP', at), at, iteration, data, hooks: task.hooks };
  addTo(taskId, { type: 'checkpointed', at, checkpoint }, runtime);
  return { taskId, ...shown({ ...checkpoint, hook: null }) };
}

const BY_TOOL = 'checkpoint_create';

function keepInLoop(open: OpenLoop, data: Data, runtime: Runtime): void {
  const at = runtime.now();
  const iteration = open.loop().frame.passes + 1;
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
export function listCheckpoints(taskId: string, runtime: Runtime) {
  const found = findTask(taskId, runtime);
  if (!found.ok) return found;
  const checkpoints = checkpointsOf(found.task, runtime).map(shown);
  return { taskId, checkpointCount: checkpoints.length, checkpoints };
}

/** `hook`: the stop hook that gave it; null: the agent made it by a tool. */
type AnyCheckpoint = TaskCheckpoint & { readonly hook: string | null };

function shown({ id, iteration, at, data, hook }: AnyCheckpoint) {
  return { checkpointId: id, iteration, executionPhase: phaseOf(data), hookId: hook, createdAt: at, data };
}

/**
 * Each with the hooks that were registered then. A stop hook gave its own in a run, which keeps those it
 * began with.
 */
function checkpointsOf(task: Task, runtime: Runtime): AnyCheckpoint[] {
  const loop = lastRun(task, runtime)?.loop;
  const ofHooks = (loop && withLoop(loop.id, runtime, ({ blobs }) => givenIn(blobs))) ?? [];
  return [...task.checkpoints.map((made) => ({ ...made, hook: null })), ...ofHooks].sort(
    (a, b) => Date.parse(a.at) - Date.parse(b.at),
  );
}

function givenIn(blobs: Blobs): AnyCheckpoint[] {
  const hooks = (readOwnGates(blobs)?.hooks ?? []).map(({ taskId: _, ...hook }) => hook);
  return readCheckpoints(blobs)
    .filter(({ hook }) => hook !== BY_TOOL)
    .map(({ file, ...given }) => ({ ...given, id: file, hooks }));
}

/** Its hooks are registered again if they were cleared. It reopens no loop, and raises no limit. */
export function resumeCheckpoint(taskId: string, wanted: string | undefined, runtime: Runtime) {
  const found = openTask(taskId, runtime);
  if (!found.ok) return found;
  const { task } = found;
  const all = checkpointsOf(task, runtime);
  const checkpoint = wanted === undefined ? all.at(-1) : all.find(({ id }) => id === wanted);
  if (checkpoint === undefined)
    return refuse('no-checkpoint', `Task ${taskId} has no such checkpoint.`, 'checkpoint_list lists them.');
  const hooks = checkpoint.hooks.filter(({ id }) => !task.hooks.some((hook) => hook.id === id));
  for (const hook of hooks) addTo(taskId, { type: 'hooked', at: runtime.now(), hook }, runtime);
  const last = lastRun(task, runtime);
  return {
    taskId,
    ...shown(checkpoint),
    hooksRestored: hooks.map(({ id }) => id),
    iterationId: last === null || hasEnded(last.loop) ? null : last.run,
  };
}
