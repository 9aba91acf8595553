/**
 * One leased loop as values: what its worker knows of it, what can happen to it, and what the worker then
 * does. `step.ts` decides and `run.ts` performs. Every message says when it came, by the clock that all
 * processes of this machine share.
 */
import type { Event, Used } from '#law/record/events.ts';
import type { RunEventBody } from '#engine/run-event.ts';
import type { LoopRecord, Meter, LeasedRow } from '../../lease.ts';
import type { BranchPush, PushPermit } from '../../pushed.ts';
import type { LoopHold, Published, Release, Shipment, Shipped } from '../../ship.ts';
import { whySetAside } from '../../takes.ts';
import type { FromChild, Settle, ToChild } from '../protocol.ts';

/**
 * Before the lease is over, the pass has to stand still or be over. A host that does not end by itself gets
 * this long.
 */
const STOP_MARGIN_MS = 4_000;

export interface LoopState {
  readonly phase: Phase;
  /** Counts questions, orders to git and waits. Whatever answers an earlier one changes nothing. */
  readonly n: number;
  /** The question to repeat when the wait is over. */
  readonly retry: RecordAsk | null;
  readonly hold: LoopHold;
  /** Why it is not worked on any more; null: it is. */
  readonly setAside: string | null;
  readonly lease: LeaseClock;
  readonly hasChild: boolean;
  /** Of the pass that is begun: the event that has begun it. */
  readonly pass: number | null;
  readonly isDraining: boolean;
  /** The child has stopped its pass, because it heard nothing of its lease. */
  readonly isStanding: boolean;
  /** At the last look its lease may have been over, and its child had not stopped. */
  readonly isLate: boolean;
  /** The record says that the loop is another's. */
  readonly isFenced: boolean;
  /** What the loop had used when its pass began, and what that pass has used so far. */
  readonly usedBefore: Used;
  readonly usedInPass: Used;
  readonly work: Work;
}

export interface LeaseClock {
  /** When the heartbeat was sent that renewed the lease last. */
  readonly renewedAt: number;
  readonly leaseMs: number;
  /** How long after a renewal the child may work. */
  readonly usableMs: number;
}

/** The loop's work in its repository. */
export type Work = Pick<LeasedRow, 'repo' | 'base' | 'head' | 'branch' | 'point_ref'>;

export type Phase =
  | { readonly is: 'loading' }
  /**
   * The child works, or makes the tree ready. `saysRelease`: the loop has come to its end, or has to wait,
   * and the child says next how to release it.
   */
  | { readonly is: 'driving'; readonly saysRelease: boolean }
  | { readonly is: 'beginning' }
  | Publishing
  /**
   * `releaseAs`: how to release the loop after the answer. A pass that has ended is paid for, so it comes
   * first. `isLive`: another pass may follow it.
   */
  | { readonly is: 'recording'; readonly releaseAs: Release | null; readonly isLive: boolean }
  /** The child ends first: nobody else may have the loop while it works. */
  | { readonly is: 'stopping'; readonly goal: LeaseGoal }
  | { readonly is: 'releasing'; readonly how: Release }
  | { readonly is: 'tidying'; readonly ended: LeaseEnd }
  | { readonly is: 'over'; readonly ended: LeaseEnd };

export interface Publishing {
  readonly is: 'publishing';
  readonly settle: Settle & { readonly point: string };
  /** Tries that failed. */
  readonly failures: number;
  /** What is pushed so far. */
  readonly pushed: Published;
}

export type LeaseGoal =
  | { readonly is: 'lost' }
  | { readonly is: 'release'; readonly shipment: Shipment | null; readonly how: Release };

/** Why a loop left this worker, for its log. */
export type LeaseEnd = { readonly is: 'lost' } | ({ readonly is: 'let-go' } & Release);

/** What the worker asks the record. */
export type RecordAsk =
  | { readonly is: 'load' }
  | { readonly is: 'begin-pass'; readonly shipment: Shipment; readonly base: string | null }
  | { readonly is: 'holds-lease' }
  | { readonly is: 'permit-push'; readonly push: BranchPush; readonly known: readonly (string | null)[] }
  | {
      readonly is: 'record-pass';
      readonly shipment: Shipment;
      readonly published: Published;
      readonly used: Used;
    }
  | { readonly is: 'release'; readonly shipment: Shipment | null; readonly how: Release }
  /** The loop waits for a person from now on. */
  | { readonly is: 'set-aside'; readonly record: LoopRecord; readonly why: string };

export type RecordAnswer =
  | { readonly is: 'loaded'; readonly record: LoopRecord }
  | { readonly is: 'begun'; readonly shipped: Shipped; readonly events: readonly Event[] }
  | { readonly is: 'lease'; readonly isHeld: boolean }
  | { readonly is: 'permit'; readonly permit: PushPermit; readonly push: BranchPush }
  | { readonly is: 'recorded'; readonly shipped: Shipped; readonly events: readonly Event[] }
  | { readonly is: 'released'; readonly isReleased: boolean; readonly events: readonly Event[] };

