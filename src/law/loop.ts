/** A loop as derived from its journal by `fold`. Nothing here is stored as truth. */
import type { Approvals, Definition, Driver, FrameRecord, Ground, ViewKind } from './record/definition.ts';
import type { Actor, Context, EventOf, Used } from './record/events.ts';
import type { Escalation, Popped, Trend, Verdict } from './record/verdict.ts';
import { DEFAULT_PLAN, type Plan } from './record/plan.ts';

/** Raise it whenever the shape of `Loop` changes: a cache of another version is ignored. */
export const LOOP_VERSION = 32;

export interface Loop {
  readonly id: string;
  readonly project: string;
  readonly host: string;
  readonly name: string | null;
  readonly driver: Driver;
  /** The frame at work: the innermost. */
  readonly frame: Frame;
  /** The frames around it, the outermost first. A plain loop has none. */
  readonly around: readonly Frame[];
  readonly limits: Pick<
    Definition,
    'timeMs' | 'staleMs' | 'checking' | 'costUsd' | 'tokens' | 'stalls' | 'stallsAsked'
  >;
  readonly session: LoopSession;
  readonly people: {
    readonly notify: NonNullable<Definition['notify']>;
    readonly approvals: Approvals | null;
    readonly requested: number;
    /** Those that are open, approvals that wait for their call, and the last few that are settled. */
    readonly requests: readonly Request[];
    readonly steers: readonly Steer[];
  };
  readonly protection: Required<Pick<Definition, 'protect' | 'unmatched'>> & {
    /** The digest of those files when the loop began, or when a person last accepted a change. */
    readonly baseline: string | null;
    /** Their digest as an unknown author last changed them. */
    readonly slipped: string | null;
  };
  readonly run: {
    /** How the fresh driver runs it; null: it never has. */
    readonly plan: Plan | null;
    readonly faults: { readonly total: number; readonly inARow: number; readonly last: Fault | null };
    /** When the host's usage limit ends; null once a pass has begun since. */
    readonly resetsAt: string | null;
    /** The windows of an account, as its host last told them. Absent: it did not, or nothing is reserved. */
    readonly metered?: Pick<EventOf<'metered'>, 'host' | 'windows'>;
  };
  readonly files: {
    /** The file of the markdown view, relative to the project. */
    readonly view: string | null;
    /**
     * The other views. Most loops have none, so their stops never load the code that reads and writes them.
     */
    readonly views: readonly OtherView[];
    /** What each rendering carried, newest last. They tell a person's edit from an old rendering. */
    readonly revisions: readonly Revision[];
  };
  /** What the checks stand on; null: there are none. */
  readonly ground: Ground | null;
  readonly config: Definition['config'];
  /**
   * What the stop hooks said, kept and restored, and what each reviewer said: the last event of each kind.
   */
  readonly noted: LastNoted;
  /** What the agent wants its later passes to know, the oldest first: the last few. */
  readonly notes: readonly Note[];
  readonly spent: Used;
  readonly circuit: Circuit;
  /** The mark of the work tree when the loop began; null: none was taken. */
  readonly begunTree: string | null;
  readonly worked: boolean;
  readonly status: Status;
  /** It has ended, and `dacapo prune` is removing it. */
  readonly pruned?: true;
  /** Stops claimed so far: the next claim is for `stops + 1`. */
  readonly stops: number;
  readonly open: StopClaim | null;
  readonly answered: readonly AnsweredStop[];
  readonly last: LastHearing | null;
  /** `since`: the clock has been running since then. `until`: the clock stopped then, when it last ran. */
  readonly clock: { readonly workedMs: number; readonly since: string | null; readonly until: string | null };
  readonly startedAt: string;
  readonly updatedAt: string;
  /** The last activity before the current stop. Staleness is measured from it. */
  readonly activeAt: string;
  /** How many events were folded in. It numbers the renderings of the views. */
  readonly events: number;
}

