/**
 * What the stop hooks said at one stop, both in the journal and from the process that ran them, and what it
 * means for the gate. The hook program never reads it: it sees an ordinary gate result.
 */
import type { Event, EventOf } from '../record/events.ts';
import { oneLine, headOf } from '#base/words/sanitize.ts';
import {
  either,
  isRecord,
  list,
  maybe,
  oneOf,
  orNull,
  record,
  text,
  whole,
  type Infer,
} from '#base/shape.ts';
import type { GateResult } from '../record/verdict.ts';
import { checksOf, promiseOf, USUAL_PROMISE } from '../gates.ts';
import { type Loop } from '../loop.ts';
import { sayOutcome } from '../words/check-outcomes.ts';
import type { Distress, Proofs } from '../stop.ts';

const action = oneOf('complete', 'continue', 'escalate');

const oneAccount = either(
  record({
    hook: text,
    is: oneOf('answered', 'abstained', 'failed', 'timed-out'),
    action,
    reason: text,
    ms: whole,
  }),
  record({ hook: text, is: oneOf('disabled', 'not-reached') }),
);
/** One hook at one stop, in the order in which the hooks were asked. */
export type HookRecord = Infer<typeof oneAccount>;
export type AskedRecord = Extract<HookRecord, { action: string }>;

export const evaluation = record({
  hook: text,
  action,
  reason: text,
  next: orNull(text),
  metadata: maybe(isRecord),
  account: list(oneAccount),
  /** What the hooks want kept. The agent may get it unchanged. */
  checkpoints: list(record({ hook: text, data: isRecord })),
});
export type HookEvaluation = Infer<typeof evaluation>;

const accounts = list(oneAccount);

/** The account of an `asked` event. Empty if a newer Da Capo wrote something that this one can't read. */
export function accountOf({ account }: Pick<EventOf<'asked'>, 'account'>): readonly HookRecord[] {
  return accounts(account) ? account : [];
}

export function askedAt(events: readonly Event[], n: number): EventOf<'asked'> | null {
  return (
    events.findLast((event): event is EventOf<'asked'> => event.type === 'asked' && event.n === n) ?? null
  );
}

export function wasAsked(account: HookRecord): account is AskedRecord {
  return 'action' in account;
}

const MAX_REASON_CHARS = 300;

/**
 * `alone`: the hooks are the only gate, or any one gate is enough. Then it proves nothing if all hooks
 * abstain. Otherwise a hook that only watches (a bound, a checkpoint) blocks nothing.
 */
export function hooksResult(
  { hook, action: said, reason, account }: HookEvaluation,
  alone: boolean,
): GateResult {
  const asked = account.filter(wasAsked);
  const silent = asked.every(({ is }) => is === 'abstained');
  const holds = said === 'complete' || (said === 'continue' && silent && !alone);
  const says = silent
    ? 'no stop hook has an objection, and none says complete'
    : `stop hook ${oneLine(hook, MAX_REASON_CHARS)} says ${said}: ${oneLine(reason, MAX_REASON_CHARS)}`;
  return { gate: 'hooks', holds, says, trouble: said === 'escalate' ? says : null };
}

export function hooksTrouble(why: string): GateResult {
  return { gate: 'hooks', holds: false, says: why, trouble: why };
}

/** The longest message passed to a hook. No real message is this long. */
const MAX_OUTPUT_CHARS = 200_000;

/** With the names and fields of the document "Stop Hook System". */
export interface AgentContext {
  /** The task that is worked on: the loop, or the task that it is a run of. */
  taskId: string;
  /** The first iteration is 1. */
  iteration: number;
  executionPhase: string | null;
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
  /**
   * Why the agent says that no gate can show the task done (`UNVERIFIABLE: why`); absent if it does not say
   * so.
   */
  unverifiable?: string;
}

export interface ValidationResult {
  ruleName: string;
  passed: boolean;
  message: string;
  /**
   * True if the rule was not tested at this stop. Then `passed` is false, and it is unknown whether the rule
   * would pass.
   */
  notRun?: boolean;
}

export interface CompletionPromise {
  type: 'COMPLETE' | 'BLOCKED' | 'ESCALATE';
  detected: boolean;
  /** The text of the promise; for `BLOCKED: the reason`, the reason. */
  content: string;
  detectedAt?: string;
}

export const WORK_PRODUCTS = [
  'technical_design',
  'implementation',
  'test_plan',
  'security_review',
  'documentation',
  'architecture',
  'other',
] as const;
export type WorkProductType = (typeof WORK_PRODUCTS)[number];

/** Files relative to the project; null: unknown (no git). */
export interface ChangedPaths {
  readonly inPass: readonly string[];
  readonly inLoop: readonly string[] | null;
}

interface SeenByHooks {
  readonly message: string;
  readonly proofs: Proofs;
  readonly files: ChangedPaths;
}

export function hookContext(loop: Loop, { message, proofs, files }: SeenByHooks, now: string): LoopContext {
  const { frame } = loop;
  const distress = proofs.said?.distress ?? null;
  return {
    taskId: loop.id,
    iteration: frame.passes + 1,
    ...(frame.iterations !== null && { maxIterations: frame.iterations }),
    executionPhase: loop.noted.checkpointed?.phase ?? null,
    filesModified: [...files.inPass],
    ...(files.inLoop !== null && { filesModifiedSoFar: [...files.inLoop] }),
    validationResults: validationResults(loop, proofs),
    completionPromises: promises(promiseOf(frame), proofs, now),
    agentOutput: headOf(message, MAX_OUTPUT_CHARS),
    ...(distress?.is === 'unverifiable' && { unverifiable: distress.words }),
  };
}

/** A check that was not run at this stop has neither passed nor failed: it is marked and says why. */
function validationResults(loop: Loop, { checks, gateResults }: Proofs): LoopContext['validationResults'] {
  const run = checksOf(loop.frame).map(({ name, command }) => {
    const outcome = checks.find((proof) => proof.command === command)?.outcome;
    const tail = outcome !== undefined && 'tail' in outcome ? `\n${outcome.tail}` : '';
    return {
      ruleName: name ?? command,
      passed: outcome?.is === 'passed',
      message: `${sayOutcome(outcome)}${tail}`,
      ...(outcome === undefined && { notRun: true }),
    };
  });
  const seen = gateResults
    .filter(({ gate }) => gate !== 'hooks')
    .map(({ gate, holds, says }) => ({ ruleName: gate, passed: holds, message: says }));
  return [...run, ...seen];
}

/**
 * Only tags that count: a tag in code, in a quote or in mid-sentence promises nothing. Given both, hooks see
 * both, and each decides for itself.
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
