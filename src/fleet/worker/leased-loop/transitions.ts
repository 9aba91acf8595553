/**
 * The moves that several messages lead to: ask the record, try again, stop the child, release the loop, end.
 */
import type { Release, Shipment } from '../../ship.ts';
import type {
  LeaseEnd,
  LeaseGoal,
  LoopEffect,
  LoopState,
  RecordAsk,
  RecordFailure,
  LeaseStep,
} from './state.ts';

/**
 * A child ends its pass within a second when told to. After this time it is killed, and its watchdog ends the
 * pass.
 */
const STOP_CHILD_MS = 2_000;
const RETRY_RECORD_MS = 500;

export const RELEASE_NOW: Release = { until: 'now' };
export const DRIVING = { is: 'driving', saysRelease: false } as const;

export function stay(state: LoopState, ...effects: readonly LoopEffect[]): LeaseStep {
  return { state, effects };
}

/** Before what `step` does. */
export function after(effects: readonly LoopEffect[], step: LeaseStep): LeaseStep {
  return { state: step.state, effects: [...effects, ...step.effects] };
}

export function askRecord(state: LoopState, question: RecordAsk): LeaseStep {
  const n = state.n + 1;
  return stay({ ...state, n, retry: null }, { is: 'ask', n, ask: question });
}

/** Asks once more after a while. */
function askLater(state: LoopState, question: RecordAsk): LeaseStep {
  const n = state.n + 1;
  return stay({ ...state, n, retry: question }, { is: 'wait', n, ms: RETRY_RECORD_MS });
}

/** Whether the loop is still worked on: it is neither being given back nor over. */
export function isAtWork({ phase }: LoopState): boolean {
  return !['stopping', 'releasing', 'tidying', 'over'].includes(phase.is);
}

export function lose(state: LoopState): LeaseStep {
  const fenced = { ...state, isFenced: true };
  if (isAtWork(state)) return stopChild(fenced, { is: 'lost' });
  return stay(state.phase.is === 'stopping' ? { ...fenced, phase: { is: 'stopping', goal: LOST } } : fenced);
}

const LOST = { is: 'lost' } as const;

export function stepToRelease(state: LoopState, how: Release, shipment: Shipment | null = null): LeaseStep {
  if (!isAtWork(state)) return stay(state);
  // What is being recorded is paid for. The record answers, or it is given up there.
  if (state.phase.is === 'recording')
    return stay({ ...state, phase: { ...state.phase, releaseAs: state.phase.releaseAs ?? how } });
  return stopChild(state, { is: 'release', shipment, how });
}

function stopChild(state: LoopState, goal: LeaseGoal): LeaseStep {
  const n = state.n + 1;
  const stopping: LoopState = { ...state, n, retry: null, phase: { is: 'stopping', goal } };
  const abort = { is: 'abort-git' } as const;
  if (!state.hasChild) return after([abort], onStopped(stopping, goal));
  const stop = { is: 'tell-child', message: { is: 'stop' } } as const;
  return stay(stopping, abort, stop, { is: 'wait', n, ms: STOP_CHILD_MS });
}

/** The pass is gone, with everything that it has started. */
export function onStopped(state: LoopState, goal: LeaseGoal): LeaseStep {
  if (goal.is === 'lost') return after([{ is: 'end-lost-pass' }], finish(state, LOST));
  const { shipment, how } = goal;
  return askRecord({ ...state, phase: { is: 'releasing', how } }, { is: 'release', shipment, how });
}

/** `isReleased`: the record has it. Otherwise the loop is another's, or nobody will ever know. */
export function finishRelease(state: LoopState, how: Release, isReleased: boolean): LeaseStep {
  const ended: LeaseEnd = isReleased ? { is: 'let-go', ...how } : LOST;
  if (how.until !== null) return finish(state, ended);
  const tidying: LoopState = { ...state, n: state.n + 1, phase: { is: 'tidying', ended } };
  return stay(tidying, { is: 'tidy', isRecorded: isReleased, lastPoint: state.work.point_ref });
}

export function finish(state: LoopState, ended: LeaseEnd): LeaseStep {
  return stay({ ...state, n: state.n + 1, retry: null, phase: { is: 'over', ended } }, { is: 'end', ended });
}

/** However long the database is away: until it answers, nobody else has the loop, or we can't know. */
export function onFailure(
  state: LoopState,
  question: RecordAsk,
  failure: RecordFailure,
  at: number,
): LeaseStep {
  const { renewedAt, leaseMs } = state.lease;
  const isLeaving = state.isDraining && at - renewedAt > leaseMs;
  if (failure.is === 'away' && !state.isFenced && !isLeaving) return askLater(state, question);
  if (state.phase.is === 'releasing') return finishRelease(state, state.phase.how, false);
  const spoilt = failure.is === 'unfit' ? { isSpoilt: !failure.isNewer } : {};
  return giveUp(state, { until: 'later', why: failure.why, ...spoilt });
}

/** Nothing more is to come for this question, so a pass that was being recorded is given up too. */
export function giveUp(state: LoopState, how: Release): LeaseStep {
  const isRecording = state.phase.is === 'recording';
  return stepToRelease(isRecording ? { ...state, phase: DRIVING } : state, how);
}