/** Who works on the loop, and where its chain of stops stands. */
interface LoopSession {
  /** What the agent said by a tool since the last verdict: it counts at the next stop. */
  readonly said: Declared | null;
  /** From the last stop that reported it; null after a compaction. */
  readonly context: Context | null;
  readonly owner: Owner | null;
  /** Its session is named but has not taken it up yet: `dacapo start`, `adopt` and `resume` leave it so. */
  readonly awaited: boolean;
  /** The delivery that made the loop. It identifies a second delivery of the same start. */
  readonly origin: { readonly session: string | null; readonly prompt: string | null };
  /**
   * The prompt whose chain of stops the loop belongs to; null while it waits for the next prompt to continue
   * it.
   */
  readonly chain: string | null;
  /**
   * A continue that no later event of the chain has confirmed. `capped`: the host has probably overridden it.
   */
  readonly unconfirmed: { readonly capped: boolean } | null;
  /** Continues in a row, as the host's cap counts them. */
  readonly streak: number;
  readonly cap: number | null;
  /** A wait for background work, counted from the first stop that had to wait. */
  readonly hold: { readonly until: string } | null;
  readonly shellsHeld: readonly string[];
  /**
   * Only checks that say "not yet" are missing, after this many looks. The claim stands, and the next look
   * needs no agent.
   */
  readonly awaits: { readonly looks: number } | null;
  /**
   * A stop was allowed because of the person's queue. The next prompt is theirs, and the loop continues after
   * it.
   */
  readonly yielded: boolean;
  /** The context was compacted since the agent last got the whole prompt. */
  readonly compacted: boolean;
  readonly queue: { readonly offset: number; readonly waiting: number };
  /** The last stop after which the session had to be woken, and the process that woke it. */
  readonly woken: Pick<EventOf<'woken'>, 'n' | 'process' | 'machine'> | null;
  readonly boundAt: string;
}

export type LoopPart<G extends keyof Loop, F extends keyof Loop[G]> = { readonly [K in G]: Pick<Loop[K], F> };

export type LastNoted = { readonly [K in 'asked' | 'checkpointed' | 'restored']?: EventOf<K> } & {
  /** By reviewer (`reviewerOf`). */
  readonly reviewed?: Readonly<Record<string, EventOf<'reviewed'>>>;
};

export type Declared = Pick<EventOf<'said'>, 'what' | 'words'>;

/** A note fits in a few sentences. Longer texts belong in a file of the project. */
export const MAX_LESSON_CHARS = 500;

export interface Note {
  /** Counted over all frames. */
  readonly pass: number;
  readonly words: string;
}

export interface Frame extends FrameRecord {
  readonly id: number;
  readonly promptGiven: boolean;
  /** Ids of the items that have had their frame: never more than `items.most`. */
  readonly handled: readonly string[];
  /** The handled items that ended undone. They get another turn when a person resumes an ended list. */
  readonly undone: readonly string[];
  /** Items that left its list without a turn: how many, and the first few titles. */
  readonly gone: MissingItems;
  /** Outcomes of the frames inside it: the totals, and the last few. */
  readonly inner: Inner;
  /** Passes that have ended. The open pass is iteration `passes + 1`. */
  readonly passes: number;
  /**
   * The iteration in which the agent was asked if it is done, because nothing had changed; null: it was not.
   */
  readonly questioned: number | null;
  /** How many items of its feature list passed when its last pass ended, or when the frame began. */
  readonly itemsPassing: number;
}

export type MissingItems = Pick<EventOf<'shortened'>, 'count' | 'items'>;

export interface Inner extends Readonly<Record<Popped['outcome'], number>> {
  readonly iterations: number;
  readonly last: readonly Popped[];
}

export interface OtherView {
  readonly kind: Exclude<ViewKind, 'markdown'>;
  /** Relative to the project, or absolute. */
  readonly file: string;
}

/** `machine`: of that process. Absent: not recorded, so it is taken to be this one. */
export type Owner = Pick<EventOf<'bound'>, 'session' | 'process' | 'machine'>;

export type Fault = Pick<EventOf<'faulted'>, 'at' | 'fault' | 'detail'>;

/**
 * What identifies a stop, and which process is hearing it. `registration`: which one of the hook delivered
 * it.
 */
export type StopClaim = Omit<AnsweredStop, 'at'>;

export type AnsweredStop = Omit<EventOf<'stop'>, 'type' | 'continuedByHook'>;

export interface LastHearing extends Pick<
  EventOf<'verdict'>,
  'n' | 'at' | 'verdict' | 'proofs' | 'gateResults' | 'features'
> {
  readonly iteration: number;
  /**
   * The last verdict for which the gates were tested; null: none yet. A stop that is only let through tests
   * none.
   */
  readonly looked: Verdict | null;
}

export interface Circuit {
  /** Stops in a row that showed the same result while nothing changed. */
  readonly times: number;
  readonly tree: string | null;
  readonly half: boolean;
  readonly trend?: Trend | undefined;
}

