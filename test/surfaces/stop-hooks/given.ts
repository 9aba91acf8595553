/**
 * Contexts and registries for the tests of stop hooks, each with what the test does not care about filled in.
 */
import { createRegistry } from '#surfaces/library/index.ts';
import type {
  AgentContext,
  CompletionPromise,
  RegistryOptions,
  StopHookResult,
} from '#surfaces/library/index.ts';

export function contextOf(over: Partial<AgentContext> = {}): AgentContext {
  return {
    taskId: 'TASK-abc123',
    iteration: 1,
    executionPhase: null,
    filesModified: [],
    validationResults: [],
    completionPromises: [],
    ...over,
  };
}

export function promise(type: CompletionPromise['type'], detected = true): CompletionPromise {
  return { type, detected, content: type };
}

export function rule(ruleName: string, passed: boolean, message = '') {
  return { ruleName, passed, message };
}

/** A hook that always says the same. */
export function saying(action: StopHookResult['action'], over: Partial<StopHookResult> = {}) {
  return (): StopHookResult => ({ action, reason: `it says ${action}`, ...over });
}

/** A registry at a fixed time, whose chance draws one number after the other, again and again. */
export function fixedRegistry(over: Partial<RegistryOptions> = {}) {
  let draw = 0;
  return createRegistry({
    now: () => 1_735_567_890_123,
    random: () => (draw++ % 36) / 36,
    ...over,
  });
}
