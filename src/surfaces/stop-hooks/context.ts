/** A hook's input, and its result. */
import { isRecord, oneOf, text, type Shape } from '#base/shape.ts';
import { named } from '#input/schema/misfit.ts';
import type { AgentContext, CheckpointData, LoopContext, StopHookResult } from './types.ts';

/** Every hook gets its own copy, so that no hook can change what the next one judges. */
export function copyOf(context: LoopContext): LoopContext {
  return {
    ...context,
    filesModified: [...context.filesModified],
    ...(context.filesModifiedSoFar && { filesModifiedSoFar: [...context.filesModifiedSoFar] }),
    validationResults: context.validationResults.map((result) => ({ ...result })),
    completionPromises: context.completionPromises.map((promise) => ({ ...promise })),
  };
}

/** Also false if the rule was not tested at this stop. */
export function hasRulePassed(context: AgentContext, rule: string): boolean {
  return context.validationResults.find(({ ruleName }) => ruleName === rule)?.passed === true;
}

export function notRun({ validationResults }: AgentContext, rules: readonly string[]): string[] {
  const idle = validationResults.filter((one) => one.notRun === true && rules.includes(one.ruleName));
  return idle.map(({ ruleName }) => ruleName);
}

export function hasPromise(context: AgentContext, type: 'COMPLETE' | 'BLOCKED' | 'ESCALATE'): boolean {
  return context.completionPromises.some((promise) => promise.type === type && promise.detected);
}

const action = oneOf('complete', 'continue', 'escalate');

/**
 * Reads strictly, as user code in plain JavaScript may return anything. Throws an error that says what is
 * wrong.
 */
export function readResult(value: unknown): StopHookResult {
  if (!isRecord(value)) throw new TypeError(`a stop hook must return a result, but returned ${named(value)}`);
  const must = <T>(key: string, shape: Shape<T>, wanted: string) =>
    read(value[key], shape, `the ${key} of a stop hook must be ${wanted}`);
  const may = <T>(key: string, shape: Shape<T>, wanted: string) =>
    isGiven(value[key]) ? must(key, shape, wanted) : undefined;
  const nextPrompt = may('nextPrompt', text, 'a text');
  const checkpointData = may('checkpointData', isRecord, 'an object');
  const metadata = may('metadata', isRecord, 'an object');
  return {
    action: must('action', action, 'complete, continue or escalate'),
    reason: must('reason', text, 'a text'),
    ...(nextPrompt !== undefined && { nextPrompt }),
    ...(checkpointData && { checkpointData }),
    ...(metadata && { metadata }),
  };
}

/** Returns the value if it has this shape. `rule` says what it must be, for the author of the hook. */
export function read<T>(value: unknown, shape: Shape<T>, rule: string): T {
  if (shape(value)) return value;
  throw new TypeError(`${rule}, but is ${named(value)}`);
}

/** `null` means an absent field, as in the JSON of other programs. */
export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/**
 * A hook that has nothing to say about a stop abstains: its `continue` neither holds up a chain nor replaces
 * what another hook said. The mark is plain data, because a user's hooks may come from another copy of this
 * library than the one that evaluates them, and may answer from another process.
 */
export function abstain(reason: string, checkpointData?: CheckpointData): StopHookResult {
  const result: StopHookResult = { action: 'continue', reason, metadata: { abstained: true } };
  return checkpointData === undefined ? result : { ...result, checkpointData };
}

export function isAbstention(result: StopHookResult): boolean {
  return result.action === 'continue' && result.metadata?.['abstained'] === true;
}
