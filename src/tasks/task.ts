/** Makes, shows and changes tasks. */
import { hasEnded } from '../core/loop.ts';
import { refuse, type Refusal } from '../core/refusal.ts';
import type { Runtime } from '../store/runtime.ts';
import { addTo, findTask, lastRun, refuseBlocked, statusOf, type Found } from './find.ts';
import { newId, type Task, type TaskStatus } from './record.ts';

/** After this many ids that were taken, something else must be wrong. */
const TRIES = 20;
/** Beyond this, a task is a project. It bounds what every later call has to read. */
const MOST_ENTRIES = 2_000;
/** An agent that makes tasks in a loop must not fill the disk. Tasks of a month ago are removed by `dacapo prune`. */
const MOST_TASKS = 1_000;
const MOST_MB = 100;

export interface NewTask {
  readonly project: string;
  readonly title: string;
  readonly description: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

export interface TaskShown {
  readonly ok: true;
  readonly task: Task;
  readonly status: TaskStatus;
  /** Of its last run. */
  readonly run: string | null;
  readonly loop: string | null;
  readonly loopStatus: string | null;
}

export function createTask({ title, ...rest }: NewTask, runtime: Runtime): TaskShown | Refusal {
  if (title.trim() === '')
    return refuse('no-title', 'The title is empty.', 'Say in one line what is to be done.');
  const full = refuseFull(runtime, runtime.store.tasks.ids().filter((id) => id.startsWith('TASK-')).length);
  if (full !== null) return full;
  const at = runtime.now();
  for (let tries = 0; tries < TRIES; tries++) {
    const id = newId('TASK', at);
    if (runtime.store.tasks.make(id, { type: 'created', at, title, ...rest })) return getTask(id, runtime);
  }
  throw new Error('no free task id was found');
}

export function getTask(id: string, runtime: Runtime): TaskShown | Refusal {
  const found = findTask(id, runtime);
  if (!found.ok) return found;
  const { task } = found;
  const last = lastRun(task, runtime);
  return {
    ok: true,
    task,
    status: statusOf(task, last?.loop ?? null),
    run: last?.run ?? null,
    loop: last?.loop.id ?? null,
    loopStatus: last?.loop.status.is ?? null,
  };
}

export interface TaskChange {
  readonly title?: string;
  readonly description?: string;
  readonly status?: TaskStatus;
  readonly notes?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

export function updateTask(id: string, change: TaskChange, runtime: Runtime): TaskShown | Refusal {
  const found = openTask(id, runtime);
  if (!found.ok) return found;
  const blocked =
    change.status === undefined || change.status === 'blocked' ? null : refuseBlocked(found.task, runtime);
  if (blocked !== null) return blocked;
  const live = lastRun(found.task, runtime);
  // While a loop runs, only its own proof says how the task stands.
  if (change.status !== undefined && change.status !== 'in_progress' && live !== null && !hasEnded(live.loop))
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
  if (tasks < MOST_TASKS && store.tasks.size() < MOST_MB * 1024 ** 2) return null;
  return refuse(
    'tasks-full',
    `There are ${tasks < MOST_TASKS ? `${MOST_MB} MB of` : MOST_TASKS} tasks in ${store.place()}, and that is the most.`,
    'A person makes room: dacapo prune removes tasks that nobody touched for 30 days, others can be deleted there, in tasks/.',
  );
}

/** A task to write to. */
export function openTask(id: string, runtime: Runtime): Found<{ readonly task: Task }> {
  const found = findTask(id, runtime);
  if (!found.ok) return found;
  const full = refuseFull(runtime);
  if (full !== null) return full;
  if ((runtime.store.tasks.read(id)?.length ?? 0) < MOST_ENTRIES) return found;
  return refuse(
    'task-full',
    `Task ${id} has had ${MOST_ENTRIES} changes.`,
    'Go on in a new task: task_create.',
  );
}
