/** Tasks and runs by their ids, and how a task stands: as a tool set it, or as its loop says, whichever is newer. */
import { hasEnded, type Loop } from '../core/loop.ts';
import { refuse, type Refusal } from '../core/refusal.ts';
import { oneLine } from '../core/words/sanitize.ts';
import { loopById } from '../operations/look/loops.ts';
import type { Runtime } from '../store/runtime.ts';
import { withMore } from '../text/next-step.ts';
import { sayStatus } from '../text/status.ts';
import { readRun, readTask, type Run, type Task, type TaskEntry, type TaskStatus } from './record.ts';

export type Found<T> = ({ readonly ok: true } & T) | Refusal;

export function findTask(id: string, { store }: Runtime): Found<{ readonly task: Task }> {
  const lines = id.startsWith('TASK-') ? store.tasks.read(id) : null;
  const task = lines === null ? null : readTask(id, lines);
  if (task !== null) return { ok: true, task };
  return refuse(
    'no-task',
    `There is no task ${JSON.stringify(oneLine(id, 80))}.`,
    'task_create makes one and answers with its id.',
  );
}

export function findRun(id: string, { store }: Runtime): Found<{ readonly run: Run }> {
  const lines = id.startsWith('IT-') ? store.tasks.read(id) : null;
  const run = lines === null ? null : readRun(id, lines);
  if (run !== null) return { ok: true, run };
  return refuse(
    'no-iteration',
    `There is no iteration ${JSON.stringify(oneLine(id, 80))}.`,
    'iteration_start begins one and answers with its id.',
  );
}

export function addTo(id: string, entry: TaskEntry, { store }: Runtime): void {
  store.tasks.append(id, entry);
}

/** The last run, with its loop; null if the task has none, or if its loop was removed. */
export function lastRun(task: Task, runtime: Runtime): { readonly run: string; readonly loop: Loop } | null {
  const last = task.runs.at(-1);
  const loop = last === undefined ? null : loopById(last.loop, runtime);
  return last === undefined || loop === null ? null : { run: last.run, loop };
}

/** The first run that has not ended: if two begin at once, every reader agrees on this one. */
export function liveRun(task: Task, runtime: Runtime): { readonly run: string; readonly loop: Loop } | null {
  for (const { run, loop: id } of task.runs) {
    const loop = loopById(id, runtime);
    if (loop !== null && !hasEnded(loop)) return { run, loop };
  }
  return null;
}

/** Only a person lifts what a run ended in: a task that it left blocked stays so, whatever a tool says. */
export function statusOf(task: Task, loop: Loop | null): TaskStatus {
  if (loop === null) return task.status.is;
  const byLoop = BY_LOOP[loop.status.is];
  const isSet = Date.parse(task.status.at) > Date.parse(loop.updatedAt);
  return isSet && hasEnded(loop) && byLoop !== 'blocked' ? task.status.is : byLoop;
}

export function refuseBlocked(task: Task, runtime: Runtime): Refusal | null {
  const last = lastRun(task, runtime);
  if (last === null || statusOf(task, last.loop) !== 'blocked') return null;
  return refuse(
    'blocked',
    `Task ${task.id} is blocked: its last run ${sayStatus(last.loop)}.`,
    `Stop here. A person looks at it and reopens that run: ${withMore(last.loop, runtime.now())}`,
  );
}

const BY_LOOP: Readonly<Record<Loop['status']['is'], TaskStatus>> = {
  pending: 'in_progress',
  running: 'in_progress',
  waiting: 'in_progress',
  paused: 'in_progress',
  interrupted: 'in_progress',
  completed: 'completed',
  exhausted: 'blocked',
  stuck: 'blocked',
  escalated: 'blocked',
  cancelled: 'cancelled',
  aborted: 'cancelled',
};
