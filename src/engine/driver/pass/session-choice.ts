/** Which session a pass gets: a new one each time, one for a batch of features, or one long one. */
import { planOf, type Loop } from '#law/loop.ts';
import type { Plan } from '#law/record/plan.ts';
import type { Outcome, Pass } from '#hosts/port/headless.ts';
import type { PassRecord } from '#hosts/port/stream.ts';

export interface SessionSoFar {
  readonly session: string;
  /** The judged iterations; a fault does not count. */
  readonly iterations: number;
  readonly passing: number;
  /** After how many iterations its context was last compacted. */
  readonly compactedAt: number;
}

export function chooseSession(context: Plan['context'], last: SessionSoFar | null, passingNow: number) {
  if (last === null) return 'new';
  const { iterations } = last;
  if (context.is === 'same') {
    const { compactEvery } = context;
    // For a pass that is tried again, the context is already compacted.
    const isDue = compactEvery !== null && iterations % compactEvery === 0 && iterations > last.compactedAt;
    return isDue ? 'compact' : 'same';
  }
  // The session produced nothing and may be the reason. So the next try starts a new one, as is the default.
  if (iterations === 0) return 'new';
  const used = context.of === 'iterations' ? iterations : passingNow - last.passing;
  return used >= context.every ? 'new' : 'same';
}

export interface AfterPass {
  readonly isJudged: boolean;
  /** The host has reported its session: it exists and can be resumed. */
  readonly hasBegun: boolean;
  readonly isCompacted: boolean;
}

/**
 * What we know after a pass. A failed pass leaves a resumed session as it was, and may not have made a new
 * one.
 */
export function sessionAfter(
  before: SessionSoFar | null,
  taken: SessionSoFar,
  { isJudged, hasBegun, isCompacted }: AfterPass,
): SessionSoFar | null {
  if (!isJudged && !hasBegun && before?.session !== taken.session) return before;
  return {
    ...taken,
    iterations: taken.iterations + (isJudged ? 1 : 0),
    compactedAt: isCompacted ? taken.iterations : taken.compactedAt,
  };
}

type RefusedResume = Extract<Outcome, { is: 'fatal' | 'transient' }>;

/** The service rejects the conversation as it is now. */
const NOT_TAKEN: readonly (number | null)[] = [400, 413];

/** The host can't resume the session (it is gone, or too long). A new one may still work. */
export function isSessionLost(outcome: Outcome, { resume }: Pick<Pass, 'resume'>): outcome is RefusedResume {
  if (resume === null) return false;
  return outcome.is === 'fatal'
    ? outcome.kind === 'config'
    : outcome.is === 'transient' && NOT_TAKEN.includes(outcome.status);
}

export function withoutSession(refused: RefusedResume): Extract<Outcome, { is: 'transient' }> {
  const why = `its session can't continue, so a new one begins: ${refused.why}`;
  return { is: 'transient', why, status: null };
}

/** For the agent: who continues its work. Its files matter more if the next agent knows nothing else. */
export function whoGoesOn(context: Plan['context']): string {
  if (context.is === 'same') return 'you';
  return context.every === 1 && context.of === 'iterations'
    ? 'a new agent, which sees only the files,'
    : 'you, or a new agent which sees only the files,';
}

type EndedOutcome = Exclude<Outcome, { is: 'broken-off' }>;

/**
 * A host that never starts has a wrong set-up, and a person has to mend it. One that started before has the
 * same set-up, so its program is probably being replaced: hosts update themselves, also at night. A later try
 * may find it whole again.
 */
export function retryStart(
  outcome: EndedOutcome,
  { session }: PassRecord,
  hasStarted: boolean,
): EndedOutcome {
  if (!hasStarted || session !== null || outcome.is !== 'fatal' || outcome.kind !== 'config') return outcome;
  return { is: 'crashed', exit: null, signal: null, why: `it does not start any more: ${outcome.why}` };
}

/**
 * After a restart, a loop that works in one session resumes it, unless it changes hosts; any other starts a
 * new one.
 */
export function lastSessionOf(loop: Loop, host: string): SessionSoFar | null {
  const { owner } = loop.session;
  const isOne = loop.host === host && loop.driver === 'fresh' && planOf(loop).context.is === 'same';
  if (!isOne || owner === null || loop.stops === 0) return null;
  return { session: owner.session, iterations: loop.stops, passing: 0, compactedAt: 0 };
}
