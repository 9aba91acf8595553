/** The three hooks that most loops need: what the agent said, what was validated, or both. */
import { hasPromise } from './context.ts';
import { declared, type DeclaredHook } from './declared.ts';
import type { AgentContext, StopHookResult, ValidationResult } from './types.ts';

/** A prompt is for reading: past this many failures the agent has enough to do. */
const FAILURES_SHOWN = 10;
/** A validation's message may be the whole output of a program. */
const MESSAGE_SHOWN = 500;

export const promiseHook: DeclaredHook = declared(
  { type: 'promise' },
  (context) => judgePromises(context) ?? { action: 'continue', reason: 'No completion promise detected' },
);

export const validationHook: DeclaredHook = declared(
  { type: 'validation' },
  (context) => judgeValidation(context) ?? { action: 'continue', reason: 'No validation rules' },
);

/** Promises first, then validation. Recommended. */
export const defaultHook: DeclaredHook = declared(
  { type: 'default' },
  (context) =>
    judgePromises(context) ??
    judgeValidation(context) ?? { action: 'continue', reason: 'Iteration in progress' },
);

function judgePromises(context: AgentContext): StopHookResult | null {
  if (hasPromise(context, 'COMPLETE')) {
    return { action: 'complete', reason: 'Agent signaled completion via <promise>COMPLETE</promise>' };
  }
  if (hasPromise(context, 'ESCALATE')) {
    return { action: 'escalate', reason: 'Agent asked for a person via <promise>ESCALATE</promise>' };
  }
  if (hasPromise(context, 'BLOCKED')) {
    return { action: 'escalate', reason: 'Agent said that it is blocked via <promise>BLOCKED</promise>' };
  }
  return null;
}

/** Null: there was nothing to validate. */
function judgeValidation({ validationResults }: AgentContext): StopHookResult | null {
  if (validationResults.length === 0) return null;
  const failures = validationResults.filter(({ passed }) => !passed);
  if (failures.length === 0) return { action: 'complete', reason: 'All validation rules pass' };
  return {
    action: 'continue',
    reason: `${failures.length} of ${validationResults.length} validation rules fail`,
    nextPrompt: feedback(failures),
  };
}

function feedback(failures: readonly ValidationResult[]): string {
  const more = failures.length - FAILURES_SHOWN;
  return [
    'These validation rules fail. Fix them:',
    ...failures.slice(0, FAILURES_SHOWN).map(({ ruleName, message }) => `- ${ruleName}: ${shown(message)}`),
    ...(more > 0 ? [`- and ${more} more`] : []),
  ].join('\n');
}

function shown(message: string): string {
  if (message.length <= MESSAGE_SHOWN) return message;
  // No half of a character at the cut: a model's API refuses a lone surrogate.
  return `${message.slice(0, MESSAGE_SHOWN - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
