/** Which session a pass gets (seed 000: a clean one each time, one for a batch of features, or one long one). */
import type { Plan } from '../core/plan.ts';
import type { Outcome, Pass } from '../hosts/headless.ts';

/** What is known of the session that the last pass had. */
export interface SessionSoFar {
  readonly session: string;
  /** Those that were judged: a fault is none. */
  readonly iterations: number;
  /** Features that passed when it began. */
  readonly passing: number;
  /** After how many iterations its context was last made smaller. */
  readonly compactedAt: number;
}

export type SessionChoice =
  | { readonly is: 'new' }
  /** `compact`: its context is to be made smaller first. */
  | { readonly is: 'same'; readonly session: string; readonly compact: boolean };

export function chooseSession(
  context: Plan['context'],
  last: SessionSoFar | null,
  passingNow: number,
): SessionChoice {
  if (last === null) return { is: 'new' };
  const { session, iterations } = last;
  if (context.is === 'same') {
    const { compactEvery } = context;
    // A pass that is tried again finds it small already.
    const isDue = compactEvery !== null && iterations % compactEvery === 0 && iterations > last.compactedAt;
    return { is: 'same', session, compact: isDue };
  }
  // Nothing came of it, and it may be why: the try after it begins anew, as each iteration does by default.
  if (iterations === 0) return { is: 'new' };
  const used = context.of === 'iterations' ? iterations : passingNow - last.passing;
  return used >= context.every ? { is: 'new' } : { is: 'same', session, compact: false };
}

export interface AfterPass {
  readonly isJudged: boolean;
  /** The host has told of its session: it is there, and can be carried on. */
  readonly hasBegun: boolean;
  readonly isCompacted: boolean;
}

/** What is known after a pass. One that came to nothing leaves a session as it was, and a new one perhaps not made. */
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

type Refused = Extract<Outcome, { is: 'fatal' | 'transient' }>;

/** The service does not take what the conversation has become. */
const NOT_TAKEN: readonly (number | null)[] = [400, 413];

/** The host can't go on in a session (it is not there any more, or too long): a new one may still do. */
export function isSessionLost(outcome: Outcome, { resume }: Pick<Pass, 'resume'>): outcome is Refused {
  if (resume === null) return false;
  return outcome.is === 'fatal'
    ? outcome.kind === 'config'
    : outcome.is === 'transient' && NOT_TAKEN.includes(outcome.status);
}

export function withoutSession({ why }: Refused): Extract<Outcome, { is: 'transient' }> {
  return {
    is: 'transient',
    why: `its session can't be carried on, so a new one begins: ${why}`,
    status: null,
  };
}

/** For the agent: what it leaves behind in files matters more where whoever comes next knows nothing else. */
export function whoGoesOn(context: Plan['context']): string {
  if (context.is === 'same') return 'you';
  return context.every === 1 && context.of === 'iterations'
    ? 'a new agent, which sees only the files,'
    : 'you, or a new agent which sees only the files,';
}
