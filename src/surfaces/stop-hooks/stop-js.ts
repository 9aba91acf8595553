/** Adapts hooks in the form of `.claude/hooks/stop.js` files: output in, `allowExit` out. */
import { flag, isRecord, text } from '#base/shape.ts';
import { named } from '#input/schema/misfit.ts';
import { isGiven, read } from './context.ts';
import type { LoopContext, StopHook, StopHookResult } from './types.ts';

export type StopJs = (context: { output: string }) => StopJsResult | Promise<StopJsResult>;

export interface StopJsResult {
  allowExit: boolean;
  reason?: string;
  injectPrompt?: string;
  message?: string;
}

/** The form has one word for "done" and for "used up". This is what such files say in the second case. */
const USED_UP = /^max(imum)?[ _-]iterations/i;

export function fromStopJs(stopJs: StopJs): StopHook {
  return async (context: LoopContext) => {
    const { agentOutput = '', iteration, maxIterations = Infinity } = context;
    return translate(await stopJs({ output: agentOutput }), iteration >= maxIterations);
  };
}

/** `isLast`: the loop ends by its own limit after this iteration, so "used up" needs no person. */
function translate(answer: unknown, isLast: boolean): StopHookResult {
  if (!isRecord(answer))
    throw new TypeError(`stop.js must return { allowExit }, but returned ${named(answer)}`);
  const allowExit = read(answer['allowExit'], flag, 'allowExit of stop.js must be true or false');
  const reason = textOf(answer, 'reason');
  const message = textOf(answer, 'message');
  if (allowExit) {
    const why = reason ?? message ?? 'stop.js allows the exit';
    if (!USED_UP.test(why)) return { action: 'complete', reason: why };
    return { action: isLast ? 'continue' : 'escalate', reason: why };
  }
  const nextPrompt = textOf(answer, 'injectPrompt');
  return {
    action: 'continue',
    reason: message ?? reason ?? 'stop.js does not allow the exit yet',
    ...(nextPrompt !== undefined && { nextPrompt }),
  };
}

function textOf(answer: Record<string, unknown>, key: string): string | undefined {
  const value = answer[key];
  return isGiven(value) ? read(value, text, `${key} of stop.js must be a text`) : undefined;
}
