/** A loop that `dacapo run` drives: by one process after the other, and at times by two that begin at once. */
import { Broken } from './auditor.ts';
import type { HostSeen, SimProcess } from './machine.ts';
import type { World } from './schedule.ts';

export class Drivers {
  isStarting: boolean;
  loop: string | null = null;
  readonly #world: World;
  #runs = 0;
  readonly #live = new Map<number, string>();
  readonly #heard = new Set<string>();

  constructor(world: World) {
    this.#world = world;
    this.isStarting = !world.session.isStarting || world.random.chance(0.5);
  }

  begin(): void {
    if (!this.isStarting) return;
    const { random } = this.#world;
    const words = ['Run it.', '--max-iterations', String(random.whole(1, 4))];
    const given = { project: this.#world.project, words };
    this.#world.start({ name: 'make run', runs: 'makeRun', given }, ({ value }) => {
      const made = value as { readonly id: string } | undefined;
      if (made === undefined) return this.#world.after(500, () => this.begin());
      this.loop = made.id;
      this.isStarting = false;
      this.drive();
      this.#lookAfter();
    });
  }

  drive(): void {
    if (this.loop === null || this.#world.auditor.pruned.has(this.loop)) return;
    const { random } = this.#world;
    const name = `run ${++this.#runs}`;
    const rates = { completes: random.pick([0, 0.3] as const), crashes: random.pick([0, 0.1] as const) };
    const given = { id: this.loop };
    this.#world.start({ name, runs: 'drive', given, ...rates }, () => undefined);
  }

  /** After each burst of a driver: what its hosts do, and that no two of them work on one loop. */
  lookAtHosts(process: SimProcess): void {
    if (process.job.runs !== 'drive') return;
    for (const host of process.hosts) this.#hear(host);
    if (process.isOver) for (const { pid } of process.hosts) this.#live.delete(pid);
  }

  #hear({ pid, told }: HostSeen): void {
    const { auditor } = this.#world;
    for (const [k, { is, message }] of told.entries()) {
      const key = `${pid} ${k} ${is}`;
      if (this.#heard.has(key)) continue;
      this.#heard.add(key);
      this.#world.trace(`  host ${pid} ${is} ${message ?? ''}`);
      if (is === 'says') auditor.says(message ?? '');
      if (is === 'begins') this.#live.set(pid, 'runs');
      if (is === 'ends') this.#live.delete(pid);
    }
    if (this.#live.size > 1)
      throw new Broken('a loop has one agent at work', [...this.#live.keys()].join(' and '));
  }

  /** Somebody looks after it: a run that is gone is started again. */
  #lookAfter(): void {
    const { random } = this.#world;
    this.#world.after(random.whole(500, 6_000), () => {
      this.#lookAfter();
      const { auditor, isMended, people, machine } = this.#world;
      if (this.loop === null || auditor.pruned.has(this.loop)) return;
      const ledger = auditor.records.get(this.loop)?.ledger;
      if (ledger === undefined || ledger.hasEnded()) return;
      if (isMended) people.answerAll(this.loop);
      const isRun = [...machine.processes].some(({ job }) => job.runs === 'drive');
      if (isRun && (isMended || random.chance(0.9))) return;
      if (isMended && ledger.status === 'paused') people.resume(this.loop);
      else this.drive();
    });
  }
}
