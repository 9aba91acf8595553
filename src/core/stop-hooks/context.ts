/** What the stop hooks are given: the `AgentContext` of this stop. */
import { headOf } from '../words/sanitize.ts';
import { checksOf, promiseOf, USUAL_PROMISE } from '../gates.ts';
import { topFrame, type Loop } from '../loop.ts';
import { sayOutcome } from '../words/phrases.ts';
import type { Distress, Proofs } from '../stop.ts';

/** The longest message passed to a hook. No real message is this long. */
const MOST_OUTPUT = 200_000;

/** The registry's `AgentContext`. Core can't import it from the layer above, so a test compares the two. */
export interface HookContext {
  taskId: string;
  iteration: number;
  maxIterations?: number;
  executionPhase: string | null;
  filesModified: string[];
  filesModifiedSoFar?: string[];
  validationResults: { ruleName: string; passed: boolean; message: string; notRun?: boolean }[];
  completionPromises: {
    type: 'COMPLETE' | 'BLOCKED' | 'ESCALATE';
    detected: boolean;
    content: string;
    detectedAt: string;
  }[];
  agentOutput: string;
}

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
): HookContext {
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
function validationResults(loop: Loop, { checks, sights }: Proofs): HookContext['validationResults'] {
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
function promises(wanted: string | null, { said }: Proofs, now: string): HookContext['completionPromises'] {
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
