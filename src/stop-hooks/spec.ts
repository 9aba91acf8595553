/** Hooks as plain data: what can be written into a file, and be made a hook again by `fromSpec`. */
import type { CompletionPromise } from './types.ts';

export type HookSpec =
  | { readonly type: 'default' | 'validation' | 'promise' }
  | TddSpec
  | SecuritySpec
  | CheckpointEverySpec
  | CheckpointAtSpec
  | RealWorkSpec
  | { readonly type: 'max-files'; readonly files: number }
  | { readonly type: 'max-iterations'; readonly iterations: number }
  | { readonly type: 'all-of' | 'any-of'; readonly hooks: readonly HookSpec[] }
  | { readonly type: 'when'; readonly condition: ConditionSpec; readonly hook: HookSpec };

export interface TddSpec {
  readonly type: 'tdd';
  /** The validation rule that stands for the tests. Default: `tests_pass`. */
  readonly rule?: string;
}

export interface SecuritySpec {
  readonly type: 'security';
  /** All of these have to pass. Default: `vulns_fixed` and `sast_clean`. */
  readonly rules?: readonly string[];
  /** From this iteration on a person has to look. Default: 10. */
  readonly maxIterations?: number;
}

export interface CheckpointEverySpec {
  readonly type: 'checkpoint-every';
  readonly iterations: number;
  readonly phase?: string;
}

export interface CheckpointAtSpec {
  readonly type: 'checkpoint-at';
  readonly iteration: number;
  readonly phase?: string;
  readonly milestone?: string;
}

export interface RealWorkSpec {
  readonly type: 'real-work';
  /** Files that are no work: paths as seen from the project, folders with a slash at their end. */
  readonly except?: readonly string[];
}

/** All that is given has to hold. */
export interface ConditionSpec {
  readonly phase?: string;
  readonly fromIteration?: number;
  readonly untilIteration?: number;
  readonly files?: 'some' | 'none';
  /** A file whose path begins so was modified. */
  readonly under?: string;
  readonly passing?: string;
  /** Not passing; also when it was not tested. */
  readonly failing?: string;
  readonly promise?: CompletionPromise['type'];
}
