/**
 * The time of a simulated fleet, and its processes. Nothing happens by itself: the scheduler takes what is due
 * next, lets it happen, and waits until everybody who follows from it waits again.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Random } from './random.ts';

/** Any instant will do. */
const BEGINNING = Date.UTC(2030, 0, 1);

interface Entry {
  readonly at: number;
  /** Decides between those that are due at the same moment. */
  readonly tie: number;
  act: () => unknown;
}

/** Of an entry that was taken back. */
const NOTHING = () => undefined;

/** A heap: what is due first is on top. */
class Agenda {
  readonly #heap: Entry[] = [];

  add(entry: Entry): void {
    const heap = this.#heap;
    let at = heap.push(entry) - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      const parent = heap[above];
      if (parent === undefined || isBefore(parent, entry)) break;
      heap[at] = parent;
      at = above;
    }
    heap[at] = entry;
  }

  take(): Entry | undefined {
    const heap = this.#heap;
    const [first] = heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      const [left, right] = [heap[2 * at + 1], heap[2 * at + 2]];
      if (left === undefined) break;
      const isRight = right !== undefined && isBefore(right, left);
      const child = isRight ? right : left;
      if (isBefore(last, child)) break;
      heap[at] = child;
      at = 2 * at + (isRight ? 2 : 1);
    }
    heap[at] = last;
    return first;
  }
}

function isBefore(one: Entry, other: Entry): boolean {
  return one.at < other.at || (one.at === other.at && one.tie < other.tie);
}

export class Scheduler {
  now = 0;
  isTracing = true;
  /** How many things have happened. */
  steps = 0;
  readonly random: Random;
  readonly #due = new Agenda();
  readonly #lines: string[] = [];

  constructor(random: Random) {
    this.random = random;
  }

  after(ms: number, act: () => unknown): () => void {
    const entry = { at: this.now + Math.max(0, ms), tie: this.random.next(), act };
    this.#due.add(entry);
    return () => (entry.act = NOTHING);
  }

  /** False: nothing is due any more. */
  async step(): Promise<boolean> {
    let next = this.#due.take();
    while (next?.act === NOTHING) next = this.#due.take();
    if (next === undefined) return false;
    this.now = next.at;
    this.steps++;
    await next.act();
    await settled();
    return true;
  }

  /** For who looks at a schedule that went wrong. */
  trace(line: string): void {
    if (this.isTracing) this.#lines.push(`${(this.now / 1_000).toFixed(3).padStart(8)} ${line}`);
  }

  lines(): readonly string[] {
    return this.#lines;
  }
}

/** Until nobody has anything to do but wait for the scheduler. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

const current = new AsyncLocalStorage<SimProcess>();

/** A process of a machine: it may be killed, stopped where it stands, and its wall clock may be wrong. */
export class SimProcess {
  readonly name: string;
  readonly scheduler: Scheduler;
  isDead = false;
  isFrozen = false;
  /** The network swallows what it sends and what is sent to it. */
  isCut = false;
  skewMs = 0;
  readonly #backlog: (() => unknown)[] = [];
  readonly #mourners = new Set<() => void>();

  constructor(name: string, scheduler: Scheduler) {
    this.name = name;
    this.scheduler = scheduler;
  }

  after(ms: number, act: () => unknown): () => void {
    return this.scheduler.after(ms, () => this.run(act));
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.after(ms, resolve));
  }

  run(act: () => unknown): void {
    if (this.isDead) return;
    if (this.isFrozen) this.#backlog.push(act);
    else current.run(this, act);
  }

  /** What it gives takes that back. */
  onDeath(act: () => void): () => void {
    this.#mourners.add(act);
    return () => void this.#mourners.delete(act);
  }

  kill(): void {
    if (this.isDead) return;
    this.isDead = true;
    for (const mourn of this.#mourners) mourn();
  }

  freeze(): void {
    this.isFrozen = true;
  }

  /** What has come meanwhile comes now, in its order. */
  thaw(): void {
    this.isFrozen = false;
    for (const [k, act] of this.#backlog.splice(0).entries()) this.after(k / 1_000, act);
  }
}

/** A way between two processes: nothing overtakes. */
export class Pipe {
  readonly #to: SimProcess;
  #last = 0;

  constructor(to: SimProcess) {
    this.#to = to;
  }

  send(act: () => void): void {
    const { scheduler } = this.#to;
    this.#last = Math.max(this.#last + 0.001, scheduler.now + scheduler.random.next() * 3);
    this.#to.after(this.#last - scheduler.now, act);
  }
}

/** The wall clock of this program is that of the schedule. What it gives undoes it. */
export function replaceClock(scheduler: () => Scheduler | null): () => void {
  const Real = globalThis.Date;
  const now = () => {
    const time = scheduler();
    return time === null ? Real.now() : instantOf(time.now) + (current.getStore()?.skewMs ?? 0);
  };
  class SimDate extends Real {
    constructor(...given: [] | [number | string]) {
      super(given[0] ?? now());
    }
    static override now(): number {
      return now();
    }
  }
  globalThis.Date = SimDate as DateConstructor;
  return () => void (globalThis.Date = Real);
}

/** In milliseconds since 1970. */
export function instantOf(now: number): number {
  return BEGINNING + Math.floor(now);
}
