/**
 * Asks hooks in the order of registration. The first `complete` or `escalate` ends it. Otherwise the last
 * `continue` counts, and an abstention only if no other hook said more. Disabled hooks are skipped. Each hook
 * has a time limit, and every failure of a hook becomes a verdict.
 */
import type { HookEvaluation, HookRecord } from '#law/proof/stop-hooks.ts';
import { harmless, headOf } from '#base/words/sanitize.ts';
import { copyOf, isAbstention, readResult } from './context.ts';
import type { AgentContext, CheckpointData, StopHook, StopHookResult } from './types.ts';

export interface Candidate {
  readonly id: string;
  readonly enabled: boolean;
  readonly hook: StopHook;
}

export interface Evaluation extends StopHookResult {
  /** The hook whose verdict it is; `default` if no hook was asked. */
  readonly hookId: string;
  readonly taskId: string;
  readonly iteration: number;
  /** Every registered hook, in order. */
  readonly account: readonly HookAccount[];
  /** From every hook that was asked, not only from the one whose verdict counts. */
  readonly checkpoints: readonly { readonly hookId: string; readonly data: CheckpointData }[];
}

export type HookAccount =
  | ({ readonly hookId: string } & HookAnswer)
  | { readonly hookId: string; readonly is: 'disabled' | 'not-reached' };

const NO_HOOKS = 'No hooks registered for this task';
const ALL_DISABLED = 'All hooks registered for this task are disabled';

export async function evaluate(
  candidates: readonly Candidate[],
  context: AgentContext,
  clock: Clock,
  timeoutMs: number,
): Promise<Evaluation> {
  const account: HookAccount[] = [];
  let decided = false;
  for (const { id: hookId, enabled, hook } of candidates) {
    if (!enabled) account.push({ hookId, is: 'disabled' });
    else if (decided) account.push({ hookId, is: 'not-reached' });
    else {
      const asked = await askHook(hook, context, clock, timeoutMs);
      account.push({ hookId, ...asked });
      decided = asked.result.action !== 'continue';
    }
  }
  const asked = account.filter((one) => 'result' in one);
  const last = asked.findLast(({ is }) => is !== 'abstained') ?? asked.at(-1);
  return {
    ...(last === undefined
      ? { hookId: 'default', action: 'continue', reason: candidates.length === 0 ? NO_HOOKS : ALL_DISABLED }
      : { hookId: last.hookId, ...last.result }),
    taskId: context.taskId,
    iteration: context.iteration,
    account,
    checkpoints: asked.flatMap(({ hookId, result: { checkpointData } }) =>
      checkpointData === undefined ? [] : { hookId, data: checkpointData },
    ),
  };
}

export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Calls back after this many milliseconds, unless the returned function is called before. */
  readonly after: (ms: number, callBack: () => void) => () => void;
}

/** Node treats any longer delay, Infinity included, as one millisecond. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export const CLOCK: Clock = {
  now: () => Date.now(),
  after: (ms, callBack) => {
    const timer = setTimeout(callBack, Math.min(ms, LONGEST_TIMER_MS));
    return () => clearTimeout(timer);
  },
};

interface HookAnswer {
  readonly is: 'answered' | 'abstained' | 'failed' | 'timed-out';
  readonly result: StopHookResult;
  readonly ms: number;
  readonly error: string | null;
}

/**
 * Asks one hook once. Never rejects. A hook that never yields (an endless loop without an `await`) can't be
 * ended from inside its own process: a program that runs untrusted hooks must do this in a child process with
 * its own time limit.
 */
async function askHook(
  hook: StopHook,
  context: AgentContext,
  { now, after }: Clock,
  timeoutMs: number,
): Promise<HookAnswer> {
  const began = now();
  const lasted = () => Math.max(0, now() - began);
  const late = Symbol('late');
  let cancel = () => {};
  const timer = new Promise<typeof late>((resolve) => {
    cancel = after(timeoutMs, () => resolve(late));
  });
  try {
    // Async, so that a hook that throws at once fails like one that throws later.
    const answer = await Promise.race([timer, (async () => hook(copyOf(context)))()]);
    if (answer === late) return failure('timed-out', `no answer within ${timeoutMs / 1000} s`, lasted());
    const result = readResult(answer);
    return { is: isAbstention(result) ? 'abstained' : 'answered', result, ms: lasted(), error: null };
  } catch (error) {
    return failure('failed', messageOfError(error), lasted());
  } finally {
    cancel();
  }
}

function failure(is: 'failed' | 'timed-out', error: string, ms: number): HookAnswer {
  const reason = `Hook evaluation failed: ${error}`;
  return { is, result: { action: 'escalate', reason, metadata: { error } }, ms, error };
}

/** Code can throw anything, even something that can't be converted to a string. */
export function messageOfError(error: unknown): string {
  try {
    return error instanceof Error ? error.message || error.name : String(error);
  } catch {
    return 'it threw something that has no text';
  }
}

const MAX_REASON_CHARS = 1_000;
/** The continuation has room for this much. */
const MAX_NEXT_PROMPT_CHARS = 4_000;
/** Checkpoints and metadata describe the state of the work; they are not a backup. */
const MAX_DATA_CHARS = 256 * 1024;

/** As the journal keeps it: nothing in it is too long. */
export function bounded(asked: Evaluation): HookEvaluation {
  return {
    hook: asked.hookId,
    action: asked.action,
    reason: cut(asked.reason, MAX_REASON_CHARS),
    next: asked.nextPrompt === undefined ? null : cut(asked.nextPrompt, MAX_NEXT_PROMPT_CHARS),
    metadata: asked.metadata === undefined ? {} : plain(asked.metadata, 'metadata', asked.hookId),
    account: asked.account.map(accounted),
    checkpoints: asked.checkpoints.map(({ hookId, data }) => ({
      hook: hookId,
      data: plain(data, 'checkpoint', hookId),
    })),
  };
}

function accounted(account: HookAccount): HookRecord {
  if (!('result' in account)) return { hook: account.hookId, is: account.is };
  const { hookId, is, ms, result } = account;
  return {
    hook: hookId,
    is,
    action: result.action,
    reason: cut(result.reason, MAX_REASON_CHARS),
    ms: Math.round(ms),
  };
}

function plain(data: object, what: string, hook: string): Record<string, unknown> {
  const written = JSON.stringify(data);
  if (written.length > MAX_DATA_CHARS)
    throw new Error(`the ${what} of stop hook ${hook} is larger than ${MAX_DATA_CHARS / 1024} KB`);
  return JSON.parse(written) as Record<string, unknown>;
}

function cut(text: string, most: number): string {
  const clean = harmless(text);
  return clean.length > most ? `${headOf(clean, most - 1)}…` : clean;
}
