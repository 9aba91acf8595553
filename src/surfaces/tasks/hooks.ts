/**
 * Stop hooks that an agent registers for a task, as data. They are kept with the task, so they outlive the
 * server.
 */
import { type Loop } from '#law/loop.ts';
import { refuse } from '#base/refusal.ts';
import {
  accountOf,
  wasAsked,
  type HookRecord,
  hookContext,
  type LoopContext,
} from '#law/proof/stop-hooks.ts';
import { refuseMisfit } from '#input/schema/misfit.ts';
import { readWith } from '#input/schema/schema.ts';
import { openOwn } from '#engine/look/tool-session.ts';
import { whileOpen } from '#engine/look/loops.ts';
import { hearSaid } from '#evidence/proofs/promise/said.ts';
import { evaluateHooks } from '#evidence/proofs/stop-hooks/ask.ts';
import { ruleNamed } from '#evidence/proofs/stop-hooks/own-gates.ts';
import { hookSpec, type HookSpec } from '../stop-hooks/spec.ts';
import type { Runtime } from '#store/runtime.ts';
import { newId, type Task, type TaskHook } from './record.ts';
import { addTo, findRun, findTask, liveRun, openTask, refuseBlocked, type RunCall } from './task.ts';

/** Each is asked at every stop. */
const MAX_HOOKS = 20;

export interface HookOrder {
  readonly taskId: string;
  readonly hookType: HookSpec['type'];
  /** The further fields of that type, for example `files` of max-files. */
  readonly options?: Readonly<Record<string, unknown>>;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

export function registerHook({ taskId, hookType, options, metadata = {} }: HookOrder, runtime: Runtime) {
  const found = openTask(taskId, runtime);
  if (!found.ok) return found;
  if (found.task.hooks.length >= MAX_HOOKS)
    return refuse(
      'too-many-hooks',
      `${taskId} has ${MAX_HOOKS} hooks, the most.`,
      'hook_clear removes them.',
    );
  const spec = { ...options, type: hookType };
  const read = readWith(hookSpec, spec, hookType);
  if (!read.ok) return refuseMisfit('hook-spec', read.misfit, hookType);
  const at = runtime.now();
  const hook: TaskHook = { id: newId('HOOK', at), enabled: true, metadata, spec };
  addTo(taskId, { type: 'hooked', at, hook }, runtime);
  const { id: hookId, enabled } = hook;
  return { hookId, taskId, hookType, enabled, metadata, ...noteFor(found.task, runtime) };
}

export function listHooks(taskId: string, runtime: Runtime) {
  const found = findTask(taskId, runtime);
  if (!found.ok) return found;
  const hooks = found.task.hooks.map(({ id, enabled, spec, metadata }) => ({
    id,
    enabled,
    metadata: { ...metadata, type: spec['type'] },
  }));
  return { taskId, hookCount: hooks.length, hooks };
}

/**
 * A loop that runs keeps the hooks with which it began: nothing that an agent clears makes it easier to end.
 */
export function clearHooks(taskId: string, runtime: Runtime) {
  const found = findTask(taskId, runtime);
  if (!found.ok) return found;
  const refusal = refuseBlocked(found.task, runtime);
  if (refusal !== null) return refusal;
  const hooks = found.task.hooks.map((hook) => hook.id);
  if (hooks.length > 0) addTo(taskId, { type: 'cleared', at: runtime.now(), hooks }, runtime);
  return { taskId, hooksCleared: hooks.length, ...noteFor(found.task, runtime) };
}

function noteFor(task: Task, runtime: Runtime): { readonly note?: string } {
  const live = liveRun(task, runtime);
  if (live === null) return {};
  return { note: `${live.run} keeps the hooks with which it began. This counts from the next run.` };
}

export interface TaskQuestion extends Pick<LoopContext, 'draftContent' | 'draftType'> {
  readonly agentOutput?: string;
  readonly filesModified?: readonly string[];
}

/** Asks the stop hooks of a run about an output, as the next stop would, without ending the iteration. */
export async function askAbout({ run, session, signal }: RunCall, question: TaskQuestion, runtime: Runtime) {
  const found = findRun(run, runtime);
  if (!found.ok) return found;
  return whileOpen(openOwn({ loop: found.run.loop, session }, runtime), async (open) => {
    const context = contextFor(open.loop(), question, runtime);
    const answer = await evaluateHooks(open, context, signal, runtime);
    if (signal.aborted) return refuse('broken-off', 'The question was taken back.', 'Ask again.');
    if ('gate' in answer) return refuse('not-asked', `${answer.says}.`, 'A person has to look at it.');
    const about = { taskId: answer.taskId, iteration: context.iteration };
    if (answer.is === 'failed') {
      const { hook, error } = answer;
      return {
        ...about,
        hookId: hook ?? 'default',
        action: 'escalate' as const,
        reason: `Hook evaluation failed: ${error}`,
        nextPrompt: null,
        checkpointCreated: false,
        metadata: { error },
      };
    }
    const { hook: hookId, action, reason, next: nextPrompt, metadata = {}, checkpoints } = answer.evaluation;
    const checkpointCreated = checkpoints.length > 0;
    return { ...about, hookId, action, reason, nextPrompt, checkpointCreated, metadata };
  });
}

function contextFor(loop: Loop, question: TaskQuestion, { now }: Runtime): LoopContext {
  const { agentOutput = '', filesModified = [], ...draft } = question;
  const proofs = { ...seenLast(loop), said: hearSaid(agentOutput, loop.frame) };
  const files = { inPass: filesModified, inLoop: null };
  const context = hookContext(loop, { message: agentOutput, proofs, files }, now());
  return { ...context, validationResults: validationResults(loop), ...draft };
}

function seenLast({ last }: Loop) {
  return {
    checks: last?.proofs ?? [],
    gateResults: last?.gateResults ?? [],
    features: last?.features ?? null,
  };
}

type Results = LoopContext['validationResults'];

export function validationResults(loop: Loop): Results {
  if (loop.last === null) return [];
  const proofs = { ...seenLast(loop), said: null };
  const files = { inPass: [], inLoop: null };
  const seen = hookContext(loop, { message: '', proofs, files }, loop.last.at).validationResults;
  return [...seen, ...lastAccounts(loop).flatMap(ruleResult)];
}

/** What the hooks said at that stop, without the rules beside them. */
export function hookAccounts(loop: Loop): HookRecord[] {
  return lastAccounts(loop).filter(({ hook }) => ruleNamed(hook) === null);
}

function lastAccounts({ noted: { asked }, last }: Loop): readonly HookRecord[] {
  return asked === undefined || asked.n !== last?.n ? [] : accountOf(asked);
}

function ruleResult(account: HookRecord): Results {
  const ruleName = ruleNamed(account.hook);
  if (ruleName === null || !wasAsked(account)) return [];
  const { is, action, reason: message } = account;
  return [{ ruleName, passed: action === 'complete', message, ...(is === 'failed' && { notRun: true }) }];
}
