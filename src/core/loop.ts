/** A loop as its journal tells it. Everything here is derived by `fold`; nothing here is stored as truth. */
import type { Definition, Driver, FrameFields, ViewKind } from './record/definition.ts';
import type { By, Context, EventOf, Used } from './record/events.ts';
import type { CheckProof, Escalation, Popped, Verdict } from './record/verdict.ts';
import type { FeaturesProof } from './record/features.ts';
import type { Plan } from './record/plan.ts';
import type { Sight } from './record/sights.ts';

export interface Loop {
  readonly id: string;
  readonly project: string;
  readonly host: string;
  readonly name: string | null;
  readonly driver: Driver;
  /** The outermost frame first. A plain loop has one. */
  readonly frames: readonly [Frame, ...Frame[]];
  readonly timeMs: number | null;
  readonly staleMs: number;
  readonly checking: Definition['checking'];
  readonly config: Definition['config'];
  /** What the stop hooks said, kept and gave back, each as it was written last. */
  readonly noted: Noted;
  readonly costUsd: number | null;
  readonly tokens: number | null;
  readonly stalls: number | null;
  readonly stallsAsked: boolean;
  /** What all its stops have reported as used. */
  readonly spent: Used;
  readonly circuit: Circuit;
  /** The mark of the work tree when the loop began; null: nobody took one. */
  readonly begunTree: string | null;
  /** A tool call was seen at one of its stops. */
  readonly worked: boolean;
  /** The agent was asked whether it is done, since nothing had changed. */
  readonly questioned: boolean;
  /** As of the last stop that could tell; null after a compaction. */
  readonly context: Context | null;
  /** Patterns of files that stay as they are; none: nothing is protected. */
  readonly protect: readonly string[];
  /** The digest of what they were: when the loop began, or when a person last accepted a change. */
  readonly baseline: string | null;
  /** Those of the patterns that no file matched when the loop began: a slip, perhaps. */
  readonly unmatched: readonly string[];
  /** Files that define what a check runs, and that were not protected when the loop began. */
  readonly exposed: readonly string[];
  /** The digest of what an unknown hand has made of them, last. */
  readonly slipped: string | null;
  readonly status: Status;
  readonly owner: Owner | null;
  /** Its session is named, but has not taken it up yet: `dacapo start`, `adopt` and `resume` leave it so. */
  readonly awaited: boolean;
  /** The delivery that made the loop: a second delivery of the same start is recognised by it. */
  readonly origin: { readonly session: string | null; readonly prompt: string | null };
  /** The prompt whose chain of stops the loop rides on; null while it waits for the next prompt to carry it on. */
  readonly chain: string | null;
  /** Stops claimed so far: the next claim is for `stops + 1`. */
  readonly stops: number;
  readonly open: Claim | null;
  readonly answered: readonly Answered[];
  readonly last: LastHearing | null;
  /** A continue that no later event of the chain has confirmed; `capped`: the host may well have overridden it. */
  readonly unconfirmed: { readonly capped: boolean } | null;
  /** Continues in a row without a sign of tool use: what the host's cap counts. */
  readonly streak: number;
  readonly cap: number | null;
  readonly hold: Hold | null;
  /** Background shells that have held the loop once already. */
  readonly shellsHeld: readonly string[];
  /** A stop was allowed for the sake of the person's queue: the next prompt is theirs, and the loop goes on after it. */
  readonly yielded: boolean;
  /** The context was compacted since the prompt was last given whole. */
  readonly compacted: boolean;
  readonly queue: { readonly offset: number; readonly waiting: number };
  /** The last stop after which the session had to be woken, and who did it. */
  readonly woken: { readonly n: number; readonly process: number; readonly machine?: string } | null;
  /** How the fresh driver runs it; null: it never has. */
  readonly plan: Plan | null;
  readonly faults: Faults;
  /** Until when the host's usage limit was to be waited for; null once a pass has begun since. */
  readonly resetsAt: string | null;
  /** The markdown view's file, as seen from the project. */
  readonly view: string | null;
  /** The other views. Most loops have none, and their stops never load what reads and writes these. */
  readonly views: readonly OtherView[];
  /** It runs since then; it stood still from `until`, when it last ran. */
  readonly clock: { readonly workedMs: number; readonly since: string | null; readonly until: string | null };
  /** What renderings carried, newest last: an edit is told from an old rendering by these. */
  readonly revisions: readonly Revision[];
  readonly startedAt: string;
  /** When its owner took it, last. */
  readonly boundAt: string;
  readonly updatedAt: string;
  /** The last sign of life before the stop at hand: what staleness is measured from. */
  readonly activeAt: string;
  /** How many events were folded in; it numbers the renderings of the views. */
  readonly events: number;
}

