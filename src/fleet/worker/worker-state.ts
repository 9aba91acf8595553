/**
 * A worker as values: what it knows, what can happen to it, and what it then does. `worker-step.ts` decides
 * and `worker.ts` performs.
 */
import type { LeasedRow } from '../lease.ts';
import type { LeaseEnd, LoopNews } from './leased-loop/state.ts';

/** How long a worker works. An engine that starts and ends workers bounds them; null: no bound. */
export interface Shift {
  /** How many loops it takes before it leaves. */
  readonly maxLoops: number | null;
  /** It leaves when it had no loop, and found none, for this long. */
  readonly idleMs: number | null;
  /** After this time it takes nothing new, and hands its loops over. */
  readonly maxMs: number | null;
  /** So long after it is told to leave, it has left: what is still under way is handed over uncounted. */
  readonly graceMs: number | null;
}

export const ENDLESS_SHIFT: Shift = { maxLoops: null, idleMs: null, maxMs: null, graceMs: null };

/** A heartbeat that gets no answer is followed by others before the lease is over. */
const BEATS_PER_LEASE = 3;
const MAX_BEAT_MS = 5_000;

export interface WorkerState {
  readonly capacity: number;
  /** How often it shows that it lives. Words of the database come in between. */
  readonly beatMs: number;
  readonly shift: Shift;
  readonly startedAt: number;
  /** How many loops it has taken so far. */
  readonly taken: number;
  /** Since when it has had no loop. */
  readonly idleSince: number;
  /** When it was told to leave. */
  readonly drainedAt: number;
  /** The epoch of each loop that is here. */
  readonly loops: ReadonlyMap<string, number>;
  readonly drains: 'no' | 'end-of-pass' | 'at-once';
  readonly isAway: boolean;
  readonly beat: {
    readonly isUnderWay: boolean;
    readonly sentAt: number;
    readonly dueAt: number;
  };
  readonly leasing: Leasing;
  /** When the worker looks for the next loop. */
  readonly leaseDueAt: number;
  /** Until then it leaves everything to the others, after an outage. */
  readonly mayLeaseAt: number;
  readonly tidyDueAt: number;
  readonly isOver: boolean;
}

type Leasing =
  | { readonly is: 'idle' | 'tidying' | 'asking' }
  /** A person may have paused and resumed it: the pass that is just ending works in the same tree. */
  | { readonly is: 'awaiting-tree'; readonly loop: LeasedRow; readonly sentAt: number };

export type WorkerNews =
  | { readonly is: 'tick' }
  /** A word of the database: it is worth a look. */
  | { readonly is: 'loop-ready' | 'drain-asked' }
  | { readonly is: 'loop-fenced'; readonly loop: string }
  | { readonly is: 'beat'; readonly sentAt: number; readonly answer: BeatAnswer }
  | { readonly is: 'leased'; readonly sentAt: number; readonly loop: LeasedRow | null }
  | { readonly is: 'database-away'; readonly from: 'beat' | 'lease'; readonly why: string }
  | { readonly is: 'tidied' }
  | { readonly is: 'loop-ended'; readonly loop: string; readonly epoch: number; readonly how: LeaseEnd }
  | { readonly is: 'drain'; readonly when: 'at-once' | 'end-of-pass' };

export interface BeatAnswer {
  /** The loops that it was about, and those of them that are still this worker's. */
  readonly asked: ReadonlyMap<string, number>;
  readonly mine: ReadonlySet<string>;
  readonly isDraining: boolean;
}

export type WorkerMessage = WorkerNews & { readonly at: number };

export type WorkerEffect =
  | { readonly is: 'beat'; readonly sentAt: number }
  | { readonly is: 'lease'; readonly sentAt: number }
  | { readonly is: 'tidy' }
  | { readonly is: 'start-loop'; readonly loop: LeasedRow; readonly sentAt: number }
  | { readonly is: 'tell-loop'; readonly loop: string; readonly news: LoopNews }
  | { readonly is: 'report'; readonly event: WorkerReport }
  | { readonly is: 'wake'; readonly inMs: number }
  | { readonly is: 'leave' };

export type WorkerReport =
  | { readonly is: 'ready' }
  | { readonly is: 'waits'; readonly for: 'database'; readonly why: string }
  | { readonly is: 'takes'; readonly loop: string; readonly epoch: number }
  | { readonly is: 'ends-loop'; readonly loop: string; readonly how: LeaseEnd }
  | { readonly is: 'drains' };

export interface WorkerStep {
  readonly state: WorkerState;
  readonly effects: readonly WorkerEffect[];
}

/** What does not change while it works. */
export interface WorkerPlan {
  readonly capacity: number;
  readonly shift: Shift;
  readonly leaseMs: number;
}

export function initialWorker({ capacity, shift, leaseMs }: WorkerPlan, at: number): WorkerState {
  return {
    capacity,
    shift,
    beatMs: Math.min(MAX_BEAT_MS, leaseMs / BEATS_PER_LEASE),
    startedAt: at,
    taken: 0,
    idleSince: at,
    drainedAt: Infinity,
    loops: new Map(),
    drains: 'no',
    isAway: false,
    beat: { isUnderWay: false, sentAt: -Infinity, dueAt: 0 },
    leasing: { is: 'idle' },
    leaseDueAt: 0,
    mayLeaseAt: 0,
    tidyDueAt: 0,
    isOver: false,
  };
}
