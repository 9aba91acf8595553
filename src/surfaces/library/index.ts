/**
 * The library `dacapo`: loops and stop hooks. Every export here is public: adding one is a promise to keep
 * it.
 */
import type * as Library from './calls.ts';

// The functions of loops are loaded on their first call: stop hooks need no files or processes. None of them
// throws on bad input: each returns what was asked for, or a refusal that says why not.
function later<A extends unknown[], R>(
  call: (library: typeof Library) => (...given: A) => Promise<R>,
): (...given: A) => Promise<R> {
  return async (...given) => call(await import('./calls.ts'))(...given);
}

/** Starts a loop, in a session of the host or driven by your program. */
export const startLoop = later((library) => library.startLoop);
/** How a loop stands: its status, iteration, gates and notes. */
export const loopStatus = later((library) => library.loopStatus);
/** The loops of a project, or of all. */
export const listLoops = later((library) => library.listLoops);
/** Ends a loop undone. */
export const cancelLoop = later((library) => library.cancelLoop);
/** Claims that the task is done: Da Capo proves it, and answers with what holds and what is missing. */
export const claim = later((library) => library.claimDone);
/** Says that the agent can't continue without a person: the loop is escalated. */
export const block = later((library) => library.sayBlocked);
/** Ends a pass of a loop that your program drives, with the last message of the agent. */
export const endPass = later((library) => library.passEnded);
/** Keeps a lesson for the later passes. */
export const note = later((library) => library.takeNote);
/** Which promises a text keeps. Default: COMPLETE, BLOCKED and ESCALATE. */
export const evaluatePromises = later((library) => library.seePromises);
/** Tests rules: commands that you allow, patterns, files. */
export const runValidationRules = later((library) => library.runValidationRules);
/** The events of a loop: the past first, then each new one as it is written. */
export const followJournal = later((library) => library.followJournal);
/** Puts a task inside a running loop. */
export const pushFrame = later((library) => library.pushByName);

export { abstain } from '../stop-hooks/context.ts';
export { allOf, anyOf, when } from '../stop-hooks/chains.ts';
export { defineConfig } from '../stop-hooks/config/config-schema.ts';
export { HookSpecError, toSpec } from '../stop-hooks/spec.ts';
export { fromSpec } from '../stop-hooks/from-spec.ts';
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
} from '../stop-hooks/templates.ts';
export { createRegistry } from '../stop-hooks/registry.ts';
export { fromStopJs } from '../stop-hooks/stop-js.ts';

export type { Refusal } from '#base/refusal.ts';
export type { Note } from '#law/loop.ts';
export type { Event as JournalEvent } from '#law/record/events.ts';
export type { Judgement, JudgedGate } from '#engine/claims/judgement.ts';
export type {
  FramePushed,
  FrameRequest,
  LoopRequest,
  LoopStarted,
  LoopFound as LoopStatus,
  LoopsRequest,
  OneLoop,
} from './loops.ts';
export type { BlockRequest, ClaimRequest, EndPassRequest, Judged, NoteRequest } from './say.ts';
export type { Noted } from '#engine/agent/say.ts';
export type { FollowRequest, RulesRequest } from './watch.ts';
export type { Followed, Following } from '#engine/look/follow.ts';
export type { PromisesSeen } from '#engine/agent/promises.ts';
export type { ValidationRule } from '#input/config/validation-rules.ts';
export type { RuleResult, RulesRun } from '#engine/agent/validation-rules.ts';
export type { GateStatus as LoopGate } from '#telling/gate-status.ts';
export type { LoopStatus as LoopReport } from '#telling/loop-status.ts';
export type {
  BareHook,
  CheckConfig,
  DacapoConfig,
  Duration,
  HookEntry,
  MeasureConfig,
  NamedHook,
} from '../stop-hooks/config/config-schema.ts';
export type { Evaluation, HookAccount } from '../stop-hooks/evaluate.ts';
export type { HookMetrics } from '../stop-hooks/metrics.ts';
export type {
  HookOptions,
  HookRegistration,
  ListedHook,
  RegistryOptions,
  StopHookRegistry,
} from '../stop-hooks/registry.ts';
export type { RegisteredHook, SavedHook } from '../stop-hooks/from-spec.ts';
export type { ConditionSpec, DeclaredHook, HookSpec } from '../stop-hooks/spec.ts';
export type {
  AgentContext,
  CheckpointData,
  CompletionPromise,
  LoopContext,
  StopHook,
  StopHookResult,
  ValidationResult,
  WorkProductType,
} from '../stop-hooks/types.ts';
export type { StopJs, StopJsResult } from '../stop-hooks/stop-js.ts';
export type { Condition } from '../stop-hooks/chains.ts';
