/**
 * What a worker does with its places: renews the leases of its loops, leases more while it has room, and
 * hands everything over when it is told to leave. Every message says when it came, by the clock that all
 * processes of this machine share.
 */
import type { LeasedRow } from '../lease.ts';
import type { LoopNews } from './leased-loop/state.ts';
import type { BeatAnswer, WorkerEffect, WorkerMessage, WorkerState, WorkerStep } from './worker-state.ts';

/** How often a worker looks for work, and whether the database is back. */
const LEASE_POLL_MS = 1_000;
/** Words within this time are answered by one look at the record. */
const WORD_MS = 20;
/**
 * After an outage the others renew their leases before anybody takes what they work on. Their queries may
 * hang.
 */
const RETURN_MS = 7_000;
/** How often a worker removes what loops have left here that ended elsewhere. What stays only takes room. */
const TIDY_MS = 600_000;

/** A loop that is handed over at once is out of the hands of its worker by then: its pass is ended first. */
const HAND_OVER_MS = 5_000;

export function stepWorker(state: WorkerState, message: WorkerMessage): WorkerStep {
  if (state.isOver) return stay(state);
  const stepped = onMessage(state, message);
  const bounded = then(stepped, (next) => endShift(next, message.at));
  const begun = then(bounded, (next) => beginWhatIsDue(next, message.at));
  return then(begun, leaveIfDone);
}

function onMessage(state: WorkerState, message: WorkerMessage): WorkerStep {
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
      return onAway(state, message, at);
    case 'tidied':
      return stay({ ...state, leasing: { is: 'idle' } });
    case 'loop-ended':
      return onLoopEnded(state, message, at);
    case 'drain':
      return drain(state, message.when, at);
  }
}

/** Leaves when its time is over, or it has taken as many loops as it may and they have ended here. */
function endShift(state: WorkerState, at: number): WorkerStep {
  const { shift, startedAt, drains, drainedAt } = state;
  if (drains === 'end-of-pass' && shift.graceMs !== null) {
    const isOver = at - drainedAt >= Math.max(0, shift.graceMs - HAND_OVER_MS);
    return isOver ? drain(state, 'at-once', at) : stay(state);
  }
  if (drains !== 'no') return stay(state);
  if (shift.maxMs !== null && at - startedAt >= shift.maxMs) return drain(state, 'end-of-pass', at);
  return isWithoutWork(state) && !mayTakeMore(state) ? stay(withNothingLeft(state)) : stay(state);
}

function mayTakeMore({ shift, taken }: WorkerState): boolean {
  return shift.maxLoops === null || taken < shift.maxLoops;
}

function isWithoutWork({ loops, leasing }: WorkerState): boolean {
  return loops.size === 0 && leasing.is === 'idle';
}

/** There is nothing to hand over, so nobody has to be told. */
function withNothingLeft(state: WorkerState): WorkerState {
  return { ...state, drains: 'at-once' };
}

/**
 * Begins whatever is due. A beat and the search for work do not wait for each other: to lease a loop may
 * last.
 */
function beginWhatIsDue(state: WorkerState, at: number): WorkerStep {
  // One that only has to leave must not wait for its own heartbeats: while the database is away, the next is
  // due when the last one fails.
  const isLeaving = state.drains !== 'no' && isWithoutWork(state);
  const beat =
    isLeaving || state.beat.isUnderWay || at < state.beat.dueAt
      ? stay(state)
      : stay(
          { ...state, beat: { isUnderWay: true, sentAt: at, dueAt: at + state.beatMs } },
          { is: 'beat', sentAt: at },
        );
  return then(beat, (next) => beginToLease(next, at));
}

function beginToLease(state: WorkerState, at: number): WorkerStep {
  const hasRoom = state.loops.size < state.capacity && mayTakeMore(state);
  const isFree = hasRoom && state.drains === 'no' && !state.isAway;
  const isDue = at >= Math.max(state.leaseDueAt, state.mayLeaseAt);
  if (state.leasing.is !== 'idle' || !isFree || !isDue) return stay(state);
  if (at >= state.tidyDueAt)
    return stay({ ...state, leasing: { is: 'tidying' }, tidyDueAt: at + TIDY_MS }, { is: 'tidy' });
  return stay({ ...state, leasing: { is: 'asking' } }, { is: 'lease', sentAt: at });
}

function leaveIfDone(state: WorkerState): WorkerStep {
  const isBusy = state.loops.size > 0 || state.leasing.is !== 'idle' || state.beat.isUnderWay;
  return state.drains === 'no' || isBusy ? stay(state) : stay({ ...state, isOver: true }, { is: 'leave' });
}