export type Noted = { readonly [K in 'asked' | 'checkpointed' | 'restored']?: EventOf<K> };

export interface Frame extends FrameFields {
  /** The number of the event that pushed it. */
  readonly id: number;
  /** The agent has been given its prompt. */
  readonly begun: boolean;
  /** Items that have had their frame, by id: never more than `items.most`. */
  readonly handled: readonly string[];
  /** Those of them that ended undone. A person who resumes a list that has ended gives them another turn. */
  readonly undone: readonly string[];
  /** Items that left its list without a turn: how many, and the first few by title. */
  readonly gone: Gone;
  /** What became of the frames inside it: all by number, and the last few. */
  readonly inner: Inner;
  /** Passes that have ended. The open pass is iteration `passes + 1`. */
  readonly passes: number;
  /** Items of its feature list that passed when its last pass ended, or when it began. */
  readonly itemsPassing: number;
}

export interface Gone {
  readonly count: number;
  readonly items: readonly string[];
}

export interface Inner {
  readonly complete: number;
  readonly exhaust: number;
  readonly escalate: number;
  readonly iterations: number;
  readonly last: readonly Popped[];
}

export interface OtherView {
  readonly kind: Exclude<ViewKind, 'markdown'>;
  /** As seen from the project, or absolute. */
  readonly file: string;
}

export interface Owner {
  readonly session: string;
  readonly process: number | null;
  /** Of that process; absent: nobody has said, so it is this one. */
  readonly machine?: string;
}

/** Passes that came to nothing by no fault of the agent. */
export interface Faults {
  readonly total: number;
  /** Since a pass last went well. */
  readonly inARow: number;
  readonly last: Fault | null;
}

export type Fault = Pick<EventOf<'faulted'>, 'at' | 'fault' | 'detail'>;

/** What makes a stop the same stop, and who is hearing it. */
export interface Claim {
  readonly n: number;
  readonly session: string;
  readonly prompt: string | null;
  readonly words: string;
  readonly process: number;
  readonly machine?: string;
  readonly started: string;
}

export interface Answered extends Claim {
  readonly at: string;
}

export interface LastHearing {
  readonly n: number;
  readonly at: string;
  readonly iteration: number;
  readonly verdict: Verdict;
  /** The last verdict for which the gates were looked at; null: none yet. A stop that is only let through looks at none. */
  readonly looked: Verdict | null;
  readonly proofs: readonly CheckProof[];
  readonly sights: readonly Sight[];
  readonly features: FeaturesProof | null;
}

/** See `circuit.ts`. */
export interface Circuit {
  /** Stops in a row that showed the same, with nothing changed. */
  readonly times: number;
  /** The last mark of the work tree that was taken. */
  readonly tree: string | null;
  readonly half: boolean;
}

export const CLOSED: Circuit = { times: 0, tree: null, half: false };

/** Background work is waited for, from the first stop that had to wait. */
export interface Hold {
  readonly until: string;
}

export interface Revision {
  readonly from: number;
  /** The frame at work then: an edit is for that one. */
  readonly frame: number;
  readonly prompt: string;
  readonly iterations: number | null;
}

export type Status =
  | { readonly is: 'pending' }
  | { readonly is: 'running' }
  | { readonly is: 'waiting'; readonly for: 'background' }
  | { readonly is: 'waiting'; readonly for: WaitFor; readonly until: string }
  | { readonly is: 'paused'; readonly by: By; readonly why: 'command' | 'prompt' | 'clear' | 'capped' }
  /** `gone`: never recorded, only seen by whoever looks whether the owner's process is alive. */
  | {
      readonly is: 'interrupted';
      readonly why: 'session-end' | 'fault' | 'capped' | 'gone';
      readonly detail: string;
    }
  | Ending;

