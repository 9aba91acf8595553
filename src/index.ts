/** The library `dacapo`: stop hooks, and frames. What stands here is public: adding to it is a promise to keep it. */
import type { FramePushed, FrameRequest } from './hearing/push-by-name.ts';

/** Puts a task inside a loop that runs. Loaded when it is called: stop hooks need no file and no process. */
export async function pushFrame(request: FrameRequest): Promise<FramePushed> {
  return (await import('./hearing/push-by-name.ts')).pushByName(request);
}

export { abstain } from './registry/abstain.ts';
export { allOf, anyOf } from './registry/chains.ts';
export { HookSpecError } from './registry/refusal.ts';
export { defineConfig } from './registry/config.ts';
export { toSpec } from './registry/declared.ts';
export { fromSpec } from './registry/from-spec.ts';
export { defaultHook, promiseHook, validationHook } from './registry/presets.ts';
export { createRegistry } from './registry/registry.ts';
export { fromStopJs } from './registry/stop-js.ts';
export {
  checkpointAt,
  checkpointEvery,
  maxFiles,
  maxIterations,
  realWork,
  security,
  tdd,
} from './registry/templates.ts';
export { when } from './registry/when.ts';

export type { FramePushed, FrameRequest } from './hearing/push-by-name.ts';
export type {
  BareHook,
  CheckConfig,
  DacapoConfig,
  Duration,
  HookEntry,
  NamedHook,
} from './registry/config.ts';
export type { Evaluation, HookAccount } from './registry/evaluate.ts';
export type { HookMetrics } from './registry/metrics.ts';
export type {
  HookOptions,
  HookRegistration,
  ListedHook,
  RegisteredHook,
  RegistryOptions,
  StopHookRegistry,
} from './registry/registry.ts';
export type { SavedHook } from './registry/saved.ts';
export type { ConditionSpec, HookSpec } from './registry/spec.ts';
export type { StopJs, StopJsResult } from './registry/stop-js.ts';
export type {
  AgentContext,
  CheckpointData,
  CompletionPromise,
  LoopContext,
  StopHook,
  StopHookResult,
  ValidationResult,
  WorkProductType,
} from './registry/types.ts';
export type { Condition } from './registry/when.ts';
