/** The types of stop hooks, with the names and fields of the document "Stop Hook System". */
import type { AgentContext, CompletionPromise, WorkProductType } from '../core/stop-hooks.ts';

export type StopHook = (context: AgentContext) => StopHookResult | Promise<StopHookResult>;

export type {
  AgentContext,
  CompletionPromise,
  LoopContext,
  ValidationResult,
  WorkProductType,
} from '../core/stop-hooks.ts';

export interface StopHookResult {
  action: 'complete' | 'continue' | 'escalate';
  /** For people. */
  reason: string;
  /** For the agent, in its next iteration. */
  nextPrompt?: string;
  /** What to keep, so that the work can be resumed from here. */
  checkpointData?: CheckpointData;
  metadata?: Record<string, unknown>;
}

export interface CheckpointData {
  executionPhase?: string;
  executionStep?: number;
  agentContext?: Record<string, unknown>;
  draftContent?: string;
  draftType?: WorkProductType;
}

/** A hook as plain data: it can be written into a file, and `fromSpec` turns it back into a hook. */
export type HookSpec =
  | { readonly type: 'default' | 'validation' | 'promise' }
  | {
      readonly type: 'tdd';
      /** The validation rule for the tests. Default: `tests_pass`. */
      readonly rule?: string;
    }
  | {
      readonly type: 'security';
      /** All of these must pass. Default: `vulns_fixed` and `sast_clean`. */
      readonly rules?: readonly string[];
      /** From this iteration on a person has to look. Default: 10. */
      readonly maxIterations?: number;
    }
  | { readonly type: 'checkpoint-every'; readonly iterations: number; readonly phase?: string }
  | {
      readonly type: 'checkpoint-at';
      readonly iteration: number;
      readonly phase?: string;
      readonly milestone?: string;
    }
  | {
      readonly type: 'real-work';
      /** Files that do not count as work: paths relative to the project, folders with a slash at their end. */
      readonly except?: readonly string[];
    }
  | { readonly type: 'max-files'; readonly files: number }
  | { readonly type: 'max-iterations'; readonly iterations: number }
  | { readonly type: 'all-of' | 'any-of'; readonly hooks: readonly HookSpec[] }
  | { readonly type: 'when'; readonly condition: ConditionSpec; readonly hook: HookSpec };

export type HookOptionsOf<T extends HookSpec['type']> = Partial<Omit<Extract<HookSpec, { type: T }>, 'type'>>;

/** All given fields must hold. */
export interface ConditionSpec {
  readonly phase?: string;
  readonly fromIteration?: number;
  readonly untilIteration?: number;
  readonly files?: 'some' | 'none';
  /** A file whose path begins with this was modified. */
  readonly under?: string;
  readonly passing?: string;
  /** This rule does not pass, or was not tested. */
  readonly failing?: string;
  readonly promise?: CompletionPromise['type'];
}
