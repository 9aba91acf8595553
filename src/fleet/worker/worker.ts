/**
 * A worker: leases loops of the fleet, has each driven by a child of its own, and keeps their leases.
 * `worker-step.ts` decides, this performs. A database that is away for a while never ends it: its passes stop
 * in time, wait, and go on.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { JOURNAL_VERSION } from '#law/record/events.ts';
import type { Granted, Refusal } from '#base/refusal.ts';
import { errorMessage } from '#base/shape.ts';
import type { RunEventBody } from '#engine/run-event.ts';
import type { Environment } from '#hosts/port/arrival.ts';
import { withoutDatabase } from '#base/process/database-variables.ts';
import type { Sink } from '#engine/notices/sink.ts';
import type { Address } from '../database/address.ts';
import { explain, openDatabase, type Database, type Sql } from '../database/database.ts';
import { renewLeases, patternOf, leaseNextLoop, type WorkerProfile } from '../lease.ts';
import type { DatabaseLine } from '../database/line.ts';
import { openNews, type TellingLoop } from '../look/news.ts';
import { findLoop } from '../record.ts';
import { readLeaseSeconds } from '../schema/lease.ts';
import { refuseSchema } from '../schema/version.ts';
import { refuseOwner } from '../database/worker-login.ts';
import { concerns, type FleetWord } from '../database/words.ts';
import { runLeasedLoop, type LeasedLoop, type WorkerPlace } from './leased-loop/run.ts';
import { sharedClock } from './protocol.ts';
import type { Lent } from './lent-files.ts';
import { dropEnded } from './tree.ts';
import { readShiftEnd, type LastLoop, type ShiftEnd } from './shift-end.ts';
import { initialWorker, type Shift, type WorkerPlan } from './worker-state.ts';
import type { WorkerEffect, WorkerNews, WorkerReport } from './worker-state.ts';
import { makeRooms, type Rooms } from './worker-rooms.ts';
import { stepWorker } from './worker-step.ts';

export type { LeaseEnd } from './leased-loop/state.ts';
export type { ShiftEnd } from './shift-end.ts';
export type { Shift } from './worker-state.ts';
export { findLent, type Lent } from './lent-files.ts';
export { openLoopHome } from './loop-home.ts';

const TICK_MS = 200;
/** How often a worker tries to register while the database is away. */
const ENROL_RETRY_MS = 1_000;

export interface WorkerOrder extends Omit<WorkerProfile, 'leaseSeconds'> {
  readonly machine: string;
  readonly version: string;
  readonly capacity: number;
  readonly shift: Shift;
  /** Whether it may be the owner of the database. */
  readonly mayOwn: boolean;
  /** The folder of all workers of this user. */
  readonly folder: string;
  readonly env: Environment;
  /** What each loop gets copies of, in a home of its own; null: loops have the home of the worker. */
  readonly lent: readonly Lent[] | null;
  /** Aborted: hand the loops over after their passes. */
  readonly soon: AbortSignal;
  /** Aborted: hand them over at once. */
  readonly now: AbortSignal;
  readonly tell: (event: WorkerEvent) => void;
  /** Tells people what became of a loop. */
  readonly sink: Sink;
}

export type WorkerEvent =
  | Exclude<WorkerReport, { is: 'ready' }>
  | {
      readonly is: 'ready';
      readonly worker: string;
      readonly hosts: readonly string[];
      readonly lease_seconds: number;
      /** The files of the worker's home that each loop gets copies of; null: loops share that home. */
      readonly lends: readonly string[] | null;
    };

/** What is the same for all loops of a worker. */
type SharedPlace = Omit<WorkerPlace, 'tree' | 'loopHome'>;

/** Until it is told to stop, or its shift is over. A refusal: it can't work with this database at all. */
export async function runWorker(
  order: WorkerOrder,
  address: Address,
): Promise<Granted<{ readonly end: ShiftEnd }>> {
  const database = await openDatabase(address);
  const now = () => new Date().toISOString();
  try {
    const enrolled = await enrol(database, order, address);
    if (enrolled === 'stopped') return { ok: true, end: { is: 'again', loop: order.loop, when: now() } };
    if (enrolled !== null) return enrolled;
    const found = order.loop === null ? null : await findLoop(database, order.loop);
    if (found?.ok === false) return found;
    const wanted = found?.id ?? null;
    const last = await workOn(database, { ...order, loop: wanted }, address);
    return { ok: true, end: await readShiftEnd(database, address, last, now()) };
  } finally {
    await database.close();
  }
}

/** Registers the worker, as soon as the database is there. */
async function enrol(
  database: Database,
  order: WorkerOrder,
  address: Address,
): Promise<Refusal | 'stopped' | null> {
  const { mayOwn, soon, tell, shift } = order;
  const startedAt = sharedClock();
  const isOver = () => shift.maxMs !== null && sharedClock() - startedAt >= shift.maxMs;
  for (let isTold = false; ; isTold = true) {
    if (soon.aborted || isOver()) return 'stopped';
    try {
      const refusal = (await refuseSchema(database)) ?? (mayOwn ? null : await refuseOwner(database));
      if (refusal !== null) return refusal;
      await register(database, order);
      return null;
    } catch (error) {
      const refusal = explain(error, address);
      if (refusal === null) throw error;
      if (!refusal.later) return refusal;
      if (!isTold) tell({ is: 'waits', for: 'database', why: refusal.message });
      await sleep(ENROL_RETRY_MS, undefined, { signal: soon }).catch(() => undefined);
    }
  }
}

