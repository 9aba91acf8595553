/**
 * The types of stop hooks, with the names and fields that people know from the document "Stop Hook System".
 * A stop hook looks at one stop of the agent and says what should happen. It is one gate among the others.
 */

export type StopHook = (context: AgentContext) => StopHookResult | Promise<StopHookResult>;

export interface AgentContext {
  /** The task (in Da Capo: the loop) that is worked on. */
  taskId: string;
  /** The first iteration is 1. */
  iteration: number;
  executionPhase: string | null;
  /** Files that changed in this iteration. */
  filesModified: string[];
  validationResults: ValidationResult[];
  completionPromises: CompletionPromise[];
  agentOutput?: string;
  draftContent?: string;
  draftType?: WorkProductType;
}

/** What a loop gives its hooks beyond the document. */
export interface LoopContext extends AgentContext {
  /** Files that changed since the loop began; absent where nobody can tell. */
  filesModifiedSoFar?: string[];
}

export interface ValidationResult {
  ruleName: string;
  passed: boolean;
  message: string;
}

export interface CompletionPromise {
  type: 'COMPLETE' | 'BLOCKED' | 'ESCALATE';
  detected: boolean;
  /** The text of the promise. */
  content: string;
  /** ISO 8601. */
  detectedAt?: string;
}

export type WorkProductType =
  | 'technical_design'
  | 'implementation'
  | 'test_plan'
  | 'security_review'
  | 'documentation'
  | 'architecture'
  | 'other';

export interface StopHookResult {
  action: 'complete' | 'continue' | 'escalate';
  /** For people. */
  reason: string;
  /** For the agent, in its next iteration. */
  nextPrompt?: string;
  /** What is to be kept, so that the work can be resumed from here. */
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
