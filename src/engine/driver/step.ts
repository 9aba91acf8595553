/**
 * What the fresh driver does next: one act at a time, decided from what it knows and what came of its last
 * act. Pure; `drive.ts` performs the acts. The state holds nothing that a kill would lose: what matters is in
 * the journal.
 */
import { hasEnded, isCircuitOpen, isLive, type Loop } from '#law/loop.ts';
import type { FreshRun, WaitOutcome } from './options.ts';
import type { PassOrder } from './pass/begin-pass.ts';
import { sessionAfter, type AfterPass, type SessionSoFar } from './pass/session-choice.ts';

export interface DriverState {
  /** The host of the next pass, and how it is run. */
  readonly run: FreshRun;
  /** The driver has just begun, so it may take up a loop that rests. */
  readonly isFirst: boolean;
  /** The open circuit was waited for since the last progress. A second standstill ends the loop. */
  readonly hasCooled: boolean;
  /** This host has begun a session in this run, so it is set up well. */
  readonly hasStarted: boolean;
  /** The session that the next pass may continue. */
  readonly session: SessionSoFar | null;
  /** When passes began, for the limit of calls per hour. */
  readonly passStarts: readonly string[];
}

/** How the loop is found between two passes. */
export interface LoopSeen {
  readonly loop: Pick<Loop, 'status' | 'circuit'>;
  /** Another process drives it. */
  readonly isElsewhere: boolean;
  readonly hasFolder: boolean;
  /** `now`: a person stops the run at once. `soon`: after the pass. */
  readonly stops: 'now' | 'soon' | null;
}

export interface PassResult extends AfterPass {
  readonly session: SessionSoFar;
  /** The host can't continue that session. */
  readonly isLost: boolean;
}

export type DriverMessage =
  | ({ readonly is: 'looked' } & LoopSeen)
  | { readonly is: 'cooled'; readonly held: WaitOutcome }
  /** Null: the host stays. */
  | { readonly is: 'host-chosen'; readonly run: FreshRun | null }
  /** `isAwaitingCheck`: all that is missing is a check that said "not yet". */
  | { readonly is: 'waited'; readonly held: WaitOutcome; readonly isAwaitingCheck: boolean }
  /** False: the loop belongs to another process now. */
  | { readonly is: 'checked-again'; readonly isOurs: boolean }
  /** Null: no pass may begin, or another process was faster. */
  | { readonly is: 'pass-begun'; readonly order: PassOrder | null; readonly at: string }
  /** Null: the loop was stopped during the pass, or belongs to another process now. */
  | { readonly is: 'pass-ended'; readonly result: PassResult | null }
  | { readonly is: 'stopped' };

export type DriverAct =
  | { readonly do: 'look' }
  | { readonly do: 'cool-down' }
  | { readonly do: 'choose-host' }
  | { readonly do: 'wait' }
  | { readonly do: 'check-again' }
  | { readonly do: 'begin-pass' }
  | { readonly do: 'run-pass'; readonly order: PassOrder }
  | { readonly do: 'interrupt'; readonly why: string }
  | { readonly do: 'pause' }
  | { readonly do: 'end' };

export interface DriverStep {
  readonly state: DriverState;
  readonly act: DriverAct;
}

export const STOPPED = 'stopped in the terminal';
export const FOLDER_GONE = 'the project folder is gone';

export function firstStep(begun: Pick<DriverState, 'run' | 'session' | 'passStarts'>): DriverStep {
  return { state: { ...begun, isFirst: true, hasCooled: false, hasStarted: false }, act: { do: 'look' } };
}

export function step(state: DriverState, message: DriverMessage): DriverStep {
  switch (message.is) {
    case 'looked':
      return afterLook(state, message);
    case 'cooled':
      return message.held === 'over' ? lookAgain({ ...state, hasCooled: true }) : endDrive(state);
    case 'host-chosen':
      return { state: message.run === null ? state : onHost(state, message.run), act: { do: 'wait' } };
    case 'waited':
      if (message.held === 'parked') return endDrive(state);
      if (message.held === 'stopped') return lookAgain(state);
      return { state, act: { do: message.isAwaitingCheck ? 'check-again' : 'begin-pass' } };
    case 'checked-again':
      return message.isOurs ? lookAgain(state) : endDrive(state);
    case 'pass-begun': {
      const { order, at } = message;
      if (order === null) return endDrive(state);
      const passStarts = [...state.passStarts, at];
      return { state: { ...state, passStarts }, act: { do: 'run-pass', order } };
    }
    case 'pass-ended':
      return message.result === null ? endDrive(state) : lookAgain(afterPass(state, message.result));
    case 'stopped':
      return endDrive(state);
  }
}

/** Between two passes: whether there is another one. */
function afterLook(before: DriverState, { loop, isElsewhere, hasFolder, stops }: LoopSeen): DriverStep {
  const { isFirst, hasCooled } = before;
  if (isCircuitOpen(loop) && !isFirst && !hasCooled && stops === null)
    return { state: before, act: { do: 'cool-down' } };
  // After progress, a new standstill gets its own wait.
  const hasProgressed = loop.circuit.times <= 1 && !loop.circuit.half;
  const state = hasProgressed ? { ...before, hasCooled: false } : before;
  if (hasEnded(loop) || (!isFirst && (!isLive(loop) || isElsewhere))) return endDrive(state);
  if (stops === 'now') return { state, act: { do: 'interrupt', why: STOPPED } };
  if (!hasFolder) return { state, act: { do: 'interrupt', why: FOLDER_GONE } };
  if (stops === 'soon') return { state, act: { do: 'pause' } };
  const isAtLimit = loop.status.is === 'waiting' && loop.status.for === 'limit';
  return { state, act: { do: isAtLimit ? 'choose-host' : 'wait' } };
}

function onHost(state: DriverState, run: FreshRun): DriverState {
  return { ...state, run, session: null, hasStarted: false };
}

function afterPass(state: DriverState, result: PassResult): DriverState {
  return {
    ...state,
    hasStarted: state.hasStarted || result.hasBegun,
    session: result.isLost ? null : sessionAfter(state.session, result.session, result),
  };
}

function lookAgain(state: DriverState): DriverStep {
  return { state: { ...state, isFirst: false }, act: { do: 'look' } };
}

function endDrive(state: DriverState): DriverStep {
  return { state, act: { do: 'end' } };
}
