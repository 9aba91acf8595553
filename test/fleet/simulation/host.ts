/** A scripted host: what it does in a pass, what that costs, and how its stop is judged. */
import type { DueWait } from '#engine/driver/options.ts';
import type { DrivenLoop, WorkerDoor } from '#fleet/driven/barriers.ts';
import type { LeasedRow } from '#fleet/lease.ts';
import type { Shipment } from '#fleet/ship.ts';
import type { Verdict } from '#law/record/verdict.ts';
import { openRequestsOf } from '#law/waiting/requests.ts';
import type { Facts, Pass } from './facts.ts';
import { shaOf, type Point, type Work } from './git.ts';
import type { SimProcess } from './time.ts';
import type { Machine } from './worker.ts';

/** What the loops of a schedule are like. */
export interface LoopScript {
  /** Passes until it is done. */
  readonly passes: number;
  readonly passMs: readonly [number, number];
  readonly costUsd: number;
  /** Between two passes; 0: none. */
  readonly pauseMs: number;
  /** After so many passes its agent asks a person; null: never. */
  readonly asksAfter: number | null;
}

const TICK_MS = 500;
const ANSWER_MS = 24 * 3_600_000;

interface Tree {
  readonly work: Work;
  readonly head: string;
}

interface HostPlace {
  readonly machine: Machine;
  readonly process: SimProcess;
  readonly loop: DrivenLoop;
  readonly door: WorkerDoor;
  readonly tree: Tree;
}

export class SimHost {
  readonly base: string;
  budgetUsd: number | null = null;
  readonly #place: HostPlace;
  #tree: Tree;
  #pass: Pass | null = null;
  #over: (isWhole: boolean) => void = () => undefined;

  constructor(place: HostPlace) {
    this.#place = place;
    this.#tree = place.tree;
    this.base = place.loop.order.taken.base ?? place.tree.head;
  }