/**
 * `away`: another try may work. `refused`: the same question is refused again. `unfit`: its rows can't be
 * read.
 */
export type RecordFailure =
  | { readonly is: 'away' | 'refused'; readonly why: string }
  | { readonly is: 'unfit'; readonly why: string; readonly isNewer: boolean };

export type GitOrder =
  | { readonly is: 'push-point'; readonly point: string }
  | { readonly is: 'read-branch' }
  | ({ readonly is: 'push-branch' } & BranchPush);

export type GitResult =
  /** `head`: the commit that the point was recorded on. */
  | {
      readonly is: 'point-pushed';
      readonly point: string;
      readonly point_ref: string;
      readonly head: string | null;
    }
  | { readonly is: 'branch-read'; readonly from: string | null }
  | { readonly is: 'branch-pushed'; readonly head: string }
  | { readonly is: 'git-failed'; readonly why: string };

export type LoopNews =
  | { readonly is: 'started' }
  | { readonly is: 'answered'; readonly n: number; readonly answer: RecordAnswer }
  | { readonly is: 'failed'; readonly n: number; readonly ask: RecordAsk; readonly failure: RecordFailure }
  | { readonly is: 'git'; readonly n: number; readonly result: GitResult }
  | { readonly is: 'waited'; readonly n: number }
  | { readonly is: 'child-said'; readonly message: FromChild }
  /** `how`: its exit code or signal. `complaint`: the last that it printed. */
  | { readonly is: 'child-exited'; readonly how: string; readonly complaint: string }
  | { readonly is: 'tidied' }
  /** An effect failed in a way that no answer has a word for. */
  | { readonly is: 'broke'; readonly why: string }
  /** A heartbeat that was sent at this moment has renewed the lease. */
  | { readonly is: 'renewed'; readonly sentAt: number }
  /** A heartbeat found the loop with somebody else. */
  | { readonly is: 'fenced' }
  | { readonly is: 'look' }
  | { readonly is: 'drain'; readonly when: 'at-once' | 'end-of-pass' };

export type LoopMessage = LoopNews & { readonly at: number };

export type LoopEffect =
  | { readonly is: 'ask'; readonly n: number; readonly ask: RecordAsk }
  | { readonly is: 'git'; readonly n: number; readonly order: GitOrder; readonly work: Work }
  /** Answered by `waited`. */
  | { readonly is: 'wait'; readonly n: number; readonly ms: number }
  | { readonly is: 'start-child'; readonly record: LoopRecord; readonly until: number }
  | { readonly is: 'tell-child'; readonly message: ToChild }
  | { readonly is: 'kill-child' }
  /** Ends git where it is. */
  | { readonly is: 'abort-git' }
  /** Says that nothing of a lost loop runs here any more. */
  | { readonly is: 'end-lost-pass' }
  /** Tells people what is true now. */
  | { readonly is: 'notify'; readonly events: readonly Event[] }
  /** Tells who looks what the agent does. */
  | { readonly is: 'show'; readonly event: RunEventBody }
  /**
   * Removes what an ended loop leaves. `isRecorded`: its end is in the record. `lastPoint`: stays in the
   * repository.
   */
  | { readonly is: 'tidy'; readonly isRecorded: boolean; readonly lastPoint: string | null }
  | { readonly is: 'end'; readonly ended: LeaseEnd };

export interface LeaseStep {
  readonly state: LoopState;
  readonly effects: readonly LoopEffect[];
}

export const NOTHING_USED: Used = { costUsd: 0, tokens: 0 };

/** `sentAt`: when the question was sent whose answer is the lease. */
export function initialState(loop: LeasedRow, sentAt: number, leaseMs: number): LoopState {
  const { id, epoch, key, repo, base, head, branch, point_ref } = loop;
  return {
    phase: { is: 'loading' },
    n: 0,
    retry: null,
    hold: { id, epoch, key },
    setAside: whySetAside(loop.takes, epoch),
    lease: { renewedAt: sentAt, leaseMs, usableMs: leaseMs - STOP_MARGIN_MS },
    hasChild: false,
    pass: null,
    isDraining: false,
    isStanding: false,
    isLate: false,
    isFenced: false,
    usedBefore: NOTHING_USED,
    usedInPass: NOTHING_USED,
    work: { repo, base, head, branch, point_ref },
  };
}

/** What the next heartbeat says of this loop. */
export function meterOf({ hold, usedInPass, pass }: LoopState): Meter {
  return { ...hold, ...usedInPass, pass };
}
