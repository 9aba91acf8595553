import type { AgentContext, LoopContext } from './types.ts';

/** Every hook gets its own: what one of them does to it must not be what the next one judges. */
export function copyOf(context: LoopContext): LoopContext {
  return {
    ...context,
    filesModified: [...context.filesModified],
    ...(context.filesModifiedSoFar && { filesModifiedSoFar: [...context.filesModifiedSoFar] }),
    validationResults: context.validationResults.map((result) => ({ ...result })),
    completionPromises: context.completionPromises.map((promise) => ({ ...promise })),
  };
}

/** False also where the rule was not tested: what nobody looked at has not passed. */
export function hasPassed(context: AgentContext, rule: string): boolean {
  return context.validationResults.find(({ ruleName }) => ruleName === rule)?.passed === true;
}

export function hasPromise(context: AgentContext, type: 'COMPLETE' | 'BLOCKED' | 'ESCALATE'): boolean {
  return context.completionPromises.some((promise) => promise.type === type && promise.detected);
}