function onBeat(state: WorkerState, answer: BeatAnswer, sentAt: number, at: number): WorkerStep {
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
  return isDraining ? then(next, (one) => drain(one, 'end-of-pass', at)) : next;
}

/** Anybody may say that a loop was fenced, as often as they like. The record knows. */
function beatSoon(state: WorkerState, at: number): WorkerStep {
  const { beat } = state;
  const dueAt = Math.min(beat.dueAt, Math.max(at, beat.sentAt + WORD_MS));
  return stay({ ...state, beat: { ...beat, dueAt } }, { is: 'wake', inMs: dueAt - at });
}

function lookForWork(state: WorkerState, at: number, inMs: number): WorkerStep {
  const leaseDueAt = Math.min(state.leaseDueAt, at + inMs);
  return stay({ ...state, leaseDueAt }, { is: 'wake', inMs });
}

function onLeased(state: WorkerState, loop: LeasedRow | null, sentAt: number, at: number): WorkerStep {
  if (loop === null) return onNothingLeased(state, at);
  if (state.loops.has(loop.id)) return stay({ ...state, leasing: { is: 'awaiting-tree', loop, sentAt } });
  return startLoop(state, loop, sentAt);
}

function onNothingLeased(state: WorkerState, at: number): WorkerStep {
  const idle: WorkerState = { ...state, leasing: { is: 'idle' }, leaseDueAt: at + LEASE_POLL_MS };
  const { idleMs } = state.shift;
  const isOver = idleMs !== null && state.loops.size === 0 && at - state.idleSince >= idleMs;
  return stay(isOver && state.drains === 'no' ? withNothingLeft(idle) : idle);
}

function startLoop(state: WorkerState, loop: LeasedRow, sentAt: number): WorkerStep {
  const { id, epoch } = loop;
  const loops = new Map(state.loops).set(id, epoch);
  const drains: WorkerEffect[] =
    state.drains === 'no' ? [] : [tellLoop(id, { is: 'drain', when: state.drains })];
  return stay(
    { ...state, loops, taken: state.taken + 1, leasing: { is: 'idle' }, leaseDueAt: 0 },
    { is: 'report', event: { is: 'takes', loop: id, epoch } },
    { is: 'start-loop', loop, sentAt },
    ...drains,
  );
}

function onAway(
  state: WorkerState,
  { from, why }: Extract<WorkerMessage, { is: 'database-away' }>,
  at: number,
): WorkerStep {
  const dueAt = Math.min(state.beat.dueAt, at + LEASE_POLL_MS);
  const away: WorkerState = { ...state, isAway: true, beat: { ...state.beat, dueAt } };
  const next: WorkerState =
    from === 'beat'
      ? { ...away, beat: { ...away.beat, isUnderWay: false } }
      : { ...away, leasing: { is: 'idle' } };
  return state.isAway
    ? stay(next)
    : stay(next, { is: 'report', event: { is: 'waits', for: 'database', why } });
}

function onLoopEnded(
  state: WorkerState,
  { loop, epoch, how }: Extract<WorkerMessage, { is: 'loop-ended' }>,
  at: number,
): WorkerStep {
  if (state.loops.get(loop) !== epoch) return stay(state);
  const loops = new Map(state.loops);
  loops.delete(loop);
  const ended: WorkerStep = stay(
    { ...state, loops, idleSince: at },
    { is: 'report', event: { is: 'ends-loop', loop, how } },
  );
  const { leasing } = state;
  if (leasing.is === 'awaiting-tree' && leasing.loop.id === loop)
    return then(ended, (next) => startLoop(next, leasing.loop, leasing.sentAt));
  return then(ended, (next) => lookForWork(next, at, 0));
}

function drain(state: WorkerState, when: 'at-once' | 'end-of-pass', at: number): WorkerStep {
  const isNews = state.drains === 'no';
  if (!isNews && (when === 'end-of-pass' || state.drains === 'at-once')) return stay(state);
  const report: WorkerEffect[] = isNews ? [{ is: 'report', event: { is: 'drains' } }] : [];
  const told = [...state.loops.keys()].map((loop) => tellLoop(loop, { is: 'drain', when }));
  const drainedAt = isNews ? at : state.drainedAt;
  return stay({ ...state, drains: when, drainedAt }, ...report, ...told);
}

function tellLoop(loop: string, news: LoopNews): WorkerEffect {
  return { is: 'tell-loop', loop, news };
}

function stay(state: WorkerState, ...effects: readonly WorkerEffect[]): WorkerStep {
  return { state, effects };
}

function then({ state, effects }: WorkerStep, next: (state: WorkerState) => WorkerStep): WorkerStep {
  const stepped = next(state);
  return { state: stepped.state, effects: [...effects, ...stepped.effects] };
}
