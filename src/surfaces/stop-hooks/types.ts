/** The types of stop hooks, with the names and fields of the document "Stop Hook System". */
import type { AgentContext, WorkProductType } from '#law/proof/stop-hooks.ts';

export type StopHook = (context: AgentContext) => StopHookResult | Promise<StopHookResult>;

export type {
  AgentContext,
  CompletionPromise,
  LoopContext,
  ValidationResult,
  WorkProductType,
} from '#law/proof/stop-hooks.ts';

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
