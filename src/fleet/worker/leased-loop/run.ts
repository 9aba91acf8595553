/** Performs what `stepLoop` decides for one leased loop, and tells it what came of that. */
import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import type { Event } from '#law/record/events.ts';
import { attempt, errorMessage } from '#base/shape.ts';
import type { RunEventBody } from '#engine/run-event.ts';
import type { Environment } from '#hosts/port/arrival.ts';
import { keepTail } from '#base/process/output.ts';
import type { Sink } from '#engine/notices/sink.ts';
import { homeAt } from '#store/file/home.ts';
import { clearCopy } from '#store/file/loops.ts';
import { resetState } from '../worker-rooms.ts';
import type { Address } from '../../database/address.ts';
import { UnfitRecord } from '../../codec/rows.ts';
import { explain, type Database } from '../../database/database.ts';
import { loadRecord, type Meter, type LeasedRow } from '../../lease.ts';
import type { TellingLoop } from '../../look/news.ts';
import { permitPush } from '../../pushed.ts';
import { setAside } from '../../set-aside.ts';
import { holdsLease, releaseLoop, shipRecorded, shipTaken, tellAfter, type LoopHold } from '../../ship.ts';
import { sharedClock, type FromChild, type ToChild } from '../protocol.ts';
import { prunePoints, pushBranch, pushPoint, readBranch } from '../publish.ts';
import type { Lent } from '../lent-files.ts';
import { dropLoopHome, openLoopHome, sharedHome, type LoopHome } from '../loop-home.ts';
import { dropTree, type TreePlace } from '../tree.ts';
import type { LeaseEnd, GitOrder, GitResult, LoopEffect, LoopNews, RecordAnswer } from './state.ts';
import type { RecordAsk, RecordFailure, Work } from './state.ts';
import { initialState, meterOf } from './state.ts';
import { stepLoop } from './step.ts';

const CHILD_PROGRAM = join(import.meta.dirname, 'driven.cjs');
/** Of what a child printed before it died. */
const MAX_COMPLAINT_BYTES = 2_000;

export interface WorkerPlace extends TreePlace {
  readonly name: string;
  /** The home of the children. */
  readonly home: string;
  /** Those whose agents can work here, and the commands of agents that the worker's owner has given. */
  readonly hosts: readonly string[];
  /** Without any way to the database. */
  readonly env: Environment;
  /** The home of what the loop runs, and what it gets copies of; null: it has the worker's home. */
  readonly loopHome: { readonly dir: string; readonly lent: readonly Lent[] } | null;
  readonly leaseMs: number;
  /** What the agent does now. */
  readonly tell: (loop: TellingLoop, event: RunEventBody) => void;
  /** Is told what became true of a loop. */
  readonly sink: Sink;
}

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
  readonly database: Database;
  readonly address: Address;
  readonly onEnd: (ended: LeaseEnd) => void;
}

export function runLeasedLoop(order: LoopOrder): LeasedLoop {
  const { loop, sentAt, place } = order;
  let state = initialState(loop, sentAt, place.leaseMs);
  const waiting: LoopNews[] = [];
  let isStepping = false;
  const send = (news: LoopNews): void => {
    waiting.push(news);
    // An effect may answer at once: one message after the other.
    if (isStepping) return;
    isStepping = true;
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const stepped = stepLoop(state, { ...next, at: sharedClock() });
      state = stepped.state;
      for (const effect of stepped.effects) perform(effect);
    }
    isStepping = false;
  };
  const perform = performer(order, send);
  send({ is: 'started' });
  return { id: loop.id, epoch: loop.epoch, meter: () => meterOf(state), send };
}

type Send = (news: LoopNews) => void;

