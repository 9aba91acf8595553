/**
 * The child of a simulated worker. What it decides, ships and parks is the product's own; its host is a script:
 * a pass lasts a while, costs something and adds one word to the work.
 */
import { firstStep, step, type DriverAct, type DriverMessage } from '#engine/driver/step.ts';
import {
  openParking,
  openShipping,
  releaseAfter,
  settleBarrier,
  continueJournal,
} from '#fleet/driven/barriers.ts';
import type { DrivenLoop, WorkerDoor } from '#fleet/driven/barriers.ts';
import { initialDriven, stepDriven, type DrivenEffect, type DrivenNews } from '#fleet/driven/driven-step.ts';
import { followDeltas, loadLoop, memoryRuntime, pendingLoop } from '#fleet/memory.ts';
import type { DrivenOrder, FromChild, Settle, SettledAs, ToChild } from '#fleet/worker/protocol.ts';
import type { ChildDoor, SendNews } from '#fleet/worker/leased-loop/surroundings.ts';
import { openRequestsOf } from '#law/waiting/requests.ts';
import { shipsDone } from './host.ts';
import { SimHost } from './host.ts';
import { Pipe, SimProcess } from './time.ts';
import type { Machine } from './worker.ts';

/** As the product's child has it (`driven/main.ts`). */
const LOOK_MS = 250;

export class SimChild {
  readonly process: SimProcess;
  readonly #machine: Machine;
  readonly #toWorker: Pipe;
  readonly #send: SendNews;
  readonly #stop = new AbortController();
  #driven = initialDriven(0, true);
  #answerDriver: (settled: SettledAs) => void = () => undefined;
  #host: SimHost | null = null;

  constructor(machine: Machine, worker: SimProcess, send: SendNews) {
    const { scheduler } = machine.world;
    this.#machine = machine;
    this.process = new SimProcess(`${worker.name}.child`, scheduler);
    this.#toWorker = new Pipe(worker);
    this.#send = send;
    this.process.onDeath(() => this.#host?.end(false));
    // It ends when its worker is gone, and the watchdog ends what it has started.
    this.process.onDeath(worker.onDeath(() => this.process.kill()));
  }

  door(): ChildDoor {
    const pipe = new Pipe(this.process);
    return {
      send: (message) => {
        const copy = JSON.parse(JSON.stringify(message)) as ToChild;
        pipe.send(() => this.#hear(copy));
      },
      kill: () => this.exit('SIGKILL'),
    };
  }

  exit(how: string): void {
    if (this.process.isDead) return;
    this.process.kill();
    this.#toWorker.send(() => this.#send({ is: 'child-exited', how, complaint: '' }));
  }

  #say(message: FromChild): void {
    const copy = JSON.parse(JSON.stringify(message)) as FromChild;
    this.#toWorker.send(() => this.#send({ is: 'child-said', message: copy }));
  }

  #hear(message: ToChild): void {
    if (message.is !== 'order') return this.#tell({ is: 'worker-said', message });
    this.#driven = initialDriven(message.until, true);
    const look = (): void => {
      this.process.after(LOOK_MS, look);
      this.#tell({ is: 'look' });
    };
    this.process.after(LOOK_MS, look);
    void this.#main(message).catch((error: unknown) => this.#machine.world.fail(error));
  }

  #tell(news: DrivenNews): void {
    const stepped = stepDriven(this.#driven, { ...news, at: this.#machine.clock() });
    this.#driven = stepped.state;
    for (const effect of stepped.effects) this.#perform(effect);
  }

  #perform(effect: DrivenEffect): void {
    switch (effect.is) {
      case 'freeze':
        return this.#host?.stand(true);
      case 'thaw':
        return this.#host?.stand(false);
      case 'tell-standing':
        return this.#say({ is: 'stands' });
      case 'look-again':
        return void this.process.after(0, () => this.#tell({ is: 'look-again' }));
      case 'stop-driver':
        this.#stop.abort();
        return this.#host?.end(false);
      case 'leave':
        return this.exit('SIGKILL');
      case 'answer-driver':
        return this.#answerDriver(effect.settled);
    }
  }

