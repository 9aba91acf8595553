/**
 * What a worker does with its places: renews the leases of its loops, leases more while it has room, and
 * hands everything over when it is told to leave. Every message says when it came, by the clock that all
 * processes of this machine share.
 */
import type { TakenLoop } from '../lease.ts';
import type { Ended, LoopNews } from './leased-loop/state.ts';

/** How often a worker shows that it lives, and looks for work. Words of the database come in between. */
const BEAT_MS = 1_000;
/** Words within this time are answered by one look at the record. */
const WORD_MS = 20;
/**
 * After an outage the others renew their leases before anybody takes what they work on. Their queries may
 * hang.
 */
const RETURN_MS = 7_000;
/** How often a worker removes what loops have left here that ended elsewhere. What stays only takes room. */
const TIDY_MS = 600_000;

export interface WorkerState {
  readonly capacity: number;
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
  | { readonly is: 'awaiting-tree'; readonly loop: TakenLoop; readonly sentAt: number };

export type WorkerNews =
  | { readonly is: 'tick' }
  /** A word of the database: it is worth a look. */
  | { readonly is: 'loop-ready' | 'drain-asked' }
  | { readonly is: 'loop-fenced'; readonly loop: string }
  | { readonly is: 'beat'; readonly sentAt: number; readonly answer: BeatAnswer }
  | { readonly is: 'leased'; readonly sentAt: number; readonly loop: TakenLoop | null }
  | { readonly is: 'database-away'; readonly from: 'beat' | 'lease'; readonly why: string }
  | { readonly is: 'tidied' }
  | { readonly is: 'loop-ended'; readonly loop: string; readonly epoch: number; readonly how: Ended }
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
  | { readonly is: 'start-loop'; readonly loop: TakenLoop; readonly sentAt: number }
  | { readonly is: 'tell-loop'; readonly loop: string; readonly news: LoopNews }
  | { readonly is: 'report'; readonly event: WorkerReport }
  | { readonly is: 'wake'; readonly inMs: number }
  | { readonly is: 'leave' };

export type WorkerReport =
  | { readonly is: 'ready' }
  | { readonly is: 'waits'; readonly for: 'database'; readonly why: string }
  | { readonly is: 'takes'; readonly loop: string; readonly epoch: number }
  | { readonly is: 'ends-loop'; readonly loop: string; readonly how: Ended }
  | { readonly is: 'drains' };

interface Step {
  readonly state: WorkerState;
  readonly effects: readonly WorkerEffect[];
}

export function initialWorker(capacity: number): WorkerState {
  return {
    capacity,
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

export function stepWorker(state: WorkerState, message: WorkerMessage): Step {
  if (state.isOver) return stay(state);
  const stepped = onMessage(state, message);
  const begun = then(stepped, (next) => begin(next, message.at));
  return then(begun, leaveIfDone);
}

function onMessage(state: WorkerState, message: WorkerMessage): Step {
  const { at } = message;
  switch (message.is) {
    case 'tick':
      return stay(state, ...[...state.loops.keys()].map((loop) => tellLoop(loop, { is: 'look' })));
    case 'loop-ready':
      return lookForWork(state, at, WORD_MS);
    case 'loop-fenced':
      return state.loops.has(message.loop) ? beatSoon(state, at) : stay(state);
    case 'drain-asked':
      return beatSoon(state, at);
    case 'beat':
      return onBeat(state, message.answer, message.sentAt, at);
    case 'leased':
      return onLeased(state, message.loop, message.sentAt, at);
    case 'database-away':
      return onAway(state, message.from, message.why);
    case 'tidied':
      return stay({ ...state, leasing: { is: 'idle' } });
    case 'loop-ended':
      return onLoopEnded(state, message, at);
    case 'drain':
      return drain(state, message.when);
  }
}

/**
 * Begins whatever is due. A beat and the search for work do not wait for each other: to lease a loop may
 * last.
 */
function begin(state: WorkerState, at: number): Step {
  const beat =
    state.beat.isUnderWay || at < state.beat.dueAt
      ? stay(state)
      : stay(
          { ...state, beat: { isUnderWay: true, sentAt: at, dueAt: at + BEAT_MS } },
          { is: 'beat', sentAt: at },
        );
  return then(beat, (next) => beginToLease(next, at));
}

function beginToLease(state: WorkerState, at: number): Step {
  const isFree = state.loops.size < state.capacity && state.drains === 'no' && !state.isAway;
  const isDue = at >= Math.max(state.leaseDueAt, state.mayLeaseAt);
  if (state.leasing.is !== 'idle' || !isFree || !isDue) return stay(state);
  if (at >= state.tidyDueAt)
    return stay({ ...state, leasing: { is: 'tidying' }, tidyDueAt: at + TIDY_MS }, { is: 'tidy' });
  return stay({ ...state, leasing: { is: 'asking' } }, { is: 'lease', sentAt: at });
}

function leaveIfDone(state: WorkerState): Step {
  const isBusy = state.loops.size > 0 || state.leasing.is !== 'idle' || state.beat.isUnderWay;
  return state.drains === 'no' || isBusy ? stay(state) : stay({ ...state, isOver: true }, { is: 'leave' });
}

function onBeat(state: WorkerState, answer: BeatAnswer, sentAt: number, at: number): Step {
  const { asked, mine, isDraining } = answer;
  const told = [...asked].flatMap(([loop, epoch]): WorkerEffect[] =>
    state.loops.get(loop) === epoch
      ? [tellLoop(loop, mine.has(loop) ? { is: 'renewed', sentAt } : { is: 'fenced' })]
      : [],
  );
  const beaten: WorkerState = {
    ...state,
    beat: { ...state.beat, isUnderWay: false },
    isAway: false,
    mayLeaseAt: state.isAway ? at + RETURN_MS : state.mayLeaseAt,
  };
  const back: WorkerEffect[] = state.isAway ? [{ is: 'report', event: { is: 'ready' } }] : [];
  const next = stay(beaten, ...told, ...back);
  return isDraining ? then(next, (one) => drain(one, 'end-of-pass')) : next;
}

/** Anybody may say that a loop was fenced, as often as they like. The record knows. */
function beatSoon(state: WorkerState, at: number): Step {
  const { beat } = state;
  const dueAt = Math.min(beat.dueAt, Math.max(at, beat.sentAt + WORD_MS));
  return stay({ ...state, beat: { ...beat, dueAt } }, { is: 'wake', inMs: dueAt - at });
}

function lookForWork(state: WorkerState, at: number, inMs: number): Step {
  const leaseDueAt = Math.min(state.leaseDueAt, at + inMs);
  return stay({ ...state, leaseDueAt }, { is: 'wake', inMs });
}

function onLeased(state: WorkerState, loop: TakenLoop | null, sentAt: number, at: number): Step {
  if (loop === null) return stay({ ...state, leasing: { is: 'idle' }, leaseDueAt: at + BEAT_MS });
  if (state.loops.has(loop.id)) return stay({ ...state, leasing: { is: 'awaiting-tree', loop, sentAt } });
  return startLoop(state, loop, sentAt);
}

function startLoop(state: WorkerState, loop: TakenLoop, sentAt: number): Step {
  const { id, epoch } = loop;
  const loops = new Map(state.loops).set(id, epoch);
  const drains: WorkerEffect[] =
    state.drains === 'no' ? [] : [tellLoop(id, { is: 'drain', when: state.drains })];
  return stay(
    { ...state, loops, leasing: { is: 'idle' }, leaseDueAt: 0 },
    { is: 'report', event: { is: 'takes', loop: id, epoch } },
    { is: 'start-loop', loop, sentAt },
    ...drains,
  );
}

function onAway(state: WorkerState, from: 'beat' | 'lease', why: string): Step {
  const away: WorkerState = { ...state, isAway: true };
  const next: WorkerState =
    from === 'beat'
      ? { ...away, beat: { ...state.beat, isUnderWay: false } }
      : { ...away, leasing: { is: 'idle' } };
  return state.isAway
    ? stay(next)
    : stay(next, { is: 'report', event: { is: 'waits', for: 'database', why } });
}

function onLoopEnded(
  state: WorkerState,
  { loop, epoch, how }: Extract<WorkerMessage, { is: 'loop-ended' }>,
  at: number,
): Step {
  if (state.loops.get(loop) !== epoch) return stay(state);
  const loops = new Map(state.loops);
  loops.delete(loop);
  const ended: Step = stay({ ...state, loops }, { is: 'report', event: { is: 'ends-loop', loop, how } });
  const { leasing } = state;
  if (leasing.is === 'awaiting-tree' && leasing.loop.id === loop)
    return then(ended, (next) => startLoop(next, leasing.loop, leasing.sentAt));
  return then(ended, (next) => lookForWork(next, at, 0));
}

function drain(state: WorkerState, when: 'at-once' | 'end-of-pass'): Step {
  const isNews = state.drains === 'no';
  if (!isNews && (when === 'end-of-pass' || state.drains === 'at-once')) return stay(state);
  const report: WorkerEffect[] = isNews ? [{ is: 'report', event: { is: 'drains' } }] : [];
  const told = [...state.loops.keys()].map((loop) => tellLoop(loop, { is: 'drain', when }));
  return stay({ ...state, drains: when }, ...report, ...told);
}

function tellLoop(loop: string, news: LoopNews): WorkerEffect {
  return { is: 'tell-loop', loop, news };
}

function stay(state: WorkerState, ...effects: readonly WorkerEffect[]): Step {
  return { state, effects };
}

function then({ state, effects }: Step, next: (state: WorkerState) => Step): Step {
  const stepped = next(state);
  return { state: stepped.state, effects: [...effects, ...stepped.effects] };
}