/** What the fresh driver waits for: the host to be well again, its usage limit to be over, the next pass to be due. */
export type WaitFor = 'retry' | EventOf<'held'>['for'];

export type Ending =
  | { readonly is: 'completed'; readonly unchanged?: boolean | undefined }
  | { readonly is: 'exhausted'; readonly limit: 'iterations' | 'time' | 'items' | 'cost' | 'tokens' }
  | { readonly is: 'stuck'; readonly limit: 'staleness' }
  | { readonly is: 'stuck'; readonly limit: 'stagnation'; readonly detail: string }
  | { readonly is: 'escalated'; readonly why: Escalation }
  | { readonly is: 'cancelled'; readonly by: By; readonly prompt: string | null }
  | {
      readonly is: 'aborted';
      readonly why: 'view' | 'journal';
      readonly detail: string;
      readonly evidence: string | null;
    };

export type StatusWord = Status['is'];

/** Deeper than that, an agent goes round in circles. */
export const MOST_FRAMES = 8;

/** The frame at work: the innermost. */
export function topFrame(loop: Loop): Frame {
  return loop.frames.at(-1) ?? loop.frames[0];
}

export function withTop(loop: Loop, frame: Frame): Loop['frames'] {
  const [outermost, ...inner] = loop.frames;
  return inner.length === 0 ? [frame] : [outermost, ...inner.slice(0, -1), frame];
}

/** One frame, and no list of items: what most loops are. */
export function isPlain({ frames }: Loop): boolean {
  return frames.length === 1 && frames[0].items === null;
}

export function isLive(loop: Loop): boolean {
  return loop.status.is === 'running' || loop.status.is === 'waiting';
}

/** The circuit is open: the loop stands still. */
export function isOpen({ status }: Pick<Loop, 'status'>): boolean {
  return status.is === 'stuck' && status.limit === 'stagnation';
}

/**
 * Whether a stop may show that the work stands still. What leads to a mere promise may lie anywhere, so there a tool call
 * counts as a change, unless the limit was asked for by name.
 */
export function mayStall({ stalls, stallsAsked, frames }: Loop, toolUsed: boolean): boolean {
  return (
    stalls !== null &&
    (!toolUsed ||
      stallsAsked ||
      frames.at(-1)?.gates.some(({ kind }) => kind !== 'promise' && kind !== 'signal') === true)
  );
}

/** It has ended because it can't go on without a person. One that went stale needs nobody: it was left alone. */
export function needsPerson({ status }: Pick<Loop, 'status'>): boolean {
  return status.is === 'escalated' || (status.is === 'stuck' && status.limit === 'stagnation');
}

/** Its list of items has ended, and not all of them are done. */
export function endedUndone({ status }: Pick<Loop, 'status'>): boolean {
  return status.is === 'escalated' && status.why.is === 'undone';
}

function isEnding(status: Status): status is Ending {
  switch (status.is) {
    case 'pending':
    case 'running':
    case 'waiting':
    case 'paused':
    case 'interrupted':
      return false;
    case 'completed':
    case 'exhausted':
    case 'stuck':
    case 'escalated':
    case 'cancelled':
    case 'aborted':
      return true;
  }
}

export function hasEnded(loop: Loop): boolean {
  return isEnding(loop.status);
}

/** Working time: what passed while the loop was live. Waiting for a person is not work. */
export function workedMs(loop: Loop, now: string): number {
  const open = loop.clock.since === null ? 0 : Date.parse(now) - Date.parse(loop.clock.since);
  return loop.clock.workedMs + Math.max(0, open);
}

export function hasPassesLeft({ iterations, passes }: Frame): boolean {
  return iterations === null || passes < iterations;
}

/** All of them, whatever the frame. */
export function iterationsInAll({ frames }: Pick<Loop, 'frames'>): number {
  return frames.reduce((sum, { passes, inner }) => sum + passes + inner.iterations, 0);
}