  async #main(order: DrivenOrder): Promise<void> {
    const { world } = this.#machine;
    const { random } = world.scheduler;
    await this.process.sleep(random.whole(50, 1_500));
    const tree = world.workOf(order.taken);
    if (tree === null || random.chance(world.faults.unready)) {
      const why = 'the repository can not be reached';
      return this.#say({ is: 'done', shipment: null, release: { until: 'later', why } });
    }
    const door: WorkerDoor = {
      send: (message) => this.#say(message),
      settle: (asked) => this.#settle(asked),
      stopped: this.#stop.signal,
    };
    const loop = openLoop(order);
    const shipping = openShipping(loop, door.send);
    const parking = openParking(loop);
    shipping.apply(order.loopRecord.inbox);
    const host = new SimHost({ machine: this.#machine, process: this.process, loop, door, tree });
    this.#host = host;
    this.#tell({ is: 'drive-begins' });
    const { open } = loop;
    const settle = (barrier: Settle['barrier']) =>
      settleBarrier({
        barrier,
        base: host.base,
        shipping,
        worker: door,
        keepPoint: async (name) => host.keep(name),
      });
    let { state, act } = firstStep({ run: {} as never, session: null, passStarts: [] });
    const drives = { host, settle, park: parking.park };
    while (act.do !== 'end')
      ({ state, act } = step(state, await this.#act(act, state.isFirst, loop, drives)));
    this.#tell({ is: 'drive-ended' });
    if (this.#stop.signal.aborted) return;
    const { confirm: _, ...shipment } = shipping.shipment();
    shipsDone(world.facts, order.taken, shipment);
    this.#say({ is: 'done', shipment, release: releaseAfter(parking.release(), open.loop(), false) });
  }

  async #act(
    act: Exclude<DriverAct, { do: 'end' }>,
    isFirst: boolean,
    { open, runtime }: DrivenLoop,
    { host, settle, park }: Drives,
  ): Promise<DriverMessage> {
    switch (act.do) {
      case 'look': {
        const stops = this.#stop.signal.aborted ? 'now' : null;
        const { faults, scheduler } = this.#machine.world;
        const isElsewhere = scheduler.random.chance(faults.leaves);
        return { is: 'looked', loop: open.look(), isElsewhere, hasFolder: true, stops };
      }
      case 'wait': {
        const wait = host.nextWait(isFirst);
        const how = wait === null ? 'over' : park(wait);
        if (wait === null || how === 'over') return { is: 'waited', held: 'over', isAwaitingCheck: false };
        const parked = how === 'parked';
        if (!parked) await host.waitHere(wait, this.#stop.signal);
        const isOpen = openRequestsOf(open.look()).length > 0;
        const held = parked ? 'parked' : isOpen || this.#stop.signal.aborted ? 'stopped' : 'over';
        return { is: 'waited', held, isAwaitingCheck: false };
      }
      case 'begin-pass': {
        host.take();
        const admitted = await settle('taken');
        if (admitted === 'lost') return { is: 'pass-begun', order: null, at: runtime.now() };
        host.budgetUsd = admitted === 'ours' ? null : admitted.mostUsd;
        return { is: 'pass-begun', order: {} as never, at: runtime.now() };
      }
      case 'run-pass': {
        const isWhole = await host.work();
        if (!isWhole) return { is: 'pass-ended', result: null };
        host.judge();
        const isLost = (await settle('recorded')) === 'lost';
        const session = { session: 's', iterations: 1, passing: 0, compactedAt: 0 };
        return {
          is: 'pass-ended',
          result: isLost ? null : ({ session, isLost: false, hasBegun: true } as never),
        };
      }
      case 'interrupt':
        return { is: 'stopped' };
      case 'cool-down':
      case 'choose-host':
      case 'check-again':
      case 'pause':
        throw new Error(`no script has a driver that would ${act.do}`);
    }
  }

  #settle(asked: Settle): Promise<SettledAs> {
    return new Promise((resolve) => {
      this.#answerDriver = resolve;
      this.#tell({ is: 'settle-asked' });
      if (!this.#stop.signal.aborted) this.#say(asked);
    });
  }
}

interface Drives {
  readonly host: SimHost;
  readonly settle: (barrier: Settle['barrier']) => ReturnType<typeof settleBarrier>;
  readonly park: ReturnType<typeof openParking>['park'];
}

/** As `driven/begin.ts` does it, in memory. */
function openLoop(order: DrivenOrder): DrivenLoop {
  const { taken, loopRecord } = order;
  const { events, files, lost } = loopRecord;
  const runtime = memoryRuntime();
  const isNew = taken.events === 0;
  const open = isNew ? pendingLoop(taken.id, taken.request, runtime) : loadLoop(events, files, runtime);
  const known = new Map(files.map(({ name, sha256 }) => [name, sha256]));
  const growth = followDeltas(open, { upTo: isNew ? 0 : open.journal.end(), files: known });
  if (!isNew) continueJournal(open, open.loop().project, lost, runtime);
  return { order, open, growth, runtime };
}
