/** A machine of a simulated fleet, and the worker on it. All that it decides and asks is the product's own. */
import { registerWorker } from '#fleet/worker/worker.ts';
import { runShift } from '#fleet/worker/shift.ts';
import type { LoopSurroundings, WorkerPlace } from '#fleet/worker/leased-loop/surroundings.ts';
import { ENDLESS_SHIFT } from '#fleet/worker/worker-state.ts';
import { SimChild } from './child.ts';
import type { Point } from './git.ts';
import { SimProcess } from './time.ts';
import type { World } from './world.ts';

const ENROL_RETRY_MS = 1_000;

export class Machine {
  readonly world: World;
  readonly name: string;
  readonly capacity: number;
  worker: SimProcess;
  children: SimChild[] = [];
  /** When a strike last kept it from saying anything. */
  silencedAt = -Infinity;
  #soon = new AbortController();
  readonly #stores = new Map<string, Map<string, Point>>();

  constructor(world: World, name: string, capacity: number) {
    this.world = world;
    this.name = name;
    this.capacity = capacity;
    this.worker = new SimProcess(name, world.scheduler);
    this.worker.isDead = true;
  }

  /** What all processes of the machine have. */
  clock(): number {
    return Math.round(this.world.scheduler.now);
  }

  storeOf(loop: string): Map<string, Point> {
    const store = this.#stores.get(loop) ?? new Map<string, Point>();
    this.#stores.set(loop, store);
    return store;
  }

  start(): void {
    if (!this.worker.isDead) return;
    const { scheduler } = this.world;
    scheduler.trace(`${this.name} starts`);
    const skewMs = this.worker.skewMs;
    const process = new SimProcess(this.name, scheduler);
    process.skewMs = skewMs;
    this.worker = process;
    this.children = [];
    this.#soon = new AbortController();
    process.run(
      () => void this.#work(process, this.#soon.signal).catch((error: unknown) => this.world.fail(error)),
    );
  }

  isIdle(): boolean {
    return this.worker.isDead || this.children.every(({ process }) => process.isDead);
  }

  /** Of the worker and everything that it has started. */
  kill(): void {
    this.worker.kill();
  }

  drain(): void {
    this.worker.run(() => this.#soon.abort());
  }

  async #work(process: SimProcess, soon: AbortSignal): Promise<void> {
    const { name, capacity, world } = this;
    const database = world.server.connect(process, 'dacapo_worker');
    const profile = { name, labels: [], hosts: ['claude-code'], accept: [], loop: null, capacity };
    const identity = { ...profile, machine: name, version: 'simulated' };
    for (;;) {
      try {
        await registerWorker(database, identity);
        break;
      } catch {
        await process.sleep(ENROL_RETRY_MS);
      }
    }
    await runShift({
      database,
      address: { ok: true, url: '', shown: 'the database' },
      order: {
        ...profile,
        shift: ENDLESS_SHIFT,
        leaseSeconds: world.leaseSeconds,
        soon,
        now: new AbortController().signal,
      },
      report: (event) => {
        if (event.is === 'ends-loop') world.auditor.onLoopEnds(name, event.loop, event.how);
        world.scheduler.trace(`${name} ${JSON.stringify(event)}`);
      },
      placeOf: (loop) => this.#placeOf(loop),
      register: (sql) => registerWorker(sql, identity),
      dropEnded: () =>
        process.sleep(world.scheduler.random.chance(0.3) ? world.scheduler.random.whole(1_000, 25_000) : 1),
      surroundings: this.#surroundings(process),
    });
    process.kill();
  }

  #placeOf(loop: string): WorkerPlace {
    const place = { name: this.name, home: '', mirrors: '', tree: loop, env: {}, loopHome: null, hosts: [] };
    const leaseMs = this.world.leaseSeconds * 1_000;
    return {
      ...place,
      leaseMs,
      tell: () => undefined,
      sink: (notice) => this.world.auditor.onNotice(notice),
    };
  }

  #surroundings(process: SimProcess): LoopSurroundings {
    const { repository } = this.world;
    return {
      clock: () => this.clock(),
      after: (ms, act) => process.after(ms, act),
      startChild: ({ loop, record, until }, send) => {
        const child = new SimChild(this, process, send);
        this.children = [...this.children.filter(({ process: one }) => !one.isDead), child];
        const door = child.door();
        const place = { mirrors: '', tree: loop.id, network: {}, hosts: [] };
        door.send({ is: 'order', taken: { ...loop, key: '' }, loopRecord: record, until, ...place });
        return door;
      },
      runGit: (job) => repository.run(process, job, this.storeOf(job.loop.id)),
      tidy: async (loop) => void this.#stores.delete(loop.id),
    };
  }
}
