/**
 * What lies around a leased loop on its machine: the clock, the process of its child, git, and what the loop
 * leaves here. A simulation of the fleet has its own, and shares all the rest.
 */
import { fork } from 'node:child_process';
import { join } from 'node:path';
import { errorMessage } from '#base/shape.ts';
import type { RunEventBody } from '#engine/run-event.ts';
import type { Environment } from '#hosts/port/arrival.ts';
import { keepTail } from '#base/process/output.ts';
import type { Sink } from '#engine/notices/sink.ts';
import { homeAt } from '#store/file/home.ts';
import { clearCopy } from '#store/file/loops.ts';
import type { LeasedRow, LoopRecord } from '../../lease.ts';
import type { TellingLoop } from '../../look/news.ts';
import { sharedClock, type FromChild, type ToChild } from '../protocol.ts';
import { prunePoints, pushBranch, pushPoint, readBranch } from '../publish.ts';
import type { LentFile } from '../lent-files.ts';
import { dropLoopHome, openLoopHome, sharedHome, type LoopHome } from '../loop-home.ts';
import { dropTree, type TreePlace } from '../tree.ts';
import { resetState } from '../worker-rooms.ts';
import type { GitOrder, GitResult, LoopNews, Work } from './state.ts';

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
  readonly loopHome: { readonly dir: string; readonly lent: readonly LentFile[] } | null;
  readonly leaseMs: number;
  /** What the agent does now. */
  readonly tell: (loop: TellingLoop, event: RunEventBody) => void;
  /** Is told what became true of a loop. */
  readonly sink: Sink;
}

export type SendNews = (news: LoopNews) => void;

/** The way to a child. What it says, and its exit, come as news. */
export interface ChildDoor {
  readonly send: (message: ToChild) => void;
  readonly kill: () => void;
}

/** What a child is to drive, and how long it may work without hearing of its lease. */
export interface ChildJob {
  readonly loop: LeasedRow;
  readonly place: WorkerPlace;
  readonly record: LoopRecord;
  readonly until: number;
}

/** One call of git for a loop. Aborted: it ends where it is. */
export interface GitJob {
  readonly loop: LeasedRow;
  readonly place: WorkerPlace;
  readonly order: GitOrder;
  readonly work: Work;
  readonly signal: AbortSignal;
}

export interface LoopSurroundings {
  /** In milliseconds, the same for all processes of this machine. */
  readonly clock: () => number;
  /** Calls back after that time. What it returns cancels that. */
  readonly after: (ms: number, act: () => void) => () => void;
  /** Null: it could not be started, as its exit has told. */
  readonly startChild: (job: ChildJob, send: SendNews) => ChildDoor | null;
  readonly runGit: (job: GitJob) => Promise<GitResult>;
  /** `isRecorded`: the end of the loop is in the record. `lastPoint`: stays in the repository. */
  readonly tidy: (
    loop: LeasedRow,
    place: WorkerPlace,
    isRecorded: boolean,
    lastPoint: string | null,
  ) => Promise<void>;
}

export const LOOP_SURROUNDINGS: LoopSurroundings = {
  clock: sharedClock,
  after: (ms, act) => {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
  startChild,
  runGit,
  tidy,
};

function openHome({ loopHome, env }: WorkerPlace): LoopHome {
  return loopHome === null ? sharedHome(env) : openLoopHome(loopHome.dir, env, loopHome.lent);
}

function startChild({ loop, place, record, until }: ChildJob, send: SendNews): ChildDoor | null {
  try {
    const home = openHome(place);
    resetState(homeAt(place.home));
    const child = forkChild(place, home, send);
    const { mirrors, tree, hosts } = place;
    // What opens the record stays here.
    const taken = { ...loop, key: '' };
    const order = { taken, hosts, loopRecord: record, mirrors, tree, network: home.network, until };
    child.send({ is: 'order', ...order });
    return child;
  } catch (error) {
    send({ is: 'child-exited', how: 'it could not be started', complaint: errorMessage(error) });
    return null;
  }
}

function forkChild(place: WorkerPlace, home: LoopHome, send: SendNews): ChildDoor {
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
  return {
    send: (message) => {
      if (child.connected) child.send(message, () => undefined);
    },
    kill: () => void child.kill('SIGKILL'),
  };
}

async function runGit({ loop, place, order, work, signal }: GitJob): Promise<GitResult> {
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
  loop: LeasedRow,
  place: WorkerPlace,
  isRecorded: boolean,
  lastPoint: string | null,
): Promise<void> {
  if (isRecorded && lastPoint !== null) await prunePoints(loop, lastPoint, place.tree);
  dropTree(place.tree);
  if (place.loopHome !== null) await dropLoopHome(place.loopHome.dir);
  // What was not shipped is nowhere else.
  if (isRecorded) clearCopy(homeAt(place.home), loop.id);
}
