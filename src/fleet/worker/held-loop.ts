/**
 * One loop in the hands of this worker: its child, what the child asks to settle, and the clock of its lease. When the
 * clock runs out, the child stops its pass until the record answers: the epoch, not the clock, says whose the loop is. When
 * it is another's, the child is killed, and everything it has started with it.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Event, Used } from '../../core/record/events.ts';
import { attempt, errorMessage } from '../../core/shape.ts';
import type { RunEventBody } from '../../fresh/run-event.ts';
import type { Environment } from '../../hosts/arrival.ts';
import type { Sink } from '../../sinks/sink.ts';
import { keepTail } from '../../process/output.ts';
import { homeAt } from '../../store/file/home.ts';
import { clearCopy } from '../../store/file/loops.ts';
import { UnfitRecord } from '../codec/rows.ts';
import { explain, type Database } from '../database.ts';
import type { Address } from '../address.ts';
import { bring, type Meter, type TakenLoop } from '../lease.ts';
import type { TellingLoop } from '../news.ts';
import { permitPush } from '../pushed.ts';
import { isOurs, letGo, shipRecorded, shipTaken, tellAfter } from '../ship.ts';
import type { LoopHold, Published, Release, Shipment, Shipped } from '../ship.ts';
import { sharedClock, type FromChild, type Settle, type ToChild } from './protocol.ts';
import { prunePoints, publish } from './publish.ts';
import { dropTree, type TreePlace } from './tree.ts';

const CHILD = join(import.meta.dirname, 'driven.js');
/** Before the lease is over, the pass has to stand still, or to be over: a host that does not end by itself gets so long. */
const MARGIN_MS = 4_000;
/** A child stops its pass within a second. One that does not is killed. */
const FREEZE_MS = 2_000;
/** A child ends its pass within a second when told to. After this time it is killed, and the watchdog ends the pass. */
const STOP_MS = 2_000;
const AGAIN_MS = 500;
const COMPLAINT = 2_000;
/** A push that fails is tried again for about a minute. Then the pass is given up. */
const PUSHES = 6;

const NOTHING: Used = { costUsd: 0, tokens: 0 };

export interface WorkerPlace extends TreePlace {
  readonly name: string;
  /** The home of the children. */
  readonly home: string;
  /** Without any way to the database. */
  readonly env: Environment;
  readonly leaseMs: number;
  /** What the agent does now. */
  readonly tell: (loop: TellingLoop, event: RunEventBody) => void;
  /** Is told what became true of a loop. */
  readonly sink: Sink;
}

export type HeldLoop = ReturnType<typeof holdLoop>;

/** Why a loop left this worker, for its log. */
export type Ended = { readonly is: 'lost' } | ({ readonly is: 'let-go' } & Release);

