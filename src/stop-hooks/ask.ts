/** One hook, asked once: with a bound on its time, and with every way in which it can fail turned into a verdict. */
import { isAbstention } from './abstain.ts';
import { copyOf } from './context.ts';
import { readResult } from './result.ts';
import type { AgentContext, StopHook, StopHookResult } from './types.ts';

/** What evaluating needs of the world. */
export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Calls back after so many milliseconds, unless the returned function was called before. */
  readonly after: (ms: number, callBack: () => void) => () => void;
}

export interface Asked {
  readonly is: 'answered' | 'abstained' | 'failed' | 'timed-out';
  readonly result: StopHookResult;
  readonly ms: number;
  readonly error: string | null;
}

/**
 * Never rejects. A hook that never yields (an endless loop without an `await`) can't be ended from inside its own
 * process: whoever runs strangers' code runs all of this in a child process with a time limit of its own.
 */
export async function ask(
  hook: StopHook,
  context: AgentContext,
  { now, after }: Clock,
  timeoutMs: number,
): Promise<Asked> {
  const began = now();
  const lasted = () => Math.max(0, now() - began);
  const late = Symbol('late');
  let cancel = () => {};
  const timer = new Promise<typeof late>((resolve) => {
    cancel = after(timeoutMs, () => resolve(late));
  });
  try {
    const answer = await Promise.race([timer, call(hook, context)]);
    if (answer === late) return failure('timed-out', `no answer within ${timeoutMs / 1000} s`, lasted());
    const result = readResult(answer);
    return { is: isAbstention(result) ? 'abstained' : 'answered', result, ms: lasted(), error: null };
  } catch (error) {
    return failure('failed', messageOf(error), lasted());
  } finally {
    cancel();
  }
}

/** Async, so that a hook that throws at once fails like one that throws later. */
async function call(hook: StopHook, context: AgentContext): Promise<unknown> {
  return hook(copyOf(context));
}

function failure(is: 'failed' | 'timed-out', error: string, ms: number): Asked {
  const reason = `Hook evaluation failed: ${error}`;
  return { is, result: { action: 'escalate', reason, metadata: { error } }, ms, error };
}

/** Anything can be thrown, even something that can't be made a text. */
export function messageOf(error: unknown): string {
  try {
    return error instanceof Error ? error.message || error.name : String(error);
  } catch {
    return 'it threw something that has no text';
  }
}
