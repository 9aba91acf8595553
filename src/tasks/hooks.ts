/** Stop hooks that an agent registers for a task, as data. They are kept with the task, so they outlive the server. */
import { refuse, type Refusal } from '../core/refusal.ts';
import type { Runtime } from '../store/runtime.ts';
import { fromSpec } from '../stop-hooks/from-spec.ts';
import type { HookSpec } from '../stop-hooks/types.ts';
import { addTo, findTask, liveRun, refuseBlocked } from './find.ts';
import { newId, type Task, type TaskHook } from './record.ts';
import { openTask } from './task.ts';

/** Each is asked at every stop. */
const MOST_HOOKS = 20;

export interface HookOrder {
  readonly task: string;
  readonly type: HookSpec['type'];
  /** The further fields of that type, for example `files` of max-files. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly metadata: Readonly<Record<string, unknown>>;
}

export interface HookChange {
  /** What the change does not do, in words; empty: it counts at once. */
  readonly noted: { readonly note?: string };
}

/** Throws a `HookSpecError` if the options do not fit the type. */
export function registerHook(
  order: HookOrder,
  runtime: Runtime,
): ({ readonly ok: true; readonly hook: TaskHook } & HookChange) | Refusal {
  const found = openTask(order.task, runtime);
  if (!found.ok) return found;
  if (found.task.hooks.length >= MOST_HOOKS)
    return refuse(
      'too-many-hooks',
      `Task ${order.task} has ${MOST_HOOKS} hooks, and that is the most.`,
      'hook_clear removes them.',
    );
  const spec = { ...order.options, type: order.type };
  fromSpec(spec, order.type);
  const at = runtime.now();
  const hook: TaskHook = { id: newId('HOOK', at), enabled: true, metadata: { ...order.metadata }, spec };
  addTo(order.task, { type: 'hooked', at, hook }, runtime);
  return { ok: true, hook, noted: noteFor(found.task, runtime) };
}

export function listHooks(
  id: string,
  runtime: Runtime,
): { readonly ok: true; readonly hooks: readonly TaskHook[] } | Refusal {
  const found = findTask(id, runtime);
  return found.ok ? { ok: true, hooks: found.task.hooks } : found;
}

/** A loop that runs keeps the hooks with which it began: nothing that an agent clears makes it easier to end. */
export function clearHooks(
  id: string,
  runtime: Runtime,
): ({ readonly ok: true; readonly cleared: number } & HookChange) | Refusal {
  const found = findTask(id, runtime);
  if (!found.ok) return found;
  const refusal = refuseBlocked(found.task, runtime);
  if (refusal !== null) return refusal;
  const hooks = found.task.hooks.map((hook) => hook.id);
  if (hooks.length > 0) addTo(id, { type: 'cleared', at: runtime.now(), hooks }, runtime);
  return { ok: true, cleared: hooks.length, noted: noteFor(found.task, runtime) };
}

function noteFor(task: Task, runtime: Runtime): HookChange['noted'] {
  const live = liveRun(task, runtime);
  if (live === null) return {};
  return { note: `${live.run} keeps the hooks with which it began. This counts from the next run.` };
}
