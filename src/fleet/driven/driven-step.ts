/**
 * What the child of a worker knows of its lease, and when it stops. If it hears nothing of its lease, another
 * worker may soon have the loop: it suspends its pass until it hears that the loop is still its own, or ends
 * the pass where suspending is not possible. Every message carries its time, by the clock that all processes
 * of this machine share.
 */
import type { SettledAs, ToChild } from '../worker/protocol.ts';

export interface DrivenState {
  /** How long it may work without hearing of its lease. */
  readonly leaseUntil: number;
  readonly canFreeze: boolean;
  /** Everything that it has started is stopped, and its worker knows. */
  readonly isStanding: boolean;
  /** A driver that is told to stop ends its pass in order. Before and after it, there is none. */
  readonly isDriving: boolean;
  readonly isStopped: boolean;
  /** The driver waits for an answer of the worker. */
  readonly isSettling: boolean;
  /**
   * The answer, where it came when the lease may have been over: its worker was frozen, and another one may
   * have the loop. The driver gets it when the lease was renewed, or it would begin a pass before it hears.
   */
  readonly late: SettledAs | null;
}

export type DrivenNews =
  | { readonly is: 'worker-said'; readonly message: ToChild }
  | { readonly is: 'look' }
  /** Where this process was busy, what the worker said meanwhile is read between the two looks. */
  | { readonly is: 'look-again' }
  | { readonly is: 'drive-begins' | 'drive-ended' | 'settle-asked' };

export type DrivenMessage = DrivenNews & { readonly at: number };

export type DrivenEffect =
  | { readonly is: 'freeze' | 'thaw' | 'tell-standing' | 'look-again' }
  /** Ends the pass in order. */
  | { readonly is: 'stop-driver' }
  /** Ends this process at once. The watchdog ends the host, and everything that the host has started. */
  | { readonly is: 'leave' }
  | { readonly is: 'answer-driver'; readonly settled: SettledAs };

interface DrivenStep {
  readonly state: DrivenState;
  readonly effects: readonly DrivenEffect[];
}

const LOST: SettledAs = { is: 'settled', as: 'lost', mostUsd: null, inbox: [] };

export function initialDriven(leaseUntil: number, canFreeze: boolean): DrivenState {
  const nothingYet = { isStanding: false, isDriving: false, isStopped: false, isSettling: false, late: null };
  return { leaseUntil, canFreeze, ...nothingYet };
}

export function stepDriven(state: DrivenState, message: DrivenMessage): DrivenStep {
  const isLate = message.at > state.leaseUntil;
  switch (message.is) {
    case 'worker-said':
      return onWorker(state, message.message, message.at);
    case 'look':
      return isLate ? stay(state, { is: 'look-again' }) : stay(state);
    case 'look-again':
      return isLate ? freezePass(state) : stay(state);
    case 'drive-begins':
      return stay({ ...state, isDriving: true });
    case 'drive-ended':
      // The pass is gone with all that it started, and its worker waits for that.
      return stay({ ...state, isDriving: false }, ...(state.isStopped ? [LEAVE] : []));
    case 'settle-asked':
      return state.isStopped ? answer(state, LOST) : stay({ ...state, isSettling: true });
  }
}

const LEAVE = { is: 'leave' } as const;

function onWorker(state: DrivenState, message: ToChild, at: number): DrivenStep {
  switch (message.is) {
    case 'order':
      return stay(state);
    case 'lease': {
      const renewed = { ...state, leaseUntil: message.until };
      // It may be an old one, where the worker was frozen.
      if (at > message.until) return stay(renewed);
      const going = { ...renewed, isStanding: false };
      const answered = state.late === null ? stay(going) : answer(going, state.late);
      return { state: answered.state, effects: [{ is: 'thaw' }, ...answered.effects] };
    }
    case 'settled':
      if (!state.isSettling) return stay(state);
      return at > state.leaseUntil ? stay({ ...state, late: message }) : answer(state, message);
    case 'stop': {
      const stopped = { ...state, isStopped: true };
      if (!state.isDriving) return stay(stopped, { is: 'stop-driver' }, LEAVE);
      const asked = state.isSettling ? answer(stopped, LOST) : stay(stopped);
      return { state: asked.state, effects: [{ is: 'stop-driver' }, ...asked.effects] };
    }
  }
}

/** Again and again: a process may have started another one meanwhile. */
function freezePass(state: DrivenState): DrivenStep {
  if (!state.canFreeze) return stay(state, LEAVE);
  const told: DrivenEffect[] = state.isStanding ? [] : [{ is: 'tell-standing' }];
  return stay({ ...state, isStanding: true }, { is: 'freeze' }, ...told);
}

function answer(state: DrivenState, settled: SettledAs): DrivenStep {
  return stay({ ...state, isSettling: false, late: null }, { is: 'answer-driver', settled });
}

function stay(state: DrivenState, ...effects: readonly DrivenEffect[]): DrivenStep {
  return { state, effects };
}
