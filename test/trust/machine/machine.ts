/**
 * A simulated machine: its processes run in threads, of which one at a time has the word. The scheduler gives it
 * for a number of file calls; then the process stands between two of them, and another may go on, or it is killed.
 */
import { join } from 'node:path';
import { MessageChannel, receiveMessageOnPort, Worker, type MessagePort } from 'node:worker_threads';
import type { Operation } from '../crash-images.ts';

const WORKER = 1;
const THREADS = 10;
const MOST_PIDS = 16_384;
const FIRST_PID = 100;
/** Any instant will do. */
const BEGINNING = Date.UTC(2030, 0, 1);

export interface Bundles {
  readonly processes: string;
  readonly waker: string;
}

export interface Job {
  readonly name: string;
  readonly runs: 'hook' | 'act' | 'prune' | 'look' | 'makeRun' | 'drive' | 'waker';
  readonly given?: unknown;
  readonly stdin?: string;
  /** The process that started it. */
  readonly parent?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Of the hosts that it starts: how likely each pass says that it is done, and how likely it crashes. */
  readonly completes?: number;
  readonly crashes?: number;
  /** Of its checks: how likely each says "not yet", and how likely one that does not fails. */
  readonly notYet?: number;
  readonly fails?: number;
}

/** A pass that a driver has started. */
export interface HostSeen {
  readonly pid: number;
  readonly pass: string;
  readonly prompt: string;
  readonly told: readonly { readonly at: number; readonly is: string; readonly message?: string }[];
}

type FromThread = { readonly operations: readonly Operation[]; readonly hosts?: readonly HostSeen[] } & (
  | { readonly is: 'idle' }
  | { readonly is: 'calls'; readonly what: string; readonly path: string }
  | { readonly is: 'sleeps'; readonly until: number }
  | { readonly is: 'ended'; readonly isKilled: boolean; readonly value?: unknown; readonly error?: string }
);

interface Thread {
  readonly worker: Worker;
  readonly port: MessagePort;
  readonly control: Int32Array;
  process: SimProcess | null;
}

export interface SimProcess {
  readonly job: Job;
  readonly pid: number;
  /** Those that it may start. */
  readonly children: readonly number[];
  readonly startedAt: number;
  /** Null: it stands before a file call. */
  sleepsUntil: number | null;
  standsAt: string;
  hosts: readonly HostSeen[];
  isOver: boolean;
  isKilled: boolean;
  value: unknown;
  error: string | null;
}

function childrenOf({ runs, notYet }: Job): number {
  if (runs === 'drive') return 40;
  return notYet === undefined ? 0 : 20;
}

/** The threads live for many schedules. */
export class Threads {
  readonly root: string;
  readonly alive = new Int32Array(new SharedArrayBuffer(4 * MOST_PIDS));
  readonly #bundle: Bundles;
  readonly #threads: Thread[] = [];

  constructor(bundle: Bundles, root: string) {
    this.root = root;
    this.#bundle = bundle;
  }

  #open(): Thread {
    const { port1, port2 } = new MessageChannel();
    const control = new Int32Array(new SharedArrayBuffer(4));
    Atomics.store(control, 0, WORKER);
    const worker = new Worker(join(import.meta.dirname, 'worker.mjs'), {
      workerData: { port: port2, control, alive: this.alive, bundle: this.#bundle, root: this.root },
      transferList: [port2],
    });
    worker.on('error', (error) => {
      throw error;
    });
    const thread = { worker, port: port1, control, process: null };
    hear(thread);
    this.#threads.push(thread);
    return thread;
  }

  hasRoom(): boolean {
    return this.#threads.length < THREADS || this.#threads.some(({ process }) => process === null);
  }

  /** A schedule needs few at once, and each takes a while to begin. */
  free(): Thread | null {
    const free = this.#threads.find(({ process }) => process === null);
    return free ?? (this.hasRoom() ? this.#open() : null);
  }

  of(process: SimProcess): Thread {
    const thread = this.#threads.find((one) => one.process === process);
    if (thread === undefined) throw new Error(`${process.job.name} has no thread`);
    return thread;
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map(({ worker }) => worker.terminate()));
  }
}

