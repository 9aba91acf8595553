/**
 * The shift of a worker: leases loops of the fleet, has each driven by a child of its own, and keeps their
 * leases. `worker-step.ts` decides, this performs. A database that is away for a while never ends it: its
 * passes stop in time, wait, and go on.
 */
import { errorMessage } from '#base/shape.ts';
import type { Address } from '../database/address.ts';
import { explainDatabaseError, type Database, type Sql } from '../database/database.ts';
import type { DatabaseLine } from '../database/line.ts';
import { concerns, type FleetWord } from '../database/words.ts';
import { leaseNextLoop, renewLeases, type WorkerProfile } from '../lease.ts';
import { runLeasedLoop, type LeasedLoop } from './leased-loop/run.ts';
import type { LoopSurroundings, WorkerPlace } from './leased-loop/surroundings.ts';
import { initialWorker, type WorkerPlan } from './worker-state.ts';
import type { Shift, WorkerEffect, WorkerNews, WorkerReport } from './worker-state.ts';
import { stepWorker } from './worker-step.ts';

const TICK_MS = 200;

export interface ShiftOrder extends WorkerProfile {
  readonly capacity: number;
  readonly shift: Shift;
  /** Aborted: hand the loops over after their passes. */
  readonly soon: AbortSignal;
  /** Aborted: hand them over at once. */
  readonly now: AbortSignal;
}

export interface ShiftWorld {
  readonly database: Database;
  readonly address: Address;
  readonly order: ShiftOrder;
  readonly report: (event: WorkerReport) => void;
  readonly placeOf: (loop: string) => WorkerPlace;
  /** Another worker of the same name may have left the fleet, and taken the row with it. */
  readonly register: (sql: Sql) => Promise<void>;
  /** Removes what loops have left here that ended elsewhere, but for those that are here. */
  readonly dropEnded: (isHere: (loop: string) => boolean) => Promise<void>;
  readonly surroundings: LoopSurroundings;
}

/** Until it is told to leave, or has worked for as long as it may. */
export async function runShift(world: ShiftWorld): Promise<void> {
  const { database, order, report, surroundings } = world;
  const { soon, now, leaseSeconds } = order;
  report({ is: 'ready' });
  await new Promise<void>((left) => {
    const line = database.openLine((word) => {
      if (concerns(word, order)) send(newsOf(word));
    });
    const plan = { ...order, leaseMs: leaseSeconds * 1_000 };
    const { send, close } = openMachine(plan, surroundings, (sendOn) => {
      const perform = performer(world, line, sendOn);
      return (effect) => {
        if (effect.is === 'report') report(effect.event);
        else if (effect.is === 'leave') end();
        else perform(effect);
      };
    });
    const drain = (when: 'at-once' | 'end-of-pass') => () => send({ is: 'drain', when });
    const signals = [
      [soon, drain('end-of-pass')],
      [now, drain('at-once')],
    ] as const;
    const end = () => {
      close();
      line.close();
      for (const [signal, heard] of signals) signal.removeEventListener('abort', heard);
      left();
    };
    for (const [signal, heard] of signals)
      if (signal.aborted) heard();
      else signal.addEventListener('abort', heard);
    send({ is: 'tick' });
  });
}

function newsOf(word: FleetWord): WorkerNews {
  switch (word.is) {
    case 'fenced':
      return { is: 'loop-fenced', loop: word.loop };
    case 'ready':
      return { is: 'loop-ready' };
    case 'drain':
      return { is: 'drain-asked' };
  }
}

type SendWorkerNews = (news: WorkerNews) => void;
type Perform = (effect: WorkerEffect) => void;

/** Steps with each message, one after the other, and on its own a few times a second. */
function openMachine(
  plan: WorkerPlan,
  { clock, after }: LoopSurroundings,
  perform: (send: SendWorkerNews) => Perform,
) {
  let state = initialWorker(plan, clock());
  const waiting: WorkerNews[] = [];
  let isStepping = false;
  const send: SendWorkerNews = (news) => {
    waiting.push(news);
    if (isStepping) return;
    isStepping = true;
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const stepped = stepWorker(state, { ...next, at: clock() });
      state = stepped.state;
      for (const effect of stepped.effects) performOne(effect);
    }
    isStepping = false;
  };
  const performOne = perform(send);
  let callOff = (): void => undefined;
  const tickOn = (): void => {
    callOff = after(TICK_MS, tickOn);
    send({ is: 'tick' });
  };
  callOff = after(TICK_MS, tickOn);
  return { send, close: () => callOff() };
}

/** `line`: for heartbeats, which must not wait behind other queries. */
function performer(world: ShiftWorld, line: DatabaseLine, send: SendWorkerNews): Perform {
  const { database, address, order, surroundings } = world;
  const loops = new Map<string, LeasedLoop>();
  const orAway = (from: 'beat' | 'lease', work: Promise<WorkerNews>): void =>
    void work.then(send, (error: unknown) => {
      const why = explainDatabaseError(error, address)?.message ?? errorMessage(error);
      send({ is: 'database-away', from, why });
    });
  const beat = async (sentAt: number): Promise<WorkerNews> => {
    const asked = new Map([...loops.values()].map(({ id, epoch }) => [id, epoch]));
    const meters = [...loops.values()].map((loop) => loop.meter());
    const { mine, isDraining } = await line.transaction(async (sql) => {
      const beaten = await renewLeases(sql, order, meters);
      if (!beaten.isEnrolled) await world.register(sql);
      return beaten;
    });
    return { is: 'beat', sentAt, answer: { asked, mine, isDraining } };
  };
  const lease = async (sentAt: number): Promise<WorkerNews> => ({
    is: 'leased',
    sentAt,
    loop: await leaseNextLoop(database, order),
  });
  return (effect) => {
    switch (effect.is) {
      case 'beat':
        return orAway('beat', beat(effect.sentAt));
      case 'lease':
        return orAway('lease', lease(effect.sentAt));
      case 'tidy':
        return void world
          .dropEnded((id) => loops.has(id))
          .catch(() => undefined)
          .then(() => send({ is: 'tidied' }));
      case 'start-loop': {
        const { loop, sentAt } = effect;
        const { id, epoch } = loop;
        const onEnd: Parameters<typeof runLeasedLoop>[0]['onEnd'] = (how) => {
          loops.delete(id);
          send({ is: 'loop-ended', loop: id, epoch, how });
        };
        const place = world.placeOf(id);
        loops.set(id, runLeasedLoop({ loop, sentAt, place, surroundings, database, address, onEnd }));
        return;
      }
      case 'tell-loop':
        return loops.get(effect.loop)?.send(effect.news);
      case 'wake':
        return void surroundings.after(effect.inMs, () => send({ is: 'tick' }));
      case 'report':
      case 'leave':
        return;
    }
  };
}
