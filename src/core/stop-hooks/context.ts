/** What the stop hooks are given: the `AgentContext` of this stop. */
import { headOf } from '../words/sanitize.ts';
import { checksOf, promiseOf, USUAL_PROMISE } from '../gates.ts';
import { topFrame, type Loop } from '../loop.ts';
import { sayOutcome } from '../words/phrases.ts';
import type { Distress, Proofs } from '../stop.ts';

/** A hook reads the message; nobody writes as much as this. */
const MOST_OUTPUT = 200_000;

/** The registry's `AgentContext`, which lies above; a test holds the two together. */
export interface HookContext {
  taskId: string;
  iteration: number;
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

/** Files as seen from the project; null: nobody can tell (no git). */
export interface ChangedFiles {
  readonly inPass: readonly string[];
  readonly inLoop: readonly string[] | null;
}

export function hookContext(
  loop: Loop,
  message: string,
  proofs: Proofs,
  files: ChangedFiles,
  now: string,
): HookContext {
  const frame = topFrame(loop);
  return {
    taskId: loop.id,
    iteration: frame.passes + 1,
    executionPhase: loop.noted.checkpointed?.phase ?? null,
    filesModified: [...files.inPass],
    ...(files.inLoop !== null && { filesModifiedSoFar: [...files.inLoop] }),
    validationResults: validationResults(loop, proofs),
    completionPromises: promises(promiseOf(frame), proofs, now),
    agentOutput: headOf(message, MOST_OUTPUT),
  };
}

/** A check that was not run at this stop has not passed, but has not failed either: it is marked, and says why. */
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

/** Only what counts: a tag in code, in a quote or in mid-sentence promises nothing. */
function promises(wanted: string | null, { said }: Proofs, now: string): HookContext['completionPromises'] {
  if (said === null) return [];
  const detected = { detected: true, detectedAt: now };
  const { distress } = said;
  const type = distress === null ? undefined : CRIES[distress.is];
  return [
    ...(said.kept || said.usual
      ? [{ type: 'COMPLETE' as const, content: wanted ?? USUAL_PROMISE, ...detected }]
      : []),
    ...(type === undefined ? [] : [{ type, content: distress?.words ?? '', ...detected }]),
  ];
}

const CRIES: Readonly<Partial<Record<Distress['is'], 'BLOCKED' | 'ESCALATE'>>> = {
  blocked: 'BLOCKED',
  stuck: 'BLOCKED',
  escalate: 'ESCALATE',
};