export const CLOSED: Circuit = { times: 0, tree: null, half: false };

export interface Request extends Omit<EventOf<'requested'>, 'type'> {
  readonly answer: RequestAnswer | null;
  /** The call that used the approval; null: none has. */
  readonly released: string | null;
  readonly told: boolean;
}

/** `pass`, here and below, is counted over all frames: the one that was open then. */
export type RequestAnswer =
  | (Pick<EventOf<'answered'>, 'note' | 'by' | 'at'> & {
      readonly is: EventOf<'answered'>['answer'];
      readonly pass: number;
    })
  | { readonly is: 'expired'; readonly at: string };

export interface Steer {
  readonly id: string;
  readonly words: string;
  readonly at: string;
  readonly pass: number;
  readonly told: boolean;
}

export interface Revision {
  readonly from: number;
  /** The frame at work at that time. An edit applies to that frame. */
  readonly frame: number;
  readonly prompt: string;
  readonly iterations: number | null;
}

export type Status =
  | { readonly is: 'pending' }
  | { readonly is: 'running' }
  | { readonly is: 'waiting'; readonly for: 'background' }
  | {
      readonly is: 'waiting';
      readonly for: WaitFor;
      readonly until: string;
      /** Set where the loop keeps to its reserve, below the limit itself. */
      readonly reserve?: NonNullable<EventOf<'held'>['reserve']>;
    }
  | { readonly is: 'paused'; readonly by: Actor; readonly why: 'command' | 'prompt' | 'clear' | 'capped' }
  /** `gone`: a reader also derives it when the owner's process is not alive. */
  | {
      readonly is: 'interrupted';
      readonly why: 'session-end' | 'fault' | 'capped' | 'gone' | 'idle' | 'reserve';
      readonly detail: string;
    }
  | Ending;

/**
 * What a loop waits for until an instant: a person's answer, the host to recover, its usage limit to end, the
 * next pass to be due, or the next look at a check.
 */
export type WaitFor = 'approval' | 'retry' | EventOf<'held'>['for'];

export type Ending =
  | { readonly is: 'completed'; readonly unchanged?: boolean | undefined }
  | { readonly is: 'exhausted'; readonly limit: 'iterations' | 'time' | 'items' | 'cost' | 'tokens' }
  | { readonly is: 'stuck'; readonly limit: 'staleness' }
  | { readonly is: 'stuck'; readonly limit: 'stagnation'; readonly detail: string }
  | { readonly is: 'escalated'; readonly why: Escalation }
  | { readonly is: 'cancelled'; readonly by: Actor; readonly prompt: string | null }
  | ({ readonly is: 'aborted' } & Pick<EventOf<'aborted'>, 'why' | 'detail' | 'evidence'>);

export type StatusWord = Status['is'];

/** An agent that nests deeper is going in circles. */
export const MAX_FRAMES = 8;

/** All its frames, the outermost first. */
export function framesOf({ frame, around }: Pick<Loop, 'frame' | 'around'>): readonly Frame[] {
  return [...around, frame];
}

export function outermostOf({ frame, around }: Pick<Loop, 'frame' | 'around'>): Frame {
  return around[0] ?? frame;
}

export function withPart<G extends 'session' | 'people' | 'run' | 'limits' | 'files'>(
  loop: Loop,
  group: G,
  change: Partial<Loop[G]>,
): Loop {
  return { ...loop, [group]: { ...loop[group], ...change } };
}

/** The folder in which it works, and the one from which its work tree was made. */
export function projectsOf({ project, run: { plan } }: Loop): readonly string[] {
  return plan === null || plan.worktreeOf === null ? [project] : [project, plan.worktreeOf];
}

/** How the fresh driver runs it. A loop of a session has no plan of its own. */
export function planOf({ run: { plan: own } }: { readonly run: { readonly plan: Plan | null } }): Plan {
  return own ?? DEFAULT_PLAN;
}

/** One frame and no list of items, like most loops. */
export function isPlain({ frame, around }: Loop): boolean {
  return around.length === 0 && frame.items === null;
}

export function isLive({ status }: Pick<Loop, 'status'>): boolean {
  return status.is === 'running' || status.is === 'waiting';
}

export function isAwaitingAnswer({ status }: Pick<Loop, 'status'>): boolean {
  return status.is === 'waiting' && status.for === 'approval';
}

export function isAwaitingCheck({ status }: Pick<Loop, 'status'>): boolean {
  return status.is === 'waiting' && status.for === 'check';
}