function performer(order: LoopOrder, send: Send): (effect: LoopEffect) => void {
  const { loop, place } = order;
  const git = new AbortController();
  const timers = new Set<NodeJS.Timeout>();
  let child: ChildProcess | null = null;
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
          runGit(order, effect.order, effect.work, git.signal).then((result) =>
            send({ is: 'git', n: effect.n, result }),
          ),
        );
      case 'wait':
        return waitFor(effect.ms, timers, () => send({ is: 'waited', n: effect.n }));
      case 'start-child': {
        notifyCommitted = tellAfter(effect.record.events, place.sink);
        child = startChild(order, effect, send);
        return;
      }
      case 'tell-child':
        return tellChild(child, effect.message);
      case 'kill-child':
        return void child?.kill('SIGKILL');
      case 'abort-git':
        return git.abort();
      case 'notify':
        // What people are told costs a loop nothing.
        return attempt(() => notifyCommitted(effect.events), undefined);
      case 'show':
        return place.tell(loop, effect.event);
      case 'tidy':
        return orBreak(tidy(order, effect.isRecorded, effect.lastPoint).then(() => send({ is: 'tidied' })));
      case 'end':
        for (const timer of timers) clearTimeout(timer);
        return order.onEnd(effect.ended);
    }
  };
}

function waitFor(ms: number, timers: Set<NodeJS.Timeout>, then: () => void): void {
  const timer = setTimeout(() => {
    timers.delete(timer);
    then();
  }, ms);
  timers.add(timer);
}

function openHome({ loopHome, env }: WorkerPlace): LoopHome {
  return loopHome === null ? sharedHome(env) : openLoopHome(loopHome.dir, env, loopHome.lent);
}

function startChild({ loop, place }: LoopOrder, { record, until }: StartChild, send: Send) {
  try {
    const home = openHome(place);
    resetState(homeAt(place.home));
    const child = forkChild(place, home, send);
    const { mirrors, tree, hosts } = place;
    // What opens the record stays here.
    const taken = { ...loop, key: '' };
    const order = { taken, hosts, loopRecord: record, mirrors, tree, network: home.network, until };
    tellChild(child, { is: 'order', ...order });
    return child;
  } catch (error) {
    send({ is: 'child-exited', how: 'it could not be started', complaint: errorMessage(error) });
    return null;
  }
}

type StartChild = Extract<LoopEffect, { is: 'start-child' }>;

function forkChild(place: WorkerPlace, home: LoopHome, send: Send): ChildProcess {
  const child = fork(CHILD_PROGRAM, [], {
    // A person's answer comes when a pass is over, so no pass waits for one.
    env: { ...home.env, DACAPO_HOME: place.home, DACAPO_HOLD_SECONDS: '0' },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const complaint = child.stderr === null ? () => '' : keepTail(child.stderr, MAX_COMPLAINT_BYTES);
  child.on('message', (message: FromChild) => send({ is: 'child-said', message }));
  child.on('exit', (code, signal) => {
    home.close();
    send({ is: 'child-exited', how: `${signal ?? code}`, complaint: complaint() });
  });
  child.on('error', (error) => {
    // One that could not be started has no exit. Other errors are of its channel, and its exit follows.
    if (child.pid !== undefined) return;
    home.close();
    send({ is: 'child-exited', how: errorMessage(error), complaint: '' });
  });
  return child;
}

function tellChild(child: ChildProcess | null, message: ToChild): void {
  if (child?.connected === true) child.send(message, () => undefined);
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
  return { is: explain(error, address)?.later === true ? 'away' : 'refused', why };
}

async function runGit(
  { loop, place }: LoopOrder,
  order: GitOrder,
  work: Work,
  signal: AbortSignal,
): Promise<GitResult> {
  const store = join(place.home, 'loops', loop.id, 'git');
  const published = { loop: { ...loop, ...work }, tree: place.tree, store, signal };
  const done = await (order.is === 'push-point'
    ? pushPoint(published, order.point)
    : order.is === 'read-branch'
      ? readBranch(published)
      : pushBranch(published, order));
  return 'ok' in done ? { is: 'git-failed', why: done.message } : done;
}

/**
 * Removes what the loop leaves here, and its older points in the repository. Where that fails, they only take
 * room.
 */
async function tidy(
  { loop, place }: LoopOrder,
  isRecorded: boolean,
  lastPoint: string | null,
): Promise<void> {
  if (isRecorded && lastPoint !== null) await prunePoints(loop, lastPoint, place.tree);
  dropTree(place.tree);
  if (place.loopHome !== null) await dropLoopHome(place.loopHome.dir);
  // What was not shipped is nowhere else.
  if (isRecorded) clearCopy(homeAt(place.home), loop.id);
}
