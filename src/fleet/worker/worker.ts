/**
 * A worker: takes loops from the fleet, has each driven by a child of its own, and keeps their leases. A database that is
 * away for a while never ends it: it ends its passes in time, waits, and goes on.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { JOURNAL_VERSION } from '../../core/record/events.ts';
import { errorMessage } from '../../core/shape.ts';
import type { RunEventBody } from '../../fresh/run-event.ts';
import type { Refusal } from '../../core/refusal.ts';
import type { Environment } from '../../hosts/arrival.ts';
import type { Sink } from '../../sinks/sink.ts';
import { openBell } from '../../operations/look/follow.ts';
import { homeAt, makePrivateFolder, replaceFile } from '../../store/file/home.ts';
import { withoutDatabase } from '../../process/database-variables.ts';
import type { Address } from '../address.ts';
import { explain, openDatabase, type Database } from '../database.ts';
import { heartbeat, patternOf, take, type Taker } from '../lease.ts';
import { openNews, type TellingLoop } from '../news.ts';
import { leaseOf, refuseSchema } from '../schema.ts';
import { judgeWorkerRole, type WorkerRole } from '../worker-login.ts';
import { holdLoop, type Ended, type HeldLoop } from './held-loop.ts';
import { sharedClock } from './protocol.ts';
import { dropEnded, dropHalfMirrors } from './tree.ts';

/** How often a worker shows that it lives, and looks for work. Words of the database come in between. */
const BEAT_MS = 1_000;
const LOOK_MS = 200;
/** Words within this time are answered by one look at the record. */
const WORD_MS = 20;
/** After an outage the others have to renew their leases before anybody takes what they work on. Their queries may hang. */
const RETURN_MS = 7_000;
/** How often a worker looks whether loops that it let go have ended. What can't be removed only takes room. */
const TIDY_MS = 600_000;

export interface WorkerOrder extends Omit<Taker, 'leaseSeconds'> {
  readonly machine: string;
  readonly version: string;
  readonly capacity: number;
  /** Whether it may be the owner of the database. */
  readonly mayOwn: boolean;
  /** The folder of all workers of this user. */
  readonly folder: string;
  readonly env: Environment;
  /** Aborted: hand the loops over after their passes. */
  readonly soon: AbortSignal;
  /** Aborted: hand them over at once. */
  readonly now: AbortSignal;
  readonly tell: (event: WorkerEvent) => void;
  /** Tells people what became of a loop. */
  readonly sink: Sink;
}

export type WorkerEvent =
  | {
      readonly is: 'ready';
      readonly worker: string;
      readonly hosts: readonly string[];
      readonly lease_seconds: number;
      /** What the one who has started it should know. */
      readonly warning?: string;
    }
  | { readonly is: 'waits'; readonly for: 'database'; readonly why: string }
  | { readonly is: 'takes'; readonly loop: string; readonly epoch: number }
  | { readonly is: 'ends-loop'; readonly loop: string; readonly how: Ended }
  | { readonly is: 'drains' };

/** Until it is told to stop. A refusal: it can't work with this database at all. */
export async function runWorker(order: WorkerOrder, address: Address): Promise<Refusal | null> {
  const database = await openDatabase(address);
  try {
    const enrolled = await enrol(database, order, address);
    if (enrolled === 'stopped') return null;
    return 'ok' in enrolled ? enrolled : await workOn(database, order, address, enrolled);
  } finally {
    await database.close();
  }
}

/** Registers the worker, as soon as the database is there. */
async function enrol(
  database: Database,
  { name, machine, version, labels, hosts, accept, capacity, mayOwn, soon, tell }: WorkerOrder,
  address: Address,
): Promise<Refusal | 'stopped' | WorkerRole> {
  for (let isTold = false; ; isTold = true) {
    if (soon.aborted) return 'stopped';
    try {
      const refusal = await refuseSchema(database);
      if (refusal !== null) return refusal;
      const role = mayOwn ? { warning: null } : await judgeWorkerRole(database);
      if ('ok' in role) return role;
      await database.query('select dacapo.enrol_worker($1, $2, $3, $4, $5, $6, $7, $8)', [
        name,
        machine,
        labels,
        capacity,
        version,
        JOURNAL_VERSION,
        hosts,
        accept.map(patternOf),
      ]);
      return role;
    } catch (error) {
      const refusal = explain(error, address);
      if (refusal === null) throw error;
      if (!refusal.later) return refusal;
      if (!isTold) tell({ is: 'waits', for: 'database', why: refusal.message });
      await sleep(BEAT_MS, undefined, { signal: soon }).catch(() => undefined);
    }
  }
}

