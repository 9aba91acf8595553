/**
 * Combines several hooks into one. In every chain an `escalate` is a veto and ends the chain. Otherwise all
 * hooks are asked in order, so that the agent hears everything at once. The order changes only the words,
 * never the verdict.
 */
import { abstain, copyOf, hasRulePassed, hasPromise, isAbstention, readResult } from './context.ts';
import { declared, toSpec, type ConditionSpec } from './spec.ts';
import type { AgentContext, CheckpointData, StopHook, StopHookResult } from './types.ts';

/** Complete when all hooks are. */
export function allOf(...hooks: readonly StopHook[]): StopHook {
  return chain('all-of', hooks);
}

/** Complete when one hook is. */
export function anyOf(...hooks: readonly StopHook[]): StopHook {
  return chain('any-of', hooks);
}

function chain(type: 'all-of' | 'any-of', hooks: readonly StopHook[]): StopHook {
  // An empty chain would be complete without any condition, so it must not exist.
  if (hooks.length === 0)
    throw new TypeError(`${type === 'all-of' ? 'allOf' : 'anyOf'} needs at least one hook`);
  const hook: StopHook = async (context) => {
    const asked = await askInOrder(hooks, context);
    const said = asked.filter((result) => !isAbstention(result));
    const actions = said.map(({ action }) => action);
    if (actions.includes('escalate')) return combined('escalate', said, asked);
    const isComplete = type === 'all-of' ? !actions.includes('continue') : actions.includes('complete');
    if (said.length > 0) return combined(isComplete ? 'complete' : 'continue', said, asked);
    return { ...abstain(reasonsOf(asked)), ...checkpointOf(asked) };
  };
  const specs = hooks.map(toSpec).filter((spec) => spec !== null);
  return specs.length === hooks.length ? declared({ type, hooks: specs }, hook) : hook;
}

async function askInOrder(hooks: readonly StopHook[], context: AgentContext): Promise<StopHookResult[]> {
  const results: StopHookResult[] = [];
  for (const hook of hooks) {
    const result = readResult(await hook(copyOf(context)));
    results.push(result);
    if (result.action === 'escalate') break;
  }
  return results;
}

/** Takes reason and prompt from the hooks that agree with the verdict; checkpoints and metadata from all. */
function combined(
  action: StopHookResult['action'],
  said: readonly StopHookResult[],
  asked: readonly StopHookResult[],
): StopHookResult {
  const voices = said.filter((result) => result.action === action);
  const prompts = voices.flatMap(({ nextPrompt }) => nextPrompt ?? []);
  const metadata: Record<string, unknown> = {};
  for (const result of asked) Object.assign(metadata, result.metadata);
  delete metadata['abstained'];
  return {
    action,
    reason: reasonsOf(voices),
    ...(prompts.length > 0 && { nextPrompt: prompts.join('\n\n') }),
    ...checkpointOf(asked),
    ...(Object.keys(metadata).length > 0 && { metadata }),
  };
}

function reasonsOf(results: readonly StopHookResult[]): string {
  return results.map(({ reason }) => reason).join('; ');
}

/** A result carries one checkpoint. If several hooks give one, we merge them, and later fields win. */
function checkpointOf(asked: readonly StopHookResult[]): { checkpointData?: CheckpointData } {
  const all = asked.flatMap(({ checkpointData }) => checkpointData ?? []);
  if (all.length === 0) return {};
  return {
    checkpointData: all.reduce((before, data) => ({
      ...before,
      ...data,
      ...(before.agentContext && { agentContext: { ...before.agentContext, ...data.agentContext } }),
    })),
  };
}

/** As data, the hook can be stored. */
export type Condition = ConditionSpec | ((context: AgentContext) => boolean | Promise<boolean>);

/** A hook that applies only under a condition, and abstains otherwise. */
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
    (passing === undefined || hasRulePassed(context, passing)) &&
    (failing === undefined || !hasRulePassed(context, failing)) &&
    (promise === undefined || hasPromise(context, promise))
  );
}
