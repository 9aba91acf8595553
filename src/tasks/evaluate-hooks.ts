/** Asks the stop hooks of a run about an output, as the next stop would, without ending the iteration. */
import { topFrame, type Loop } from '../core/loop.ts';
import { refuse, type Refusal } from '../core/refusal.ts';
import { hookContext, type HookContext } from '../core/stop-hooks.ts';
import { openOwn } from '../operations/agent/own.ts';
import { hearSaid } from '../proofs/promise/said.ts';
import { evaluateHooks as evaluate } from '../proofs/stop-hooks/ask.ts';
import type { Runtime } from '../store/runtime.ts';
import type { StopHookResult, WorkProductType } from '../stop-hooks/types.ts';
import { findRun } from './find.ts';
import type { RunCall } from './judge-run.ts';
import { validationResults } from './results.ts';

export interface TaskEvaluation extends Pick<StopHookResult, 'action' | 'reason'> {
  readonly hookId: string;
  readonly taskId: string;
  readonly iteration: number;
  readonly nextPrompt: string | null;
  readonly checkpointCreated: boolean;
  readonly metadata: Readonly<Record<string, unknown>>;
}

export interface HookQuestion extends RunCall {
  readonly output: string;
  readonly filesModified: readonly string[];
  readonly draftContent: string | undefined;
  readonly draftType: WorkProductType | undefined;
}

export async function evaluateHooks(
  { run, session, signal = new AbortController().signal, ...question }: HookQuestion,
  runtime: Runtime,
): Promise<TaskEvaluation | Refusal> {
  const found = findRun(run, runtime);
  if (!found.ok) return found;
  const opened = openOwn({ loop: found.run.loop, session }, runtime);
  if (!opened.ok) return opened;
  const { open } = opened;
  try {
    const context = contextFor(open.loop(), question, runtime);
    const answer = await evaluate(open, context, signal, runtime);
    if (signal.aborted) return refuse('broken-off', 'The question was taken back.', 'Ask again.');
    if ('gate' in answer) return refuse('not-asked', `${answer.says}.`, 'A person has to look at it.');
    const { taskId } = answer;
    const { iteration } = context;
    if (answer.is === 'failed') {
      const { hook, error } = answer;
      return {
        hookId: hook ?? 'default',
        taskId,
        iteration,
        action: 'escalate',
        reason: `Hook evaluation failed: ${error}`,
        nextPrompt: null,
        checkpointCreated: false,
        metadata: { error },
      };
    }
    const { hook: hookId, action, reason, next: nextPrompt, metadata = {}, checkpoints } = answer.evaluation;
    const checkpointCreated = checkpoints.length > 0;
    return { hookId, taskId, iteration, action, reason, nextPrompt, checkpointCreated, metadata };
  } finally {
    open.close();
  }
}

/** What the hooks are given: the results of the last stop, and what the agent says now. */
function contextFor(
  loop: Loop,
  { output, filesModified, draftContent, draftType }: Omit<HookQuestion, keyof RunCall>,
  { now }: Runtime,
): HookContext {
  const { last } = loop;
  const proofs = {
    said: hearSaid(output, topFrame(loop)),
    checks: last?.proofs ?? [],
    sights: last?.sights ?? [],
    features: last?.features ?? null,
  };
  return {
    ...hookContext(loop, output, proofs, { inPass: filesModified, inLoop: null }, now()),
    validationResults: validationResults(loop),
    ...(draftContent !== undefined && { draftContent }),
    ...(draftType !== undefined && { draftType }),
  };
}
