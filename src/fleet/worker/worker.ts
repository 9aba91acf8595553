/**
 * A worker, from its registration to its leave: on this machine, with folders, processes and git. What it
 * does in between is in `shift.ts`.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { JOURNAL_VERSION } from '#law/record/events.ts';
import type { Granted } from '#base/refusal.ts';
import type { RunEventBody } from '#engine/run-event.ts';
import type { Environment } from '#hosts/port/arrival.ts';
import { withoutDatabase } from '#base/process/database-variables.ts';
import type { Sink } from '#engine/notices/sink.ts';
import type { Address } from '../database/address.ts';
import { explainDatabaseError, openDatabase, type Database, type Sql } from '../database/database.ts';
import { patternOfGlob, type WorkerProfile } from '../lease.ts';
import { openNews, type TellingLoop } from '../look/news.ts';
import { findLoop } from '../record.ts';
import { readLeaseSeconds } from '../schema/lease.ts';
import { refuseSchema } from '../schema/version.ts';
import { refuseOwner } from '../database/worker-login.ts';
import { LOOP_SURROUNDINGS, type WorkerPlace } from './leased-loop/surroundings.ts';
import { sharedClock } from './protocol.ts';
import type { LentFile } from './lent-files.ts';
import { dropEnded } from './tree.ts';
import { readShiftEnd, type LastLoop, type ShiftEnd } from './shift-end.ts';
import { runShift } from './shift.ts';
import type { Shift, WorkerReport } from './worker-state.ts';
import { makeRooms } from './worker-rooms.ts';

export type { LeaseEnd } from './leased-loop/state.ts';
export type { ShiftEnd } from './shift-end.ts';
export type { Shift } from './worker-state.ts';
export { findLent, type LentFile as Lent } from './lent-files.ts';
export { openLoopHome } from './loop-home.ts';

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
  readonly lent: readonly LentFile[] | null;
  /** Aborted: hand the loops over after their passes. */
  readonly soon: AbortSignal;
  /** Aborted: hand them over at once. */
  readonly now: AbortSignal;
  readonly tell: (event: WorkerEvent) => void;
  /** Tells people what became of a loop. */
  readonly sink: Sink;
}

type WorkerIdentity = Pick<
  WorkerOrder,
  'name' | 'machine' | 'labels' | 'capacity' | 'version' | 'hosts' | 'accept'
>;

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
    if (!enrolled.ok) return enrolled;
    const last = await workOn(database, { ...order, ...enrolled }, address);
    return { ok: true, end: await readShiftEnd(database, address, last, now()) };
  } finally {
    await database.close();
  }
}

/** What a worker knows when it is registered. `loop`: the whole id of the one that it was started for. */
interface Enrolled {
  readonly leaseSeconds: number;
  readonly loop: string | null;
}

/** Registers the worker, as soon as the database is there and stays for all questions before its shift. */
async function enrol(
  database: Database,
  order: WorkerOrder,
  address: Address,
): Promise<Granted<Enrolled> | 'stopped'> {
  const { soon, tell, shift } = order;
  const startedAt = sharedClock();
  const isOver = () => shift.maxMs !== null && sharedClock() - startedAt >= shift.maxMs;
  for (let isTold = false; ; isTold = true) {
    if (soon.aborted || isOver()) return 'stopped';
    try {
      return await tryToEnrol(database, order);
    } catch (error) {
      const refusal = explainDatabaseError(error, address);
      if (refusal === null) throw error;
      if (!refusal.later) return refusal;
      if (!isTold) tell({ is: 'waits', for: 'database', why: refusal.message });
      await sleep(ENROL_RETRY_MS, undefined, { signal: soon }).catch(() => undefined);
    }
  }
}

async function tryToEnrol(database: Database, order: WorkerOrder): Promise<Granted<Enrolled>> {
  const refusal = (await refuseSchema(database)) ?? (order.mayOwn ? null : await refuseOwner(database));
  if (refusal !== null) return refusal;
  await registerWorker(database, order);
  const found = order.loop === null ? null : await findLoop(database, order.loop);
  if (found?.ok === false) return found;
  return { ok: true, leaseSeconds: await readLeaseSeconds(database), loop: found?.id ?? null };
}

export async function registerWorker(
  sql: Sql,
  { name, machine, labels, capacity, version, hosts, accept }: WorkerIdentity,
): Promise<void> {
  await sql.query('select dacapo.enrol_worker($1, $2, $3, $4, $5, $6, $7, $8)', [
    name,
    machine,
    labels,
    capacity,
    version,
    JOURNAL_VERSION,
    hosts,
    accept.map(patternOfGlob),
  ]);
}

async function workOn(
  database: Database,
  order: WorkerOrder & Enrolled,
  address: Address,
): Promise<LastLoop> {
  const { name, hosts, tell, lent, leaseSeconds } = order;
  let last: LastLoop = { loop: order.loop, how: null };
  const rooms = makeRooms(order.folder, name);
  const { home, trees, mirrors, homes } = rooms;
  const env = withoutDatabase(order.env);
  const news = openNews(database);
  const lends = lent?.map(({ to }) => to) ?? null;
  const ready = { is: 'ready', worker: name, hosts, lease_seconds: leaseSeconds, lends } as const;
  const report = (event: WorkerReport) => {
    if (event.is === 'ends-loop') last = event;
    tell(event.is === 'ready' ? ready : event);
  };
  const placeOf = (id: string): WorkerPlace => ({
    name,
    home: home.dir,
    mirrors,
    hosts,
    tree: join(trees, id),
    loopHome: lent === null ? null : { dir: join(homes, id), lent },
    env,
    leaseMs: leaseSeconds * 1_000,
    tell: (loop: TellingLoop, event: RunEventBody) =>
      news.tell(loop, { at: new Date().toISOString(), ...event }),
    sink: order.sink,
  });
  await runShift({
    database,
    address,
    order,
    report,
    placeOf,
    register: (sql) => registerWorker(sql, order),
    dropEnded: (isHere) => dropEnded(database, rooms, isHere),
    surroundings: LOOP_SURROUNDINGS,
  });
  await news.close();
  await database.query('select dacapo.leave_fleet($1)', [name]).catch(() => undefined);
  return last;
}
