/** A hook that is active only under a condition, and abstains otherwise. */
import { abstain } from './abstain.ts';
import { copyOf, hasPassed, hasPromise } from './context.ts';
import { declared, toSpec } from './declared.ts';
import type { ConditionSpec } from './spec.ts';
import type { AgentContext, StopHook } from './types.ts';

/** Data, so that the hook can be stored; or code. */
export type Condition = ConditionSpec | ((context: AgentContext) => boolean | Promise<boolean>);

export function when(condition: Condition, hook: StopHook): StopHook {
  const holdsFor =
    typeof condition === 'function' ? condition : (context: AgentContext) => holds(condition, context);
  const conditional: StopHook = async (context) =>
    (await holdsFor(copyOf(context))) ? hook(context) : abstain('The condition of this hook does not hold');
  const spec = toSpec(hook);
  return typeof condition === 'function' || spec === null
    ? conditional
    : declared({ type: 'when', condition, hook: spec }, conditional);
}

function holds(condition: ConditionSpec, context: AgentContext): boolean {
  const { phase, fromIteration, untilIteration, files, under, passing, failing, promise } = condition;
  const { filesModified, iteration, executionPhase } = context;
  return (
    (phase === undefined || executionPhase === phase) &&
    (fromIteration === undefined || iteration >= fromIteration) &&
    (untilIteration === undefined || iteration <= untilIteration) &&
    (files === undefined || filesModified.length > 0 === (files === 'some')) &&
    (under === undefined || filesModified.some((file) => file.startsWith(under))) &&
    (passing === undefined || hasPassed(context, passing)) &&
    (failing === undefined || !hasPassed(context, failing)) &&
    (promise === undefined || hasPromise(context, promise))
  );
}