/** A thread that has died never answers. Nothing in a schedule takes as long. */
const PATIENCE_MS = 60_000;

/** Waits until the thread gives the word back. */
function hear({ port, control }: Thread): FromThread {
  // It may wake us late, for what we have heard already.
  while (Atomics.load(control, 0) === WORKER)
    if (Atomics.wait(control, 0, WORKER, PATIENCE_MS) === 'timed-out') throw new Error('a thread hangs');
  const received = receiveMessageOnPort(port) as { readonly message: FromThread } | undefined;
  if (received === undefined) throw new Error('a thread has given the word without a message');
  return received.message;
}

export class Machine {
  now = BEGINNING;
  /** A day before, unless the power was cut. */
  booted = BEGINNING - 86_400_000;
  readonly processes = new Set<SimProcess>();
  /** All that has happened to files, for a power cut. */
  operations: Operation[] = [];
  /** From now on each check passes. */
  isMended = false;
  readonly #threads: Threads;
  #nextPid = FIRST_PID;

  constructor(threads: Threads) {
    this.#threads = threads;
    threads.alive.fill(0);
  }

  get root(): string {
    return this.#threads.root;
  }

  /** `again`: one that was another's before. */
  newPid(again: number | null = null): number {
    if (again !== null && !this.isAlive(again)) return again;
    return this.#nextPid++;
  }

  isAlive(pid: number): boolean {
    return Atomics.load(this.#threads.alive, pid) === 1;
  }

  setAlive(pid: number, isAlive: boolean): void {
    Atomics.store(this.#threads.alive, pid, isAlive ? 1 : 0);
  }

  hasRoom(): boolean {
    return this.#threads.hasRoom();
  }

  start(job: Job, seed: number, again: number | null = null): SimProcess {
    const thread = this.#threads.free();
    if (thread === null) throw new Error('there is no room for another process');
    const pid = this.newPid(again);
    const children = Array.from({ length: childrenOf(job) }, () => this.newPid());
    this.setAlive(pid, true);
    const process: SimProcess = {
      job,
      pid,
      children,
      startedAt: this.now,
      sleepsUntil: null,
      standsAt: 'its start',
      hosts: [],
      isOver: false,
      isKilled: false,
      value: undefined,
      error: null,
    };
    thread.process = process;
    this.processes.add(process);
    const sent = { ...job, pid, seed, children, started: this.now };
    this.#give(process, { calls: 1, isKilled: false, job: sent });
    return process;
  }

  /** Lets it make so many calls, or die where it stands. */
  go(process: SimProcess, calls: number, isKilled = false): void {
    this.#give(process, { calls, isKilled, job: null });
  }

  #give(process: SimProcess, turn: { calls: number; isKilled: boolean; job: object | null }): void {
    const thread = this.#threads.of(process);
    const { now, booted, isMended } = this;
    thread.port.postMessage({ ...turn, now, booted, isMended });
    Atomics.store(thread.control, 0, WORKER);
    Atomics.notify(thread.control, 0);
    const message = hear(thread);
    this.operations.push(...message.operations);
    if (message.hosts !== undefined) process.hosts = message.hosts;
    process.sleepsUntil = message.is === 'sleeps' ? message.until : null;
    if (message.is === 'calls') process.standsAt = `${message.what} ${message.path.slice(this.root.length)}`;
    if (message.is !== 'ended') return;
    process.isOver = true;
    process.isKilled = message.isKilled;
    process.value = message.value;
    process.error = message.error ?? null;
    for (const pid of [process.pid, ...process.children]) this.setAlive(pid, false);
    thread.process = null;
    this.processes.delete(process);
  }

  killAll(): void {
    for (const process of this.processes) this.go(process, 1, true);
  }
}
