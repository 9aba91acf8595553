/** The library `dacapo`: stop hooks and frames. Every export here is public: adding one is a promise to keep it. */
import type { FramePushed, FrameRequest } from './library.ts';

/**
 * Puts a task inside a running loop. The code is loaded on the first call, because stop hooks need no files or
 * processes.
 */
export async function pushFrame(request: FrameRequest): Promise<FramePushed> {
  return (await import('./library.ts')).pushByName(request);
}

export { abstain } from './stop-hooks/context.ts';
export { allOf, anyOf, when } from './stop-hooks/chains.ts';
export { HookSpecError } from './stop-hooks/refusal.ts';
export { defineConfig } from './stop-hooks/config.ts';
export { toSpec } from './stop-hooks/spec.ts';
export { fromSpec } from './stop-hooks/from-spec.ts';
export {
  checkpointAt,
  checkpointEvery,
  defaultHook,
  maxFiles,
  maxIterations,
  promiseHook,
  realWork,
  security,
  tdd,
  validationHook,
} from './stop-hooks/templates.ts';
export { createRegistry } from './stop-hooks/registry.ts';
export { fromStopJs } from './stop-hooks/stop-js.ts';

export type { FramePushed, FrameRequest } from './library.ts';
export type {
  BareHook,
  CheckConfig,
  DacapoConfig,
  Duration,
  HookEntry,
  NamedHook,
} from './stop-hooks/config.ts';
export type { Evaluation, HookAccount } from './stop-hooks/evaluate.ts';
export type { HookMetrics } from './stop-hooks/metrics.ts';
export type {
  HookOptions,
  HookRegistration,
  ListedHook,
  RegisteredHook,
  RegistryOptions,
  StopHookRegistry,
} from './stop-hooks/registry.ts';
export type { SavedHook } from './stop-hooks/from-spec.ts';
export type { DeclaredHook } from './stop-hooks/spec.ts';
export type {
  AgentContext,
  CheckpointData,
  CompletionPromise,
  ConditionSpec,
  HookSpec,
  LoopContext,
  StopHook,
  StopHookResult,
  ValidationResult,
  WorkProductType,
} from './stop-hooks/types.ts';
export type { StopJs, StopJsResult } from './stop-hooks/stop-js.ts';
export type { Condition } from './stop-hooks/chains.ts';