  #script(): LoopScript {
    return this.#place.machine.world.scriptOf(this.#place.loop.order.taken.id);
  }

  /** Null: the next pass may begin. */
  nextWait(isFirst: boolean): DueWait | null {
    const { open, runtime } = this.#place.loop;
    const loop = open.look();
    const [request] = openRequestsOf(loop);
    if (request !== undefined) return { for: 'approval', until: request.expires };
    const { status } = loop;
    const now = Date.parse(runtime.now());
    if (status.is === 'waiting' && 'until' in status)
      return status.for !== 'approval' && Date.parse(status.until) > now
        ? { for: status.for, until: status.until }
        : null;
    const { pauseMs } = this.#script();
    if (isFirst || pauseMs === 0) return null;
    const until = new Date(now + pauseMs).toISOString();
    open.write({ type: 'held', at: runtime.now(), for: 'pause', until });
    return { for: 'pause', until };
  }

  /** A loop that waits holds no process, but for a moment. */
  async waitHere({ until }: DueWait, stopped: AbortSignal): Promise<void> {
    const { process, machine, loop } = this.#place;
    const left = Date.parse(until) - Date.parse(loop.runtime.now());
    machine.world.auditor.onWaitHere(loop.order.taken.id, left);
    for (let waited = 0; waited < left && !stopped.aborted; waited += TICK_MS)
      await process.sleep(Math.min(TICK_MS, left - waited));
  }

  take(): void {
    const { open, runtime } = this.#place.loop;
    const { scheduler } = this.#place.machine.world;
    // Nothing in a schedule is left to chance.
    const pass = `00000000-0000-4000-8000-${String(scheduler.steps).padStart(12, '0')}`;
    const taken = { session: pass, pass, process: runtime.process, machine: runtime.store.machine() };
    const n = open.loop().events + 1;
    open.write({ type: 'taken', at: runtime.now(), n, ...taken, model: null });
  }

  /** False: it was ended before the host was done. */
  work(): Promise<boolean> {
    const { machine, process, loop, door } = this.#place;
    const { facts, scheduler } = machine.world;
    const { id, epoch, account } = loop.order.taken;
    const script = this.#script();
    const { random } = scheduler;
    const nonce = `p${facts.passes.length + 1}`;
    const pass = facts.begin({ nonce, loop: id, epoch, worker: process.name, account });
    this.#pass = pass;
    const before = loop.open.loop().spent;
    const lasts = random.whole(...script.passMs);
    let worked = 0;
    return new Promise((resolve) => {
      this.#over = (isWhole) => {
        facts.end(pass, isWhole);
        resolve(isWhole);
      };
      const tick = (): void => {
        if (pass.endedAt !== null) return;
        scheduler.after(TICK_MS, tick);
        if (pass.isStanding) return;
        worked += TICK_MS;
        const cost = Math.min(script.costUsd, (script.costUsd * worked) / lasts);
        pass.costUsd = Math.min(cost, this.budgetUsd ?? Infinity);
        const isOver = worked >= lasts || (this.budgetUsd !== null && cost >= this.budgetUsd);
        // The host goes on where its driver is stopped, and its driver hears of it later.
        process.run(() => {
          const costUsd = before.costUsd + pass.costUsd;
          door.send({ is: 'tell', event: { is: 'usage', costUsd, tokens: before.tokens } as never });
        });
        if (!isOver) return;
        facts.end(pass, true);
        pass.isHeard = !process.isFrozen;
        process.run(() => this.#over(true));
      };
      scheduler.after(TICK_MS, tick);
    });
  }

  stand(isStanding: boolean): void {
    const pass = this.#pass;
    if (pass === null || pass.endedAt !== null || pass.isStanding === isStanding) return;
    pass.isStanding = isStanding;
    this.#place.machine.world.scheduler.trace(`pass ${pass.nonce} ${isStanding ? 'stands' : 'goes on'}`);
    this.#place.machine.world.facts.lookAtLive(pass.loop);
  }

  end(isWhole: boolean): void {
    if (this.#pass?.endedAt === null) this.#over(isWhole);
  }

  /** The stop of the pass, its verdict, and what the driver keeps of it. */
  judge(): void {
    const { machine, loop } = this.#place;
    const { open, runtime } = loop;
    const { world } = machine;
    const pass = this.#pass;
    if (pass === null) throw new Error('there is no pass');
    const work = [...this.#tree.work, pass.nonce];
    const script = this.#script();
    const at = runtime.now();
    const n = open.loop().stops + 1;
    const { session } = open.loop().session.owner ?? { session: 'nobody' };
    const isHere = { process: runtime.process, machine: runtime.store.machine() };
    const stop = { session, prompt: null, words: pass.nonce, started: at, continuedByHook: false };
    open.write({ type: 'stop', at, n, ...stop, ...isHere });
    const asks = script.asksAfter === work.length;
    const verdict = asks ? ASKS : work.length >= script.passes ? { is: 'complete' as const } : CONTINUE;
    const used = { costUsd: pass.costUsd, tokens: 0 };
    open.write({ type: 'verdict', at, n, verdict, ...SEEN, used, preview: pass.nonce });
    if (n > 1 && world.scheduler.random.chance(world.faults.rogue))
      open.write({ type: 'verdict', at, n: n - 1, verdict: CONTINUE, ...SEEN, used: null, preview: 'again' });
    const head = shaOf(this.#tree.head, pass.nonce);
    world.repository.commits.set(head, { sha: head, work });
    this.#tree = { work, head };
    if (asks) return this.#ask(n);
    const iteration = open.look().frame.passes;
    this.keep(String(iteration));
    open.write({ type: 'recorded', at: runtime.now(), iteration, commit: head, onBranch: true });
  }

  #ask(n: number): void {
    const { open, runtime } = this.#place.loop;
    const expires = new Date(Date.parse(runtime.now()) + ANSWER_MS).toISOString();
    const what = { tool: null, digest: null, text: 'Which one?' };
    open.write({
      type: 'requested',
      at: runtime.now(),
      id: `r${n}`,
      kind: 'question',
      what,
      why: '',
      expires,
    });
  }

  /** A point in the store of this machine. */
  keep(name: string): string {
    const { machine, loop } = this.#place;
    const { work, head } = this.#tree;
    const point: Point = { sha: shaOf('point', head, name), work, head };
    machine.storeOf(loop.order.taken.id).set(name, point);
    return name;
  }
}

const CONTINUE: Verdict = { is: 'continue', missing: [], shells: [], capped: false, popped: [], item: null };
const ASKS: Verdict = {
  is: 'allow',
  why: 'approval',
  shells: [],
  until: null,
  asks: { kind: 'question', text: 'Which one?' },
};
const SEEN = {
  proofs: [],
  gateResults: [],
  features: null,
  cap: null,
  toolUsed: true,
  queue: { offset: 0, waiting: 0 },
  context: null,
  tree: null,
  stalls: 0,
};

/** From now on the record has all of this loop and it is let go, or it has none of this. */
export function shipsDone(facts: Facts, { id, epoch }: LeasedRow, { from, events }: Shipment): void {
  if (events.length > 0) facts.left.set(`${id}/${epoch}`, from + events.length);
}