/** A person has answered or told it something. The agent may know that already. */
export function wasSpokenTo({ people: { requests, steers } }: Pick<Loop, 'people'>): boolean {
  return requests.length + steers.length > 0;
}

/** A fault stopped its session, not a person: so the next prompt there continues it. */
export function isCutOff({ status, driver }: Pick<Loop, 'status' | 'driver'>): boolean {
  return (
    driver === 'hook' && status.is === 'interrupted' && (status.why === 'fault' || status.why === 'gone')
  );
}

export function isCircuitOpen({ status }: Pick<Loop, 'status'>): boolean {
  return status.is === 'stuck' && status.limit === 'stagnation';
}

/**
 * Whether a stop may count as a stall. Work toward a mere promise may lie anywhere, so there a tool call
 * counts as a change, unless the person set the stall limit explicitly.
 */
export function mayStall(loop: Loop, toolUsed: boolean): boolean {
  if (loop.limits.stalls === null) return false;
  return !toolUsed || !stallsOnlyWhenIdle(loop);
}

/** Whether a stop has more to look at than what the agent said and the checks. */
export function looksAround({ config, protection, frame }: Loop): boolean {
  return (
    (config ?? protection.baseline ?? frame.measures ?? null) !== null ||
    frame.gates.some(({ kind }) => kind !== 'promise' && kind !== 'check')
  );
}

/** Only stops without a tool call count toward the limit of stalls. */
export function stallsOnlyWhenIdle(loop: Loop): boolean {
  const isPromiseAlone = loop.frame.gates.every(({ kind }) => kind === 'promise' || kind === 'signal');
  return isPromiseAlone && !loop.limits.stallsAsked;
}

/** It ended because it can't continue without a person. A stale loop does not need one: it was abandoned. */
export function needsPerson({ status }: Pick<Loop, 'status'>): boolean {
  return status.is === 'escalated' || isCircuitOpen({ status });
}

export function endedUndone({ status }: Pick<Loop, 'status'>): boolean {
  return status.is === 'escalated' && status.why.is === 'undone';
}

type Unfinished = Exclude<StatusWord, Ending['is']>;
const UNFINISHED: readonly string[] = [
  'pending',
  'running',
  'waiting',
  'paused',
  'interrupted',
] satisfies Unfinished[];

export function hasEnded({ status }: { readonly status: { readonly is: StatusWord } }): boolean {
  return !UNFINISHED.includes(status.is);
}

/** Working time: how long the loop was live. Waiting for a person does not count. */
export function workedMs({ clock, status, open }: Loop, now: string): number {
  if (clock.since === null) return clock.workedMs;
  // Of all waits, only one for a check counts: until its next look is due. Where none follows, nobody was
  // there to wait.
  const due = 'until' in status && open === null ? Date.parse(status.until) : Infinity;
  return clock.workedMs + Math.max(0, Math.min(Date.parse(now), due) - Date.parse(clock.since));
}

/** Nothing happened for longer than the loop may stand still (rule 7). */
export function isStale({ activeAt, limits: { staleMs } }: Loop, now: string): boolean {
  return Date.parse(now) - Date.parse(activeAt) > staleMs;
}

export function hasPassesLeft({ iterations, passes }: Frame): boolean {
  return iterations === null || passes < iterations;
}

export function iterationsInAll(loop: Pick<Loop, 'frame' | 'around'>): number {
  return framesOf(loop).reduce((sum, { passes, inner }) => sum + passes + inner.iterations, 0);
}

/** What the loop has spent together with this. `used`: null where it was not counted. */
export function spentWith({ spent }: Loop, used: Used | null): Used {
  const isEstimated = spent.estimated === true || used?.estimated === true;
  return {
    costUsd: spent.costUsd + (used?.costUsd ?? 0),
    tokens: spent.tokens + (used?.tokens ?? 0),
    ...(isEstimated && { estimated: true }),
  };
}

/** Only what has a limit is counted in a session. A host of `dacapo run` reports its use itself. */
export function hasBudget({ limits: { costUsd, tokens } }: Loop): boolean {
  return costUsd !== null || tokens !== null;
}

/**
 * The session of a loop that no host drives: a program says when a pass ends. Its id is ours, so no session
 * of a host can own the loop, and any process that knows the loop's id may act for it.
 */
export const TOOL_SESSION = 'tools-';

export function isToolSession(session: string): boolean {
  return session.startsWith(TOOL_SESSION);
}
