/**
 * The registry: which hooks a task has, in which order, and what they have done. Each registry is an independent value.
 * It lives in memory and ends with its process, except for what `save` returns as data.
 */
import { isRecord } from '../core/shape.ts';
import { CLOCK, evaluate, type Clock, type Evaluation } from './evaluate.ts';
import { named } from '../flags/schema/misfit.ts';
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

/** Functions, not methods: each can be destructured and used alone. */
export interface StopHookRegistry {
  /** Returns the hook's id. */
  readonly registerStopHook: (registration: HookRegistration, hook: StopHook) => string;
  readonly createDefaultHook: (taskId: string, options?: HookOptions) => string;
  readonly createValidationHook: (taskId: string, options?: HookOptions) => string;
  readonly createPromiseHook: (taskId: string, options?: HookOptions) => string;
  /** False, here and below, if there is no such hook. */
  readonly unregister: (hookId: string) => boolean;
  readonly enable: (hookId: string) => boolean;
  readonly disable: (hookId: string) => boolean;
  readonly get: (hookId: string) => RegisteredHook | undefined;
  /** In the order of registration. */
  readonly list: (taskId: string) => ListedHook[];
  /** Returns how many hooks there were. */
  readonly clear: (taskId: string) => number;
  /** Asks the hooks of the context's task. Never rejects. */
  readonly evaluate: (context: AgentContext) => Promise<Evaluation>;
  readonly metrics: (hookId: string) => (HookMetrics & { readonly accuracy: number | null }) | undefined;
  /** Says, once known, whether a verdict of this hook was right. */
  readonly confirm: (hookId: string, wasRight: boolean) => boolean;
  /** What can be stored: hooks with user code in them are left out. */
  readonly save: (taskId: string) => SavedHook[];
  /** All or none; returns their ids. Throws a `HookSpecError` if `save` can't have written the data. */
  readonly restore: (saved: unknown) => string[];
}

type RegistryEntry = RegisteredHook & { readonly metrics: HookMetrics };

export function createRegistry(options: Partial<RegistryOptions> = {}): StopHookRegistry {
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

  const registerStopHook: StopHookRegistry['registerStopHook'] = (registration, hook) => {
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

  return {
    registerStopHook,
    createDefaultHook: preset('default'),
    createValidationHook: preset('validation'),
    createPromiseHook: preset('promise'),
    unregister: (hookId) => entries.delete(hookId),
    enable: (hookId) => change(hookId, () => ({ enabled: true })),
    disable: (hookId) => change(hookId, () => ({ enabled: false })),
    get: (hookId) => {
      const entry = entries.get(hookId);
      return entry && { ...listed(entry), taskId: entry.taskId, hook: entry.hook };
    },
    list: (taskId) => ofTask(taskId).map(listed),
    clear: (taskId) => ofTask(taskId).filter(({ id }) => entries.delete(id)).length,
    evaluate: async (context) => {
      if (!isRecord(context)) return NO_CONTEXT;
      const evaluation = await evaluate(ofTask(context.taskId), context, { now, after }, timeoutMs);
      for (const account of evaluation.account)
        change(account.hookId, ({ metrics }) => ({ metrics: withAccount(metrics, account) }));
      return evaluation;
    },
    metrics: (hookId) => {
      const entry = entries.get(hookId);
      return entry && { ...entry.metrics, accuracy: accuracyOf(entry.metrics) };
    },
    confirm: (hookId, wasRight) =>
      change(hookId, ({ metrics }) => ({ metrics: withConfirmation(metrics, wasRight) })),
    save: (taskId) =>
      ofTask(taskId).flatMap((entry) => {
        const spec = toSpec(entry.hook);
        return spec === null ? [] : { ...listed(entry), taskId, spec };
      }),
    restore: (saved) => {
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

const LETTERS = 6;

/** `HOOK-<seconds since 1970>-<random>`, the usual form. */
function newHookId(now: number, random: () => number, isTaken: (id: string) => boolean): string {
  const letters = Array.from({ length: LETTERS }, () => Math.floor(random() * 36).toString(36)).join('');
  const id = `HOOK-${Math.floor(now / 1000)}-${letters}`;
  let free = id;
  // Ends even if `random` always returns the same number.
  for (let n = 2; isTaken(free); n++) free = id + n.toString(36);
  return free;
}
