/** What the log of a task and the log of a run hold, and how a task follows from its lines. */
import {
  flag,
  instant,
  isRecord,
  list,
  maybe,
  oneOf,
  record,
  text,
  whole,
  type Infer,
} from '../core/shape.ts';

export const STATUSES = ['pending', 'in_progress', 'blocked', 'completed', 'cancelled'] as const;
const status = oneOf(...STATUSES);
export type TaskStatus = Infer<typeof status>;

const hook = record({ id: text, enabled: flag, metadata: isRecord, spec: isRecord });
export type TaskHook = Infer<typeof hook>;

const created = record({
  type: oneOf('created'),
  at: instant,
  project: text,
  title: text,
  description: text,
  metadata: isRecord,
});
const updated = record({
  type: oneOf('updated'),
  at: instant,
  title: maybe(text),
  description: maybe(text),
  status: maybe(status),
  notes: maybe(text),
  metadata: maybe(isRecord),
});
const hooked = record({ type: oneOf('hooked'), at: instant, hook });
const cleared = record({ type: oneOf('cleared'), at: instant, hooks: list(text) });
/** A run of the task: a loop. The first live one of a task counts. */
const begun = record({ type: oneOf('begun'), at: instant, run: text, loop: text });
const checkpoint = record({
  id: text,
  at: instant,
  /** 0 before the first run. */
  iteration: whole,
  data: isRecord,
  hooks: list(hook),
});
export type TaskCheckpoint = Infer<typeof checkpoint>;
const checkpointed = record({ type: oneOf('checkpointed'), at: instant, checkpoint });

type Created = Infer<typeof created>;
export type NewTask = Pick<Created, 'project' | 'title'> & Partial<Pick<Created, 'description' | 'metadata'>>;
export type TaskChange = Omit<Infer<typeof updated>, 'type' | 'at'>;
export type TaskEntry =
  | Created
  | Infer<typeof updated | typeof hooked | typeof cleared | typeof begun | typeof checkpointed>;

export interface Task extends Omit<Created, 'type' | 'at'> {
  readonly id: string;
  readonly notes: string | null;
  /** As a tool last set it. If the loop of the task says something newer, that counts (`statusOf`). */
  readonly status: { readonly is: TaskStatus; readonly at: string };
  /** In the order of registration. */
  readonly hooks: readonly TaskHook[];
  readonly runs: readonly { readonly run: string; readonly loop: string }[];
  readonly checkpoints: readonly TaskCheckpoint[];
  readonly createdAt: string;
  readonly updatedAt: string;
  /** How many lines its log has. */
  readonly entries: number;
}

/** Null: these are not lines of a task. Lines that we can't read are skipped: a later Da Capo may have written them. */
export function readTask(id: string, lines: readonly unknown[]): Task | null {
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

const run = record({ type: oneOf('run'), at: instant, task: text, loop: text });
/** These words are to be judged by this server, when the loop has had this many stops. */
const asked = record({ type: oneOf('asked'), words: text, stops: whole, process: whole });
/** The client has the answer. Until then, the same call again gets the same answer. */
const answered = record({ type: oneOf('answered') });
/** The client went on to its next iteration, when the loop had had this many stops. */
const next = record({ type: oneOf('next'), stops: whole });

export type RunEntry = Infer<typeof run | typeof asked | typeof answered | typeof next>;

export interface Run extends Pick<Infer<typeof run>, 'task' | 'loop'> {
  readonly id: string;
  /** The question whose answer may never have arrived. */
  readonly asked: Infer<typeof asked> | null;
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
