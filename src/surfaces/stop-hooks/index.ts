/**
 * `dacapo/stop-hooks`: one registry for the whole process, with its functions as module exports, for programs
 * that keep their hooks in one place. Programs that need several registries call `createRegistry`.
 */
import { createRegistry } from './registry.ts';

export const {
  registerStopHook,
  createDefaultHook,
  createValidationHook,
  createPromiseHook,
  unregister,
  enable,
  disable,
  get,
  list,
  clear,
  evaluate,
  metrics,
  confirm,
  save,
  restore,
} = createRegistry();

export type { Evaluation } from './evaluate.ts';
export type { DeclaredHook, HookSpec } from './spec.ts';
export type {
  AgentContext,
  CheckpointData,
  CompletionPromise,
  LoopContext,
  StopHook,
  StopHookResult,
  ValidationResult,
} from './types.ts';