export function holdLoop(
  taken: TakenLoop,
  sentAt: number,
  place: WorkerPlace,
  database: Database,
  address: Address,
) {
  const { id, epoch, key } = taken;
  const hold: LoopHold = { id, epoch, key };
  const usableMs = place.leaseMs - MARGIN_MS;
  let renewedAt = sentAt;
  let child: ChildProcess | null = null;
  let exited: Promise<unknown> = Promise.resolve();
  let isInPass = false;
  let isDraining = false;
  let isLost = false;
  /** The child has stopped its pass, as it heard nothing of its lease. */
  let stands = false;
  let isOver = false;
  /** Aborted: git is ended where it is. */
  const ended = new AbortController();
  /** What the database last said no with. */
  let trouble = '';
  let base = taken.base;
  let { head, point_ref: pointRef } = taken;
  /** What the loop had used when its pass began, and what that pass has used so far. */
  let atPass = NOTHING;
  let used = NOTHING;
  let isTrue: (events: readonly Event[]) => void = () => undefined;
  let resolve: (ended: Ended) => void = () => undefined;
  const over = new Promise<Ended>((done) => (resolve = done));

  const say = (message: ToChild) => {
    if (child?.connected === true) child.send(message, () => undefined);
  };
  /** Resolves when the pass is gone, with everything that it has started. */
  const end = async () => {
    isOver = true;
    ended.abort();
    say({ is: 'stop' });
    const late = setTimeout(() => child?.kill('SIGKILL'), STOP_MS);
    await exited;
    clearTimeout(late);
  };
  const lose = async () => {
    isLost = true;
    if (isOver) return;
    await end();
    resolve({ is: 'lost' });
  };
  /** The child ends first: nobody else may have the loop while it works. */
  const release = async (shipment: Shipment | null, how: Release) => {
    if (isOver) return;
    await end();
    const isLetGo = await persist(() => letGo(database, hold, shipment, how));
    if (isLetGo === true && shipment !== null) isTrue(shipment.events);
    if (how.until === null) {
      if (isLetGo === true && pointRef !== null) await prunePoints(taken, pointRef, place.tree);
      dropTree(place.tree);
      // What was not shipped is nowhere else.
      if (isLetGo === true) clearCopy(homeAt(place.home), id);
    }
    resolve(isLetGo === true ? { is: 'let-go', ...how } : { is: 'lost' });
  };

  /** Asks the database until it answers. Null: it never will, because of what we ask. */
  async function persist<T>(ask: () => Promise<T>): Promise<T | null> {
    for (;;) {
      try {
        return await ask();
      } catch (error) {
        if (error instanceof UnfitRecord) throw error;
        // However long the database is away: until it answers, nobody else has the loop, or we can't know.
        const isLeaving = isDraining && sharedClock() - renewedAt > place.leaseMs;
        if (explain(error, address)?.later !== true || isLost || isLeaving) {
          trouble = errorMessage(error);
          return null;
        }
        await sleep(AGAIN_MS);
      }
    }
  }

  async function settle({ barrier, shipment, base: begunAt, point }: Settle): Promise<void> {
    base ??= begunAt;
    if (barrier === 'taken') {
      if (isDraining) return release(null, { until: 'now' });
      const { cost_usd: costUsd, tokens } = shipment.summary.report;
      atPass = { costUsd, tokens };
      used = NOTHING;
      isInPass = true;
      const shipped = await persist(() => shipTaken(database, hold, shipment, base));
      if (shipped?.is === 'ours') isTrue(shipment.events);
      return answer(shipped);
    }
    const published = await publishWork(point);
    if (typeof published === 'string') return release(null, { until: 'later', why: published });
    if (isOver) return;
    head = published.head ?? head;
    pointRef = published.point_ref ?? pointRef;
    const { cost_usd, tokens } = shipment.summary.report;
    const total = { costUsd: cost_usd - atPass.costUsd, tokens: tokens - atPass.tokens };
    const shipped = await persist(() => shipRecorded(database, hold, shipment, published, total));
    if (shipped?.is === 'ours') isTrue(shipment.events);
    isInPass = false;
    used = NOTHING;
    if (isDraining && shipped?.is === 'ours') return release(null, { until: 'now' });
    return answer(shipped);
  }

  function answer(shipped: Shipped | null): Promise<void> | void {
    if (isOver) return;
    if (shipped === null) return release(null, { until: 'later', why: trouble });
    if (shipped.is === 'lost') return void lose();
    // It stays ready: whoever has a free place takes it when its account has room.
    if (shipped.is === 'refused') return release(null, { until: 'now' });
    say({ is: 'settled', as: 'ours', mostUsd: shipped.mostUsd, inbox: shipped.inbox });
  }

  /** The point before its verdict: a counted iteration whose files are lost would be worse than one that is repeated. */
  async function publishWork(point: string | null): Promise<Published | string> {
    if (point === null) return { head: null, point: null, point_ref: null };
    const store = join(place.home, 'loops', id, 'git');
    for (let n = 0; ; n++) {
      // Neither a zombie nor the worker of a cancelled loop may push, also where it has not heard of that yet.
      const isOwn = await persist(() => isOurs(database, hold));
      if (isOver || isOwn !== true) return 'its lease was over before its work was published';
      const published = await publish({
        loop: { ...taken, base, head },
        tree: place.tree,
        store,
        point,
        mayPush: async (push) =>
          (await persist(() => permitPush(database, hold, push, [base, head, push.to]))) ?? 'lost',
        signal: ended.signal,
      });
      if (published.ok) return published;
      if (isOver || n === PUSHES) return published.message;
      await sleep(AGAIN_MS * 2 ** n);
    }
  }

  async function begin(): Promise<void> {
    const brought = await persist(() => bring(database, taken));
    if (isOver) return;
    if (brought === null) return release(null, { until: 'later', why: trouble });
    const tellPeople = tellAfter(brought.events, place.sink);
    // What people are told costs a loop nothing.
    isTrue = (events) => attempt(() => tellPeople(events), undefined);
    child = fork(CHILD, [], {
      env: { ...place.env, DACAPO_HOME: place.home },
      execArgv: [],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    const complaint = child.stderr === null ? () => '' : keepTail(child.stderr, COMPLAINT);
    child.on('error', () => undefined);
    child.on('message', (message: FromChild) => atOwnCost(hear(message)));
    exited = once(child, 'exit');
    const why = (how: string) => `its driver ended (${how}) ${complaint()}`.trim();
    child.on('exit', (code, signal) =>
      atOwnCost(release(null, { until: 'later', why: why(`${signal ?? code}`) })),
    );
    const { mirrors, tree } = place;
    // What opens the record stays here.
    say({ is: 'order', taken: { ...taken, key: '' }, brought, mirrors, tree, until: renewedAt + usableMs });
  }

  async function hear(message: FromChild): Promise<void> {
    if (message.is === 'tell') place.tell(taken, message.event);
    if (isOver) return;
    if (message.is === 'tell' && message.event.is === 'usage') {
      const { costUsd, tokens } = message.event;
      used = {
        costUsd: Math.max(0, (costUsd ?? 0) - atPass.costUsd),
        tokens: Math.max(0, tokens - atPass.tokens),
      };
    }
    if (message.is === 'stands') stands = true;
    if (message.is === 'settle') await settle(message);
    if (message.is === 'done') await release(message.shipment, message.release);
  }

  /** Whatever goes wrong with one loop costs this loop: the worker goes on with the others. */
  function atOwnCost(work: Promise<void>): void {
    const give = async (error: unknown): Promise<void> => {
      const isSpoilt = !(error instanceof UnfitRecord && error.isNewer);
      await release(null, { until: 'later', why: errorMessage(error), isSpoilt });
      // It may be what ended the loop here that went wrong.
      await exited;
      resolve({ is: 'lost' });
    };
    void work.catch(give).catch(() => resolve({ is: 'lost' }));
  }

  atOwnCost(begin());
  return {
    id,
    epoch,
    meter: (): Meter => ({ ...hold, ...used }),
    /** The lease was renewed by a heartbeat that was sent at this moment of the shared clock. */
    renewed: (sent: number): void => {
      renewedAt = Math.max(renewedAt, sent);
      stands = false;
      say({ is: 'lease', until: renewedAt + usableMs });
    },
    /** Ends it if the lease may be over soon and its pass goes on, or nobody will wait for the database. */
    look: (): void => {
      const isLate = sharedClock() - renewedAt > usableMs + FREEZE_MS;
      if (isLate && (!stands || isDraining)) atOwnCost(release(null, { until: 'now' }));
    },
    /** The loop is another's now. */
    lose: () => atOwnCost(lose()),
    drain: (at: 'once' | 'end-of-pass'): void => {
      isDraining = true;
      if (at === 'once' || !isInPass) atOwnCost(release(null, { until: 'now' }));
    },
    over,
  };
}