async function register(
  sql: Sql,
  { name, machine, labels, capacity, version, hosts, accept }: WorkerOrder,
): Promise<void> {
  await sql.query('select dacapo.enrol_worker($1, $2, $3, $4, $5, $6, $7, $8)', [
    name,
    machine,
    labels,
    capacity,
    version,
    JOURNAL_VERSION,
    hosts,
    accept.map(patternOf),
  ]);
}

async function workOn(database: Database, order: WorkerOrder, address: Address): Promise<LastLoop> {
  const { name, hosts, soon, now, tell } = order;
  let last: LastLoop = { loop: order.loop, how: null };
  const leaseSeconds = await readLeaseSeconds(database);
  const rooms = makeRooms(order.folder, name);
  const news = openNews(database);
  const lends = order.lent?.map(({ to }) => to) ?? null;
  const ready = { is: 'ready', worker: name, hosts, lease_seconds: leaseSeconds, lends } as const;
  const report = (event: WorkerReport) => {
    if (event.is === 'ends-loop') last = event;
    tell(event.is === 'ready' ? ready : event);
  };
  const place: SharedPlace = {
    name,
    home: rooms.home.dir,
    mirrors: rooms.mirrors,
    hosts,
    env: withoutDatabase(order.env),
    leaseMs: leaseSeconds * 1_000,
    tell: (loop: TellingLoop, event: RunEventBody) =>
      news.tell(loop, { at: new Date().toISOString(), ...event }),
    sink: order.sink,
  };
  report({ is: 'ready' });
  await new Promise<void>((left) => {
    const line = database.openLine((word) => {
      if (concerns(word, order)) send(newsOf(word));
    });
    const { send, close } = openMachine({ ...order, leaseMs: place.leaseMs }, (sendOn) => {
      const world = { database, line, address, order, leaseSeconds, rooms, place };
      const perform = performer(world, sendOn);
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
  await news.close();
  await database.query('select dacapo.leave_fleet($1)', [name]).catch(() => undefined);
  return last;
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

type SendNews = (news: WorkerNews) => void;
type Perform = (effect: WorkerEffect) => void;

/** Steps with each message, one after the other, and on its own a few times a second. */
function openMachine(plan: WorkerPlan, perform: (send: SendNews) => Perform) {
  let state = initialWorker(plan, sharedClock());
  const waiting: WorkerNews[] = [];
  let isStepping = false;
  const send: SendNews = (news) => {
    waiting.push(news);
    if (isStepping) return;
    isStepping = true;
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const stepped = stepWorker(state, { ...next, at: sharedClock() });
      state = stepped.state;
      for (const effect of stepped.effects) performOne(effect);
    }
    isStepping = false;
  };
  const performOne = perform(send);
  const clock = setInterval(() => send({ is: 'tick' }), TICK_MS);
  return { send, close: () => clearInterval(clock) };
}

interface WorkerWorld {
  readonly database: Database;
  /** For heartbeats, which must not wait behind other queries. */
  readonly line: DatabaseLine;
  readonly address: Address;
  readonly order: WorkerOrder;
  readonly leaseSeconds: number;
  readonly rooms: Rooms;
  readonly place: SharedPlace;
}

function performer(world: WorkerWorld, send: SendNews): Perform {
  const { database, line, address, order, leaseSeconds, rooms, place } = world;
  const taker: WorkerProfile = { ...order, leaseSeconds };
  const loops = new Map<string, LeasedLoop>();
  const orAway = (from: 'beat' | 'lease', work: Promise<WorkerNews>): void =>
    void work.then(send, (error: unknown) => {
      const why = explain(error, address)?.message ?? errorMessage(error);
      send({ is: 'database-away', from, why });
    });
  const beat = async (sentAt: number): Promise<WorkerNews> => {
    const asked = new Map([...loops.values()].map(({ id, epoch }) => [id, epoch]));
    const meters = [...loops.values()].map((loop) => loop.meter());
    const { mine, isDraining } = await line.transaction(async (sql) => {
      const beaten = await renewLeases(sql, taker, meters);
      if (!beaten.isEnrolled) await register(sql, order);
      return beaten;
    });
    return { is: 'beat', sentAt, answer: { asked, mine, isDraining } };
  };
  const lease = async (sentAt: number): Promise<WorkerNews> => ({
    is: 'leased',
    sentAt,
    loop: await leaseNextLoop(database, taker),
  });
  return (effect) => {
    switch (effect.is) {
      case 'beat':
        return orAway('beat', beat(effect.sentAt));
      case 'lease':
        return orAway('lease', lease(effect.sentAt));
      case 'tidy':
        return void dropEnded(database, rooms, (id) => loops.has(id))
          .catch(() => undefined)
          .then(() => send({ is: 'tidied' }));
      case 'start-loop': {
        const { loop, sentAt } = effect;
        const { id, epoch } = loop;
        const onEnd: Parameters<typeof runLeasedLoop>[0]['onEnd'] = (how) => {
          loops.delete(id);
          send({ is: 'loop-ended', loop: id, epoch, how });
        };
        const { lent } = order;
        const loopHome = lent === null ? null : { dir: join(rooms.homes, id), lent };
        const own = { ...place, tree: join(rooms.trees, id), loopHome };
        loops.set(id, runLeasedLoop({ loop, sentAt, place: own, database, address, onEnd }));
        return;
      }
      case 'tell-loop':
        return loops.get(effect.loop)?.send(effect.news);
      case 'wake':
        return void setTimeout(() => send({ is: 'tick' }), effect.inMs);
      case 'report':
      case 'leave':
        return;
    }
  };
}
