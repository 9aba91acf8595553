/** What the log of a task and the log of a run hold, and how a task follows from its lines. */
import * as s from '#base/shape.ts';

export const STATUSES = ['pending', 'in_progress', 'blocked', 'completed', 'cancelled'] as const;
const status = s.oneOf(...STATUSES);
export type TaskStatus = s.Infer<typeof status>;

const hook = s.record({ id: s.text, enabled: s.flag, metadata: s.isRecord, spec: s.isRecord });
export type TaskHook = s.Infer<typeof hook>;

const created = s.record({
  type: s.oneOf('created'),
  at: s.instant,
  project: s.text,
  title: s.text,
  description: s.text,
  metadata: s.isRecord,
});
const updated = s.record({
  type: s.oneOf('updated'),
  at: s.instant,
  title: s.maybe(s.text),
  description: s.maybe(s.text),
  status: s.maybe(status),
  notes: s.maybe(s.text),
  metadata: s.maybe(s.isRecord),
});
const hooked = s.record({ type: s.oneOf('hooked'), at: s.instant, hook });
const cleared = s.record({ type: s.oneOf('cleared'), at: s.instant, hooks: s.list(s.text) });
/** A run of the task: a loop. The first live one of a task counts. */
const begun = s.record({ type: s.oneOf('begun'), at: s.instant, run: s.text, loop: s.text });
const checkpoint = s.record({
  id: s.text,
  at: s.instant,
  /** 0 before the first run. */
  iteration: s.whole,
  data: s.isRecord,
  hooks: s.list(hook),
});
export type TaskCheckpoint = s.Infer<typeof checkpoint>;
const checkpointed = s.record({ type: s.oneOf('checkpointed'), at: s.instant, checkpoint });

type Created = s.Infer<typeof created>;
export type NewTask = Pick<Created, 'project' | 'title'> & Partial<Pick<Created, 'description' | 'metadata'>>;
export type TaskChange = Omit<s.Infer<typeof updated>, 'type' | 'at'>;
export type TaskEntry =
  | Created
  | s.Infer<typeof updated | typeof hooked | typeof cleared | typeof begun | typeof checkpointed>;

export interface Task extends Omit<Created, 'type' | 'at'> {
  readonly id: string;
  readonly notes: string | null;
  /** As a tool last set it. If the loop of the task says something newer, that counts (`statusOf`). */
  readonly status: { readonly is: TaskStatus; readonly at: string };
  readonly hooks: readonly TaskHook[];
  readonly runs: readonly { readonly run: string; readonly loop: string }[];
  readonly checkpoints: readonly TaskCheckpoint[];
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly entries: number;
}

/**
 * Null: these are not lines of a task. Lines that we can't read are skipped: a later Da Capo may have written
 * them.
 */
export function readTaskRecord(id: string, lines: readonly unknown[]): Task | null {
  const [first, ...rest] = lines;
  if (!created(first)) return null;
  const { type: _, at, ...given } = first;
  return rest.reduce<Task>(withLine, {
    ...given,
    id,
    notes: null,
    status: { is: 'pending', at },
    hooks: [],
    runs: [],
    checkpoints: [],
    createdAt: at,
    updatedAt: at,
    entries: lines.length,
  });
}

function withLine(task: Task, line: unknown): Task {
  if (updated(line)) {
    const { at, title, description, notes, metadata } = line;
    return {
      ...task,
      updatedAt: at,
      title: title ?? task.title,
      description: description ?? task.description,
      notes: notes ?? task.notes,
      metadata: { ...task.metadata, ...metadata },
      status: line.status === undefined ? task.status : { is: line.status, at },
    };
  }
  if (hooked(line)) return { ...task, updatedAt: line.at, hooks: [...task.hooks, line.hook] };
  if (cleared(line))
    return { ...task, updatedAt: line.at, hooks: task.hooks.filter(({ id }) => !line.hooks.includes(id)) };
  if (begun(line)) return { ...task, updatedAt: line.at, runs: [...task.runs, line] };
  if (checkpointed(line))
    return { ...task, updatedAt: line.at, checkpoints: [...task.checkpoints, line.checkpoint] };
  return task;
}

const run = s.record({ type: s.oneOf('run'), at: s.instant, task: s.text, loop: s.text });
/** These words are to be judged by this server, when the loop has had this many stops. */
const asked = s.record({ type: s.oneOf('asked'), words: s.text, stops: s.whole, process: s.whole });
/** The client has the answer. Until then, the same call again gets the same answer. */
const answered = s.record({ type: s.oneOf('answered') });
/** The client went on to its next iteration, when the loop had had this many stops. */
const next = s.record({ type: s.oneOf('next'), stops: s.whole });

export type RunEntry = s.Infer<typeof run | typeof asked | typeof answered | typeof next>;

export interface Run extends Pick<s.Infer<typeof run>, 'task' | 'loop'> {
  readonly id: string;
  /** The question whose answer may never have arrived. */
  readonly asked: s.Infer<typeof asked> | null;
  /** How many stops the loop had had when the open iteration began. */
  readonly begunAt: number;
}

export function readRun(id: string, lines: readonly unknown[]): Run | null {
  const [first, ...rest] = lines;
  if (!run(first)) return null;
  return rest.reduce<Run>(
    (known, line) => {
      if (asked(line)) return { ...known, asked: line };
      if (answered(line)) return { ...known, asked: null };
      return next(line) ? { ...known, begunAt: line.stops } : known;
    },
    { id, task: first.task, loop: first.loop, asked: null, begunAt: 0 },
  );
}

/** An id in a shape that agents know: `TASK-abc12345`, `IT-1735567890-abc123`, `HOOK-…`, `CP-…`. */
export function newId(prefix: 'TASK' | 'IT' | 'HOOK' | 'CP', now: string): string {
  const time = prefix === 'TASK' ? '' : `${Math.floor(Date.parse(now) / 1000)}-`;
  const length = prefix === 'TASK' ? 10 : 6;
  const letters = Array.from({ length }, () => Math.floor(Math.random() * 36).toString(36));
  return `${prefix}-${time}${letters.join('')}`;
}
