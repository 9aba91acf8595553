/** Performs what `stepLoop` decides for one leased loop, and tells it what came of that. */
import type { Event } from '#law/record/events.ts';
import { attempt, errorMessage } from '#base/shape.ts';
import type { Address } from '../../database/address.ts';
import { UnfitRecord } from '../../codec/rows.ts';
import { explainDatabaseError, type Database } from '../../database/database.ts';
import { loadRecord, type Meter, type LeasedRow } from '../../lease.ts';
import { permitPush } from '../../pushed.ts';
import { setAside } from '../../set-aside.ts';
import {
  endLostPass,
  holdsLease,
  releaseLoop,
  shipRecorded,
  shipTaken,
  tellAfter,
  type LoopHold,
} from '../../ship.ts';
import type { LeaseEnd, LoopEffect, LoopNews, RecordAnswer, RecordAsk, RecordFailure } from './state.ts';
import { initialState, meterOf } from './state.ts';
import { stepLoop } from './step.ts';
import type { ChildDoor, LoopSurroundings, SendNews, WorkerPlace } from './surroundings.ts';

export interface LeasedLoop {
  readonly id: string;
  readonly epoch: number;
  /** What the next heartbeat says of it. */
  readonly meter: () => Meter;
  readonly send: (news: LoopNews) => void;
}

interface LoopOrder {
  readonly loop: LeasedRow;
  /** When the question was sent whose answer is the lease. */
  readonly sentAt: number;
  readonly place: WorkerPlace;
  readonly surroundings: LoopSurroundings;
  readonly database: Database;
  readonly address: Address;
  readonly onEnd: (ended: LeaseEnd) => void;
}

export function runLeasedLoop(order: LoopOrder): LeasedLoop {
  const { loop, sentAt, place, surroundings } = order;
  let state = initialState(loop, sentAt, place.leaseMs);
  const waiting: LoopNews[] = [];
  let isStepping = false;
  const send = (news: LoopNews): void => {
    waiting.push(news);
    // An effect may answer at once: one message after the other.
    if (isStepping) return;
    isStepping = true;
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const stepped = stepLoop(state, { ...next, at: surroundings.clock() });
      state = stepped.state;
      for (const effect of stepped.effects) perform(effect);
    }
    isStepping = false;
  };
  const perform = performer(order, send);
  send({ is: 'started' });
  return { id: loop.id, epoch: loop.epoch, meter: () => meterOf(state), send };
}

function performer(order: LoopOrder, send: SendNews): (effect: LoopEffect) => void {
  const { loop, place, surroundings } = order;
  const git = new AbortController();
  const waits = new Set<() => void>();
  let child: ChildDoor | null = null;
  let notifyCommitted: (events: readonly Event[]) => void = () => undefined;
  const orBreak = (work: Promise<void>): void =>
    void work.catch((error: unknown) => send({ is: 'broke', why: errorMessage(error) }));
  return (effect) => {
    switch (effect.is) {
      case 'ask':
        if (effect.ask.is === 'set-aside') notifyCommitted = tellAfter(effect.ask.record.events, place.sink);
        return void askRecord(order, effect.ask).then(
          (answer) => send({ is: 'answered', n: effect.n, answer }),
          (error: unknown) =>
            send({ is: 'failed', n: effect.n, ask: effect.ask, failure: failureOf(error, order.address) }),
        );
      case 'git':
        return orBreak(
          surroundings
            .runGit({ loop, place, order: effect.order, work: effect.work, signal: git.signal })
            .then((result) => send({ is: 'git', n: effect.n, result })),
        );
      case 'wait':
        return void waits.add(surroundings.after(effect.ms, () => send({ is: 'waited', n: effect.n })));
      case 'start-child': {
        notifyCommitted = tellAfter(effect.record.events, place.sink);
        const { record, until } = effect;
        child = surroundings.startChild({ loop, place, record, until }, send);
        return;
      }
      case 'tell-child':
        return child?.send(effect.message);
      case 'kill-child':
        return child?.kill();
      case 'abort-git':
        return git.abort();
      case 'end-lost-pass':
        return void endLostPass(order.database, loop).catch(() => undefined);
      case 'notify':
        // What people are told costs a loop nothing.
        return attempt(() => notifyCommitted(effect.events), undefined);
      case 'show':
        return place.tell(loop, effect.event);
      case 'tidy':
        return orBreak(
          surroundings
            .tidy(loop, place, effect.isRecorded, effect.lastPoint)
            .then(() => send({ is: 'tidied' })),
        );
      case 'end':
        for (const callOff of waits) callOff();
        return order.onEnd(effect.ended);
    }
  };
}

async function askRecord({ database, loop }: LoopOrder, ask: RecordAsk): Promise<RecordAnswer> {
  const hold: LoopHold = loop;
  switch (ask.is) {
    case 'load':
      return { is: 'loaded', record: await loadRecord(database, loop) };
    case 'begin-pass': {
      const shipped = await shipTaken(database, hold, ask.shipment, ask.base);
      return { is: 'begun', shipped, events: ask.shipment.events };
    }
    case 'holds-lease':
      return { is: 'lease', isHeld: await holdsLease(database, hold) };
    case 'permit-push':
      return {
        is: 'permit',
        permit: await permitPush(database, hold, ask.push, ask.known),
        push: ask.push,
      };
    case 'record-pass': {
      const shipped = await shipRecorded(database, hold, ask.shipment, ask.published, ask.used);
      return { is: 'recorded', shipped, events: ask.shipment.events };
    }
    case 'release': {
      const isReleased = await releaseLoop(database, hold, ask.shipment, ask.how);
      return { is: 'released', isReleased, events: ask.shipment?.events ?? [] };
    }
    case 'set-aside': {
      const shipment = await setAside(database, loop, ask.record, ask.why);
      return { is: 'released', isReleased: shipment !== 'lost', events: shipment === 'lost' ? [] : shipment };
    }
  }
}

function failureOf(error: unknown, address: Address): RecordFailure {
  const why = errorMessage(error);
  if (error instanceof UnfitRecord) return { is: 'unfit', why, isNewer: error.isNewer };
  return { is: explainDatabaseError(error, address)?.later === true ? 'away' : 'refused', why };
}
