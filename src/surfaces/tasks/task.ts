/**
 * Finds, makes, shows and changes tasks. A task stands as a tool set it, or as its loop says, whichever is
 * newer.
 */
import { hasEnded, type Loop } from '#law/loop.ts';
import { refuse, type Granted, type Refusal } from '#base/refusal.ts';
import { oneLine } from '#base/words/sanitize.ts';
import { loopById } from '#engine/look/loops.ts';
import type { ProofListener, Runtime } from '#store/runtime.ts';
import { inTerminal } from '#telling/audience.ts';
import { withMore } from '#telling/next-step.ts';
import { sayStatus } from '#telling/person/status.ts';
import { newId, readRun, readTaskRecord } from './record.ts';
import type { NewTask, Run, Task, TaskChange, TaskEntry, TaskStatus } from './record.ts';

/** Beyond this, a task is a project. It bounds what every later call has to read. */
const MAX_ENTRIES = 2_000;
/**
 * An agent that makes tasks in a loop must not fill the disk. Tasks of a month ago are removed by
 * `dacapo prune`.
 */
const MAX_TASKS = 1_000;
const MAX_TASKS_MB = 32;

export function findTask(id: string, { store }: Runtime): Granted<{ readonly task: Task }> {
  const task = readTaskRecord(id, id.startsWith('TASK-') ? (store.tasks.read(id) ?? []) : []);
  if (task !== null) return { ok: true, task };
  const why = `There is no task ${JSON.stringify(oneLine(id, 80))}.`;
  return refuse('no-task', why, 'task_create makes one and answers with its id.');
}

export function openTask(id: string, runtime: Runtime): Granted<{ readonly task: Task }> {
  const found = findTask(id, runtime);
  if (!found.ok) return found;
  const full = refuseFull(runtime);
  if (full !== null || found.task.entries < MAX_ENTRIES) return full ?? found;
  const why = `Task ${id} has had ${MAX_ENTRIES} changes.`;
  return refuse('task-full', why, 'Continue in a new task: task_create.');
}

export interface ClientCall {
  readonly signal: AbortSignal;
  /** Tells a client that asked for it how far a long proof is. */
  readonly progress: ProofListener;
  /** Calls back once the answer to this call has been sent. */
  readonly answered: (act: () => void) => void;
}

export interface RunCall extends ClientCall {
  readonly run: string;
  readonly session: string | null;
}

export function findRun(id: string, { store }: Runtime): Granted<{ readonly run: Run }> {
  const run = readRun(id, id.startsWith('IT-') ? (store.tasks.read(id) ?? []) : []);
  if (run !== null) return { ok: true, run };
  const why = `There is no iteration ${JSON.stringify(oneLine(id, 80))}.`;
  return refuse('no-iteration', why, 'iteration_start begins one and answers with its id.');
}

export function addTo(id: string, entry: TaskEntry, { store }: Runtime): void {
  store.tasks.append(id, entry);
}

/** Null if the task has no run, or if the loop of its last one was removed. */
export function lastRun(task: Task, runtime: Runtime) {
  const last = task.runs.at(-1);
  const loop = last === undefined ? null : loopById(last.loop, runtime);
  return last === undefined || loop === null ? null : { run: last.run, loop };
}

/** The first run that has not ended: if two begin at once, every reader agrees on this one. */
export function liveRun(task: Task, runtime: Runtime) {
  for (const { run, loop: id } of task.runs) {
    const loop = loopById(id, runtime);
    if (loop !== null && !hasEnded(loop)) return { run, loop };
  }
  return null;
}

export function createTask({ project, title, description = '', metadata = {} }: NewTask, runtime: Runtime) {
  if (title.trim() === '')
    return refuse('no-title', 'The title is empty.', 'Say in one line what is to be done.');
  const { tasks } = runtime.store;
  const full = refuseFull(runtime, tasks.ids().filter((id) => id.startsWith('TASK-')).length);
  if (full !== null) return full;
  const at = runtime.now();
  const id = newId('TASK', at);
  if (!tasks.make(id, { type: 'created', at, project, title, description, metadata }))
    throw new Error(`there is a task ${id} already`);
  return getTask(id, runtime);
}

export function getTask(id: string, runtime: Runtime) {
  const found = findTask(id, runtime);
  if (!found.ok) return found;
  const { title, description, notes, metadata, hooks, checkpoints, createdAt, updatedAt } = found.task;
  const last = lastRun(found.task, runtime);
  return {
    taskId: id,
    title,
    description,
    status: statusOf(found.task, last?.loop ?? null),
    notes,
    metadata,
    hookCount: hooks.length,
    checkpointCount: checkpoints.length,
    iterationId: last?.run ?? null,
    loopId: last?.loop.id ?? null,
    loopStatus: last?.loop.status.is ?? null,
    createdAt,
    updatedAt,
  };
}

export function updateTask(id: string, change: TaskChange, runtime: Runtime) {
  const found = openTask(id, runtime);
  if (!found.ok) return found;
  const { status } = change;
  const blocked = status && status !== 'blocked' ? refuseBlocked(found.task, runtime) : null;
  if (blocked !== null) return blocked;
  const live = lastRun(found.task, runtime);
  // While a loop runs, only its own proof says how the task stands.
  if (status && status !== 'in_progress' && live !== null && !hasEnded(live.loop))
    return refuse(
      'still-running',
      `Task ${id} is being worked on in ${live.run}, so its status follows from that.`,
      'iteration_complete ends it with proof, loop_block says that you need a person.',
    );
  if (change.title?.trim() === '')
    return refuse('no-title', 'The title is empty.', 'Leave it out to keep it.');
  addTo(id, { type: 'updated', at: runtime.now(), ...change }, runtime);
  return getTask(id, runtime);
}

function refuseFull({ store }: Runtime, tasks = 0): Refusal | null {
  if (tasks < MAX_TASKS && store.tasks.size() < MAX_TASKS_MB * 1024 ** 2) return null;
  return refuse(
    'tasks-full',
    `There are ${tasks < MAX_TASKS ? `${MAX_TASKS_MB} MB of` : MAX_TASKS} tasks in ${store.place()}, ` +
      'and that is the most.',
    'A person makes room: dacapo prune removes tasks that nobody touched for 30 days, others can be ' +
      'deleted there, in tasks/.',
  );
}

/** Only a person lifts what a run ended in: a task that it left blocked stays so, whatever a tool says. */
function statusOf(task: Task, loop: Loop | null): TaskStatus {
  if (loop === null) return task.status.is;
  const byLoop = statusBy(loop);
  const isSet = Date.parse(task.status.at) > Date.parse(loop.updatedAt);
  return isSet && hasEnded(loop) && byLoop !== 'blocked' ? task.status.is : byLoop;
}

function statusBy(loop: Loop): TaskStatus {
  const { is } = loop.status;
  if (is === 'completed') return 'completed';
  if (is === 'cancelled' || is === 'aborted') return 'cancelled';
  return hasEnded(loop) ? 'blocked' : 'in_progress';
}

export function refuseBlocked(task: Task, runtime: Runtime): Refusal | null {
  const last = lastRun(task, runtime);
  if (last === null || statusOf(task, last.loop) !== 'blocked') return null;
  const reopen = inTerminal(withMore(last.loop, runtime.now()));
  const next = `Stop here. A person has to look at it and reopen that run: ${reopen}`;
  return refuse('blocked', `Task ${task.id} is blocked: its last run ${sayStatus(last.loop)}.`, next);
}
