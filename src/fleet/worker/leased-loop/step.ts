/**
 * What a worker does with one of its loops: loads its record, starts a child that drives it, and settles what
 * the child reports. When the lease may be over, the child suspends its pass until the record answers: the
 * epoch, not the clock, says who has the loop. If another worker has it, the child is killed with everything
 * that it started.
 */
import type { RunEventBody } from '#engine/run-event.ts';
import type { LoopRecord } from '../../lease.ts';
import type { Shipped } from '../../ship.ts';
import type { FromChild, Settle } from '../protocol.ts';
import {
  beginPublishing,
  beginRecording,
  onGitResult,
  onLeaseChecked,
  onPermit,
  tryToPublish,
  UNPUBLISHED,
  type PublishingState,
} from './publishing.ts';
import type { LoopEffect, LoopMessage, LoopState, RecordAnswer, LeaseStep } from './state.ts';
import { NOTHING_USED } from './state.ts';
import {
  after,
  askRecord,
  DRIVING,
  finish,
  finishRelease,
  giveUp,
  isAtWork,
  lose,
  onFailure,
  onStopped,
  stepToRelease,
  RELEASE_NOW,
  stay,
} from './transitions.ts';

/**
 * A child stops its pass within a second of its lease. One that does not is ended: two looks and the time to
 * stop a child later, its lease is not over yet.
 */
const STAND_STILL_MS = 1_400;

export function stepLoop(state: LoopState, message: LoopMessage): LeaseStep {
  switch (message.is) {
    case 'started':
      return askRecord(state, { is: 'load' });
    case 'answered':
      return after(committedBy(message.answer), onAnswer(state, message.n, message.answer));
    case 'failed':
      return message.n === state.n ? onFailure(state, message.ask, message.failure, message.at) : stay(state);
    case 'git':
      return message.n === state.n && isPublishing(state) ? onGitResult(state, message.result) : stay(state);
    case 'waited':
      return message.n === state.n ? onWaited(state) : stay(state);
    case 'child-said':
      return onChild(state, message.message);
    case 'child-exited':
      return onExit({ ...state, hasChild: false }, message);
    case 'tidied':
      return state.phase.is === 'tidying' ? finish(state, state.phase.ended) : stay(state);
    case 'broke':
      return onBroken(state, message.why);
    case 'renewed':
      return onRenewed(state, message.sentAt);
    case 'fenced':
      return lose(state);
    case 'look':
      return onLook(state, message.at);
    case 'drain':
      return onDrain({ ...state, isDraining: true }, message.when);
  }
}

function isPublishing(state: LoopState): state is PublishingState {
  return state.phase.is === 'publishing';
}

/** What the record has taken is true, also where the worker has given the loop up meanwhile. */
function committedBy(answer: RecordAnswer): LoopEffect[] {
  const isTrue =
    answer.is === 'released'
      ? answer.isReleased
      : (answer.is === 'begun' || answer.is === 'recorded') && answer.shipped.is === 'ours';
  return isTrue && 'events' in answer && answer.events.length > 0
    ? [{ is: 'notify', events: answer.events }]
    : [];
}

function onAnswer(state: LoopState, n: number, answer: RecordAnswer): LeaseStep {
  if (n !== state.n) return stay(state);
  const { phase } = state;
  switch (answer.is) {
    case 'loaded': {
      if (phase.is !== 'loading') return stay(state);
      if (state.setAside !== null) return setAside(state, answer.record, state.setAside);
      const until = state.lease.renewedAt + state.lease.usableMs;
      const driving: LoopState = { ...state, phase: DRIVING, hasChild: true };
      return stay(driving, { is: 'start-child', record: answer.record, until });
    }
    case 'begun':
      return phase.is === 'beginning' ? answerChild(state, answer.shipped, false) : stay(state);
    case 'recorded':
      return phase.is === 'recording' ? onRecorded(state, answer.shipped) : stay(state);
    case 'lease':
      return isPublishing(state) ? onLeaseChecked(state, answer.isHeld) : stay(state);
    case 'permit':
      return isPublishing(state) ? onPermit(state, answer.permit, answer.push) : stay(state);
    case 'released':
      return phase.is === 'releasing' ? finishRelease(state, phase.how, answer.isReleased) : stay(state);
  }
}

function setAside(state: LoopState, record: LoopRecord, why: string): LeaseStep {
  const releasing: LoopState = { ...state, phase: { is: 'releasing', how: { until: null } } };
  return askRecord(releasing, { is: 'set-aside', record, why });
}

function onRecorded(state: LoopState, shipped: Shipped): LeaseStep {
  const { phase, hasChild, isDraining } = state;
  const asked = phase.is === 'recording' ? phase.releaseAs : null;
  const isHandedOver = !hasChild || (phase.is === 'recording' && phase.isLive);
  const releaseAs = isHandedOver ? (asked ?? (isDraining ? RELEASE_NOW : null)) : null;
  const ended: LoopState = { ...state, phase: DRIVING, pass: null, usedInPass: NOTHING_USED };
  if (shipped.is === 'ours' && releaseAs !== null) return stepToRelease(ended, releaseAs);
  return answerChild(ended, shipped, !isHandedOver);
}