async function workOn(
  database: Database,
  order: WorkerOrder,
  address: Address,
  { warning }: WorkerRole,
): Promise<Refusal | null> {
  const { name, hosts, capacity, folder, env, soon, now, tell, sink } = order;
  const leaseSeconds = await leaseOf(database);
  const taker: Taker = { ...order, leaseSeconds };
  const own = join(folder, 'workers', name);
  const trees = join(own, 'trees');
  const home = homeAt(join(own, 'home'));
  makePrivateFolder(home.dir);
  // People are told by the worker, when a thing is true: its children and their hooks tell nobody.
  replaceFile(home.config, '{"notifyEvents":[]}\n');
  const mirrors = join(folder, 'mirrors');
  dropHalfMirrors(mirrors);
  const news = openNews(database);
  const place = {
    name,
    home: home.dir,
    mirrors,
    env: withoutDatabase(env),
    leaseMs: leaseSeconds * 1_000,
    tell: (loop: TellingLoop, event: RunEventBody) =>
      news.tell(loop, { at: new Date().toISOString(), ...event }),
    sink,
  };
  const held = new Map<string, HeldLoop>();
  let isDraining = false;
  const bell = openBell();
  const drain = () => {
    if (isDraining) return;
    isDraining = true;
    tell({ is: 'drains' });
    for (const loop of held.values()) loop.drain('end-of-pass');
    bell.ring();
  };
  soon.addEventListener('abort', drain);
  now.addEventListener('abort', () => {
    for (const loop of held.values()) loop.drain('once');
  });
  if (soon.aborted) drain();

  const unlisten = database.listen((word) => {
    if (word.is === 'fenced') beatSoon(word.loop);
    else if (word.is === 'ready' || word.worker === name) bell.ring();
  });
  const clock = setInterval(() => {
    for (const loop of held.values()) loop.look();
  }, LOOK_MS);

  const beat = async () => {
    const sent = sharedClock();
    const asked = [...held.values()];
    const meters = asked.map((loop) => loop.meter());
    const { mine, draining } = await heartbeat(database, taker, meters);
    for (const loop of asked)
      if (mine.has(loop.id)) loop.renewed(sent);
      else loop.lose();
    if (draining) drain();
  };

  // Anybody may say that a loop was fenced, as often as they like. The record knows.
  let isAsked = false;
  let looking: Promise<void> | null = null;
  const beatSoon = (id: string): void => {
    if (!held.has(id)) return;
    isAsked = true;
    looking ??= (async () => {
      for (; isAsked; await sleep(WORD_MS, undefined, { ref: false })) {
        isAsked = false;
        await beat().catch(() => undefined);
      }
      looking = null;
    })();
  };

  let tidyAt = 0;
  const fill = async () => {
    if (Date.now() >= tidyAt) {
      tidyAt = Date.now() + TIDY_MS;
      await dropEnded(database, trees, home, (id) => held.has(id)).catch(() => undefined);
    }
    while (held.size < capacity && !isDraining) {
      const sent = sharedClock();
      const taken = await take(database, taker);
      if (taken === null) return;
      const { id, epoch } = taken;
      // A person may have paused and resumed it: the pass that is just ending works in the same tree.
      await held.get(id)?.over;
      tell({ is: 'takes', loop: id, epoch });
      const loop = holdLoop(taken, sent, { ...place, tree: join(trees, id) }, database, address);
      held.set(id, loop);
      void loop.over.then((how) => {
        if (held.get(id) === loop) held.delete(id);
        tell({ is: 'ends-loop', loop: id, how });
        bell.ring();
      });
      if (isDraining) loop.drain('end-of-pass');
    }
  };

  const told = warning === null ? {} : { warning };
  const ready = { is: 'ready', worker: name, hosts, lease_seconds: leaseSeconds, ...told } as const;
  tell(ready);
  let filling: Promise<void> | null = null;
  let mayTakeAt = 0;
  for (let isAway = false; !isDraining || held.size > 0 || filling !== null;) {
    try {
      await beat();
      // To take a loop may last: the others need their next heartbeat.
      if (isAway) mayTakeAt = Date.now() + RETURN_MS;
      if (Date.now() >= mayTakeAt) filling ??= fill().finally(() => (filling = null));
      await Promise.race([filling, sleep(BEAT_MS, undefined, { ref: false })]);
      if (isAway) tell(ready);
      isAway = false;
    } catch (error) {
      if (!isAway)
        tell({ is: 'waits', for: 'database', why: explain(error, address)?.message ?? errorMessage(error) });
      isAway = true;
    }
    if (await bell.sleep(BEAT_MS)) await sleep(WORD_MS);
  }
  clearInterval(clock);
  unlisten();
  await news.close();
  soon.removeEventListener('abort', drain);
  await database.query('select dacapo.leave_fleet($1)', [name]).catch(() => undefined);
  return null;
}
