/** The library `dacapo`: loops and stop hooks. Every export here is public: adding one is a promise to keep it. */
import type { LoopRequest, LoopStarted, LoopStatus, LoopsRequest, OneLoop } from './library/loops.ts';
import type { FramePushed, FrameRequest } from './library/push.ts';
import type {
  BlockRequest,
  ClaimRequest,
  EndPassRequest,
  Judged,
  Noted,
  NoteRequest,
} from './library/say.ts';
import type { FollowRequest, RulesRequest } from './library/watch.ts';
import type { Refusal } from './core/refusal.ts';
import type { Following } from './operations/look/follow.ts';
import type { PromisesSeen } from './operations/look/promises.ts';
import type { RulesRun } from './operations/rules/run.ts';
import type { Report } from './text/report.ts';

// The functions of loops are loaded on their first call: stop hooks need no files or processes. None of them throws on bad
// input: each returns what was asked for, or a refusal that says why not.
const calls = () => import('./library/calls.ts');

/** Starts a loop, in a session of the host or driven by your program. */
export async function startLoop(request: LoopRequest): Promise<LoopStarted> {
  return (await calls()).startLoop(request);
}

/** How a loop stands: its status, iteration, gates and notes. */
export async function loopStatus(request: OneLoop): Promise<LoopStatus | Refusal> {
  return (await calls()).loopStatus(request);
}

/** The loops of a project, or of all. */
export async function listLoops(
  request: LoopsRequest = {},
): Promise<{ readonly ok: true; readonly loops: readonly Report[] } | Refusal> {
  return (await calls()).listLoops(request);
}

/** Ends a loop undone. */
export async function cancelLoop(
  request: OneLoop,
): Promise<{ readonly ok: true; readonly cancelled: boolean } | Refusal> {
  return (await calls()).cancelLoop(request);
}

/** Claims that the task is done: Da Capo proves it, and answers with what holds and what is missing. */
export async function claim(request: ClaimRequest): Promise<Judged> {
  return (await calls()).claimDone(request);
}

/** Says that the agent can't go on without a person: the loop is escalated. */
export async function block(request: BlockRequest): Promise<Judged> {
  return (await calls()).sayBlocked(request);
}

/** Ends a pass of a loop that your program drives, with the last message of the agent. */
export async function endPass(request: EndPassRequest): Promise<Judged> {
  return (await calls()).passEnded(request);
}

/** Keeps a lesson for the later passes. */
export async function note(request: NoteRequest): Promise<Noted> {
  return (await calls()).takeNote(request);
}

/** Which promises a text keeps. Default: COMPLETE, BLOCKED and ESCALATE. */
export async function evaluatePromises(message: string, promises?: readonly string[]): Promise<PromisesSeen> {
  return (await calls()).seePromises(message, promises);
}

/** Tests rules: commands that you allow, patterns, files. */
export async function runValidationRules(request: RulesRequest): Promise<RulesRun | Refusal> {
  return (await calls()).runValidationRules(request);
}

/** The events of a loop: the past first, then each new one as it is written. */
export async function followJournal(request: FollowRequest): Promise<Following> {
  return (await calls()).followJournal(request);
}

/** Puts a task inside a running loop. */
export async function pushFrame(request: FrameRequest): Promise<FramePushed> {
  return (await calls()).pushByName(request);
}

export { abstain } from './stop-hooks/context.ts';
export { allOf, anyOf, when } from './stop-hooks/chains.ts';
export { defineConfig } from './stop-hooks/config/config.ts';
export { HookSpecError, toSpec } from './stop-hooks/spec.ts';
export { fromSpec } from './stop-hooks/from-spec.ts';
export {
  checkpointAt,
  checkpointEvery,
  defaultHook,
  maxFiles,
  maxIterations,
  promiseHook,
  realWork,
  security,
  tdd,
  validationHook,
} from './stop-hooks/templates.ts';
export { createRegistry } from './stop-hooks/registry.ts';
export { fromStopJs } from './stop-hooks/stop-js.ts';

export type { Refusal } from './core/refusal.ts';
export type { Note } from './core/loop.ts';
export type { Event as JournalEvent } from './core/record/events.ts';
export type { Judgement, JudgedGate } from './claims/judgement.ts';
export type { LoopRequest, LoopStarted, LoopStatus, LoopsRequest, OneLoop } from './library/loops.ts';
export type { FramePushed, FrameRequest } from './library/push.ts';
export type {
  BlockRequest,
  ClaimRequest,
  EndPassRequest,
  Judged,
  Noted,
  NoteRequest,
} from './library/say.ts';
export type { FollowRequest, RulesRequest } from './library/watch.ts';
export type { Followed, Following } from './operations/look/follow.ts';
export type { PromisesSeen } from './operations/look/promises.ts';
export type { RuleResult } from './operations/rules/look.ts';
export type { ValidationRule } from './flags/validation-rules.ts';
export type { RulesRun } from './operations/rules/run.ts';
export type { GateReport as LoopGate, Report as LoopReport } from './text/report.ts';
export type {
  BareHook,
  CheckConfig,
  DacapoConfig,
  Duration,
  HookEntry,
  NamedHook,
} from './stop-hooks/config/config.ts';
export type { Evaluation, HookAccount } from './stop-hooks/evaluate.ts';
export type { HookMetrics } from './stop-hooks/metrics.ts';
export type {
  HookOptions,
  HookRegistration,
  ListedHook,
  RegisteredHook,
  RegistryOptions,
  StopHookRegistry,
} from './stop-hooks/registry.ts';
export type { SavedHook } from './stop-hooks/from-spec.ts';
export type { DeclaredHook } from './stop-hooks/spec.ts';
export type {
  AgentContext,
  CheckpointData,
  CompletionPromise,
  ConditionSpec,
  HookSpec,
  LoopContext,
  StopHook,
  StopHookResult,
  ValidationResult,
  WorkProductType,
} from './stop-hooks/types.ts';
export type { StopJs, StopJsResult } from './stop-hooks/stop-js.ts';
export type { Condition } from './stop-hooks/chains.ts';