function answerChild(state: LoopState, shipped: Shipped, saysRelease: boolean): LeaseStep {
  if (shipped.is === 'lost') return lose(state);
  // It stays ready: whoever has a free place takes it when its account has room.
  if (shipped.is === 'refused') return stepToRelease(state, RELEASE_NOW);
  const { mostUsd, inbox } = shipped;
  const settled = { is: 'settled', as: 'ours', mostUsd, inbox } as const;
  return stay({ ...state, phase: { is: 'driving', saysRelease } }, { is: 'tell-child', message: settled });
}

function onWaited(state: LoopState): LeaseStep {
  if (state.phase.is === 'stopping') return stay(state, { is: 'kill-child' });
  if (state.retry !== null) return askRecord(state, state.retry);
  return isPublishing(state) ? tryToPublish(state, state.phase) : stay(state);
}

function onChild(state: LoopState, message: FromChild): LeaseStep {
  switch (message.is) {
    case 'tell':
      return stay(meter(state, message.event), { is: 'show', event: message.event });
    case 'stands':
      return stay({ ...state, isStanding: true });
    case 'settle':
      return state.phase.is === 'driving' ? onSettle(state, message) : stay(state);
    case 'done':
      return stepToRelease(state, message.release, message.shipment);
  }
}

/** Hosts report what the whole loop has used. */
function meter(state: LoopState, event: RunEventBody): LoopState {
  if (event.is !== 'usage' || !isAtWork(state)) return state;
  const costUsd = Math.max(0, (event.costUsd ?? 0) - state.usedBefore.costUsd);
  const tokens = Math.max(0, event.tokens - state.usedBefore.tokens);
  return { ...state, usedInPass: { costUsd, tokens } };
}

function onSettle(state: LoopState, settle: Settle): LeaseStep {
  const base = state.work.base ?? settle.base;
  const known: LoopState = { ...state, work: { ...state.work, base } };
  const { shipment, point } = settle;
  if (settle.barrier === 'recorded')
    return point === null
      ? beginRecording(known, settle, UNPUBLISHED)
      : beginPublishing(known, { ...settle, point });
  if (state.isDraining) return stepToRelease(known, RELEASE_NOW);
  const { cost_usd: costUsd, tokens } = shipment.summary.report;
  const beginning: LoopState = {
    ...known,
    phase: { is: 'beginning' },
    pass: shipment.from + shipment.events.length,
    usedBefore: { costUsd, tokens },
    usedInPass: NOTHING_USED,
  };
  return askRecord(beginning, { is: 'begin-pass', shipment, base });
}

function onExit(
  state: LoopState,
  { how, complaint }: Extract<LoopMessage, { is: 'child-exited' }>,
): LeaseStep {
  const { phase } = state;
  if (phase.is === 'stopping') return onStopped(state, phase.goal);
  return stepToRelease(state, { until: 'later', why: `its driver ended (${how}) ${complaint}`.trim() });
}

/** Whatever goes wrong with one loop costs this loop: the worker goes on with the others. */
function onBroken(state: LoopState, why: string): LeaseStep {
  if (isAtWork(state)) return giveUp(state, { until: 'later', why, isSpoilt: true });
  const { phase } = state;
  if (phase.is === 'stopping') return stay({ ...state, phase: { is: 'stopping', goal: { is: 'lost' } } });
  return phase.is === 'over' ? stay(state) : finish(state, { is: 'lost' });
}

function onRenewed(state: LoopState, sentAt: number): LeaseStep {
  const renewedAt = Math.max(state.lease.renewedAt, sentAt);
  const renewed: LoopState = { ...state, lease: { ...state.lease, renewedAt }, isStanding: false };
  if (!state.hasChild) return stay(renewed);
  const until = renewedAt + state.lease.usableMs;
  return stay(renewed, { is: 'tell-child', message: { is: 'lease', until } });
}

/**
 * Ends the pass if the lease may be over and the child has not stopped it, or nobody will wait for the
 * database. Where this process was frozen, what the child and the record said meanwhile is read between two
 * looks. A pass that has ended is published all the same: the record says whether the loop is still ours.
 */
function onLook(state: LoopState, at: number): LeaseStep {
  const isOver = at - state.lease.renewedAt > state.lease.usableMs + STAND_STILL_MS;
  const isLate = isOver && (!state.isStanding || state.isDraining);
  const isToEnd = isLate && state.isLate && !isPublishing(state);
  return isToEnd ? stepToRelease(state, RELEASE_NOW) : stay({ ...state, isLate });
}

function onDrain(state: LoopState, when: 'at-once' | 'end-of-pass'): LeaseStep {
  const { phase, pass } = state;
  // Released as if it were to go on, an ended loop would leave its tree and its home here.
  const isAwaited = pass !== null || (phase.is === 'driving' && phase.saysRelease);
  return when === 'end-of-pass' && isAwaited ? stay(state) : stepToRelease(state, RELEASE_NOW);
}
