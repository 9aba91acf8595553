/** Asks the stop hooks of a task about an output, without ending the iteration. Only a checkpoint that they give is kept. */
import { join } from 'node:path';
import { hookContext } from '../core/stop-hooks/context.ts';
import { topFrame, type Loop } from '../core/loop.ts';
import { refuse, type Refusal } from '../core/refusal.ts';
import { makeScratch } from '../files/scratch.ts';
import { openOwn } from '../operations/agent/own.ts';
import { hearSaid } from '../proofs/promise/said.ts';
import { trustIn } from '../proofs/stop-hooks/config-trust.ts';
import { HOOK_MS, HOOKS_MS } from '../proofs/stop-hooks/configured.ts';
import { askHooks } from '../proofs/stop-hooks/process.ts';
import type { Runtime } from '../store/runtime.ts';
import { createRegistry } from '../stop-hooks/registry.ts';
import type { LoopContext, StopHookResult, WorkProductType } from '../stop-hooks/types.ts';
import { keepCheckpoint } from './checkpoints.ts';
import { findRun, findTask } from './find.ts';
import type { RunCall } from './judge-run.ts';
import type { Task, TaskHook } from './record.ts';
import { validationResults } from './results.ts';

export interface TaskEvaluation extends Pick<StopHookResult, 'action' | 'reason'> {
  readonly ok: true;
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
  question: HookQuestion,
  world: Runtime,
): Promise<TaskEvaluation | Refusal> {
  const found = findRun(question.run, world);
  if (!found.ok) return found;
  const opened = openOwn({ loop: found.run.loop, session: question.session }, world);
  if (!opened.ok) return opened;
  const loop = opened.open.loop();
  opened.open.close();
  const of = findTask(found.run.task, world);
  if (!of.ok) return of;
  const context = contextFor(of.task, loop, question, world);
  const answer =
    loop.config === null
      ? await askHere(of.task.hooks, context)
      : await askApart(loop, of.task.hooks, context, question.signal, world);
  if ('ok' in answer) return answer;
  const { checkpoints, ...verdict } = answer;
  for (const { data } of checkpoints) keepCheckpoint(of.task, { ...data }, context.iteration, world);
  return {
    ok: true,
    taskId: of.task.id,
    iteration: context.iteration,
    checkpointCreated: checkpoints.length > 0,
    ...verdict,
  };
}

type HooksAnswer = Pick<TaskEvaluation, 'hookId' | 'action' | 'reason' | 'nextPrompt' | 'metadata'> & {
  readonly checkpoints: readonly { readonly data: object }[];
};

/** What the hooks are given: the results of the last stop, and what the agent says now. */
function contextFor(task: Task, loop: Loop, question: HookQuestion, { now }: Runtime): LoopContext {
  const { output, filesModified, draftContent, draftType } = question;
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
    taskId: task.id,
    ...(draftContent !== undefined && { draftContent }),
    ...(draftType !== undefined && { draftType }),
  };
}

/** Hooks that are data are our own code, so they need no process of their own. */
async function askHere(hooks: readonly TaskHook[], context: LoopContext): Promise<HooksAnswer> {
  const registry = createRegistry();
  registry.restore(hooks.map((hook) => ({ ...hook, taskId: context.taskId })));
  const {
    hookId,
    action,
    reason,
    nextPrompt = null,
    metadata = {},
    checkpoints,
  } = await registry.evaluate(context);
  return { hookId, action, reason, nextPrompt, metadata, checkpoints };
}

/** The callbacks of the project's config are user code, which runs where it can be ended. */
async function askApart(
  { project, config }: Loop,
  hooks: readonly TaskHook[],
  context: LoopContext,
  signal: AbortSignal | undefined,
  { store, runner }: Runtime,
): Promise<HooksAnswer | Refusal> {
  const file = config?.file ?? '';
  const standing = trustIn(store, project, file);
  if (standing.is !== 'trusted')
    return refuse(`config-${standing.is}`, `${standing.why}.`, `${standing.next}.`);
  const scratch = makeScratch('hooks');
  const { agentOutput = '', completionPromises, ...rest } = context;
  const answer = await askHooks(
    {
      project,
      config: file,
      stored: hooks.map((hook) => ({ ...hook, taskId: context.taskId })),
      pins: standing.pin,
      context: {
        ...rest,
        agentOutput,
        completionPromises: completionPromises.map(({ detectedAt = '', ...promise }) => ({
          ...promise,
          detectedAt,
        })),
      },
      timeoutMs: HOOK_MS,
    },
    {
      runner,
      signal: signal ?? new AbortController().signal,
      scratch,
      output: join(scratch, 'printed.txt'),
      allMs: HOOKS_MS,
    },
  );
  if (signal?.aborted) return refuse('broken-off', 'The question was taken back.', 'Ask again.');
  if (answer.is === 'failed') {
    const { error } = answer;
    return {
      hookId: answer.hook ?? 'default',
      action: 'escalate',
      reason: `Hook evaluation failed: ${error}`,
      nextPrompt: null,
      metadata: { error },
      checkpoints: [],
    };
  }
  const { hook: hookId, action, reason, next: nextPrompt, checkpoints } = answer.evaluation;
  return { hookId, action, reason, nextPrompt, metadata: {}, checkpoints };
}
