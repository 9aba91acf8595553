/** Which hooks a task has, in order, and what they have done. It ends with its process, but for `save`. */
import { isRecord } from '#base/shape.ts';
import { CLOCK, evaluate, type Clock, type Evaluation } from './evaluate.ts';
import { named } from '#input/schema/misfit.ts';
import { toSpec } from './spec.ts';
import { accuracyOf, type HookMetrics, NO_METRICS, withAccount, withConfirmation } from './metrics.ts';
import { PRESETS } from './templates.ts';
import { readSaved, type RegisteredHook, type SavedHook } from './from-spec.ts';
import type { AgentContext, StopHook } from './types.ts';

/** A hook only judges what was seen; a command that takes minutes should be a check. */
const TIMEOUT_MS = 60_000;

export interface RegistryOptions extends Clock {
  /** From 0 up to, not including, 1. */
  readonly random: () => number;
  /** A hook that has not answered by then escalates. */
  readonly timeoutMs: number;
}

export interface HookOptions {
  /** Default: `HOOK-<time>-<random>`. */
  readonly hookId?: string;
  readonly enabled?: boolean;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

export interface HookRegistration extends HookOptions {
  readonly taskId: string;
}

export type ListedHook = Pick<RegisteredHook, 'id' | 'enabled' | 'metadata'>;

export type StopHookRegistry = ReturnType<typeof createRegistry>;

type RegistryEntry = RegisteredHook & { readonly metrics: HookMetrics };

export function createRegistry(options: Partial<RegistryOptions> = {}) {
  const { now = CLOCK.now, after = CLOCK.after, random = Math.random, timeoutMs = TIMEOUT_MS } = options;
  if (!(timeoutMs > 0)) throw new RangeError(`timeoutMs must be more than 0, but is ${timeoutMs}.`);
  const entries = new Map<string, RegistryEntry>();

  const ofTask = (taskId: string) => [...entries.values()].filter((entry) => entry.taskId === taskId);

  const change = (hookId: string, to: (entry: RegistryEntry) => Partial<RegistryEntry>): boolean => {
    const entry = entries.get(hookId);
    // Setting an existing key keeps its position, and so the order.
    if (entry !== undefined) entries.set(hookId, { ...entry, ...to(entry) });
    return entry !== undefined;
  };

  const registerStopHook = (registration: HookRegistration, hook: StopHook): string => {
    const { taskId, enabled = true, metadata = {} } = registration;
    const id = registration.hookId ?? newHookId(now(), random, (taken) => entries.has(taken));
    // Plain JavaScript can pass anything. A hook of no task would never be asked, and nobody would notice.
    if (!isName(taskId))
      throw new TypeError(`The taskId of a stop hook must be a text, but is ${named(taskId)}.`);
    if (!isName(id)) throw new TypeError(`The hookId of a stop hook must be a text, but is ${named(id)}.`);
    // Noticed only at a stop, this would end the loop.
    if (typeof hook !== 'function') throw new TypeError(`The stop hook ${id} is not a function.`);
    if (entries.has(id)) throw new Error(`There is a stop hook ${id} already. Unregister it first.`);
    entries.set(id, { id, taskId, enabled, metadata: { ...metadata }, hook, metrics: NO_METRICS });
    return id;
  };

  const preset =
    (type: keyof typeof PRESETS) =>
    (taskId: string, { metadata, ...rest }: HookOptions = {}) =>
      registerStopHook({ taskId, ...rest, metadata: { ...metadata, type } }, PRESETS[type]);

  // Functions, not methods: each can be destructured and used alone.
  return {
    /** Returns the hook's id. */
    registerStopHook,
    createDefaultHook: preset('default'),
    createValidationHook: preset('validation'),
    createPromiseHook: preset('promise'),
    /** False, here and below, if there is no such hook. */
    unregister: (hookId: string) => entries.delete(hookId),
    enable: (hookId: string) => change(hookId, () => ({ enabled: true })),
    disable: (hookId: string) => change(hookId, () => ({ enabled: false })),
    get: (hookId: string): RegisteredHook | undefined => {
      const entry = entries.get(hookId);
      return entry && { ...listed(entry), taskId: entry.taskId, hook: entry.hook };
    },
    /** In the order of registration. */
    list: (taskId: string) => ofTask(taskId).map(listed),
    /** Returns how many hooks there were. */
    clear: (taskId: string) => ofTask(taskId).filter(({ id }) => entries.delete(id)).length,
    /** Asks the hooks of the context's task. Never rejects. */
    evaluate: async (context: AgentContext): Promise<Evaluation> => {
      if (!isRecord(context)) return NO_CONTEXT;
      const evaluation = await evaluate(ofTask(context.taskId), context, { now, after }, timeoutMs);
      for (const account of evaluation.account)
        change(account.hookId, ({ metrics }) => ({ metrics: withAccount(metrics, account) }));
      return evaluation;
    },
    /** `accuracy`: null until `confirm` has said whether the hook was right. */
    metrics: (hookId: string): (HookMetrics & { readonly accuracy: number | null }) | undefined => {
      const entry = entries.get(hookId);
      return entry && { ...entry.metrics, accuracy: accuracyOf(entry.metrics) };
    },
    /** Says, once known, whether a verdict of this hook was right. */
    confirm: (hookId: string, wasRight: boolean) =>
      change(hookId, ({ metrics }) => ({ metrics: withConfirmation(metrics, wasRight) })),
    /** What can be stored: hooks with user code in them are left out. */
    save: (taskId: string) =>
      ofTask(taskId).flatMap((entry): SavedHook[] => {
        const spec = toSpec(entry.hook);
        return spec === null ? [] : [{ ...listed(entry), taskId, spec }];
      }),
    /** All or none; returns their ids. Throws a `HookSpecError` if `save` can't have written the data. */
    restore: (saved: unknown) => {
      const hooks = readSaved(saved);
      const ids = hooks.map(({ id }) => id);
      const taken = ids.find((id, index) => entries.has(id) || ids.indexOf(id) !== index);
      if (taken !== undefined) throw new Error(`There is a stop hook ${taken} already. Unregister it first.`);
      return hooks.map(({ id, hook, ...rest }) => registerStopHook({ ...rest, hookId: id }, hook));
    },
  };
}

function isName(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

/** The verdict where a program in plain JavaScript passes no context. */
const NO_CONTEXT: Evaluation = {
  hookId: 'default',
  taskId: '',
  iteration: 0,
  action: 'escalate',
  reason: 'Hook evaluation failed: there is no context',
  metadata: { error: 'there is no context' },
  account: [],
  checkpoints: [],
};

function listed({ id, enabled, metadata }: RegistryEntry): ListedHook {
  return { id, enabled, metadata: { ...metadata } };
}

const ID_LETTERS = 6;

/** `HOOK-<seconds since 1970>-<random>`, the usual form. */
function newHookId(now: number, random: () => number, isTaken: (id: string) => boolean): string {
  const letters = Array.from({ length: ID_LETTERS }, () => Math.floor(random() * 36).toString(36)).join('');
  const id = `HOOK-${Math.floor(now / 1000)}-${letters}`;
  let free = id;
  // Ends even if `random` always returns the same number.
  for (let n = 2; isTaken(free); n++) free = id + n.toString(36);
  return free;
}
