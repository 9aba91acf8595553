/** What the stop hooks are given: the `AgentContext` of this stop. Its types are public. */
import { headOf } from '../words/sanitize.ts';
import { checksOf, promiseOf, USUAL_PROMISE } from '../gates.ts';
import { topFrame, type Loop } from '../loop.ts';
import { sayOutcome } from '../words/phrases.ts';
import type { Distress, Proofs } from '../stop.ts';

/** The longest message passed to a hook. No real message is this long. */
const MOST_OUTPUT = 200_000;

/** With the names and fields of the document "Stop Hook System". */
export interface AgentContext {
  /** The task that is worked on: the loop, or the task that it is a run of. */
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

/** What a loop gives its hooks in addition to that document. */
export interface LoopContext extends AgentContext {
  /** How many iterations the loop, the item or the inner task may take; absent without a limit. */
  maxIterations?: number;
  /** Files that changed since the loop began; absent if we can't tell. */
  filesModifiedSoFar?: string[];
}

export interface ValidationResult {
  ruleName: string;
  passed: boolean;
  message: string;
  /**
   * True if the rule was not tested at this stop. Then `passed` is false, and it is unknown whether the rule would
   * pass.
   */
  notRun?: boolean;
}

export interface CompletionPromise {
  type: 'COMPLETE' | 'BLOCKED' | 'ESCALATE';
  detected: boolean;
  /** The text of the promise; for `BLOCKED: the reason`, the reason. */
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

/** Files relative to the project; null: unknown (no git). */
export interface ChangedPaths {
  readonly inPass: readonly string[];
  readonly inLoop: readonly string[] | null;
}

export function hookContext(
  loop: Loop,
  message: string,
  proofs: Proofs,
  files: ChangedPaths,
  now: string,
): LoopContext {
  const frame = topFrame(loop);
  return {
    taskId: loop.id,
    iteration: frame.passes + 1,
    ...(frame.iterations !== null && { maxIterations: frame.iterations }),
    executionPhase: loop.noted.checkpointed?.phase ?? null,
    filesModified: [...files.inPass],
    ...(files.inLoop !== null && { filesModifiedSoFar: [...files.inLoop] }),
    validationResults: validationResults(loop, proofs),
    completionPromises: promises(promiseOf(frame), proofs, now),
    agentOutput: headOf(message, MOST_OUTPUT),
  };
}

/** A check that was not run at this stop has neither passed nor failed: it is marked and says why. */
function validationResults(loop: Loop, { checks, sights }: Proofs): LoopContext['validationResults'] {
  const run = checksOf(topFrame(loop)).map(({ name, command }) => {
    const outcome = checks.find((proof) => proof.command === command)?.outcome;
    const tail = outcome !== undefined && 'tail' in outcome ? `\n${outcome.tail}` : '';
    return {
      ruleName: name ?? command,
      passed: outcome?.is === 'passed',
      message: `${sayOutcome(outcome)}${tail}`,
      ...(outcome === undefined && { notRun: true }),
    };
  });
  const seen = sights
    .filter(({ gate }) => gate !== 'hooks')
    .map(({ gate, holds, says }) => ({ ruleName: gate, passed: holds, message: says }));
  return [...run, ...seen];
}

/**
 * Only tags that count: a tag in code, in a quote or in mid-sentence promises nothing. Given both, hooks see both, and each
 * decides for itself.
 */
function promises(wanted: string | null, { said }: Proofs, now: string): LoopContext['completionPromises'] {
  if (said === null) return [];
  const detected = { detected: true, detectedAt: now };
  const { distress } = said;
  const type = distress === null ? undefined : CRIES[distress.is];
  return [
    ...(said.kept || said.usual || said.contradicted
      ? [{ type: 'COMPLETE' as const, content: wanted ?? USUAL_PROMISE, ...detected }]
      : []),
    ...(type === undefined ? [] : [{ type, content: distress?.words || type, ...detected }]),
  ];
}

const CRIES: Readonly<Partial<Record<Distress['is'], 'BLOCKED' | 'ESCALATE'>>> = {
  blocked: 'BLOCKED',
  stuck: 'BLOCKED',
  escalate: 'ESCALATE',
};
