/**
 * One schedule of a simulated machine: everything that happens in it follows from its seed. A session with its hooks,
 * drivers with their hosts, and people at three terminals, until it is time to mend everything; then each loop has to
 * come to its end.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord } from '#base/shape.ts';
import type { Image } from '../crash-images.ts';
import { Random } from '../../fleet/simulation/random.ts';
import { Auditor, Broken } from './auditor.ts';
import { Drivers } from './drivers.ts';
import { isEnded } from './ledger.ts';
import { Machine, type Job, type SimProcess, type Threads } from './machine.ts';
import { People } from './people.ts';
import { cutPower } from './power.ts';
import { Session } from './session.ts';

export interface Found {
  readonly seed: number;
  readonly rule: string | null;
  readonly detail: string;
  readonly steps: number;
  readonly checks: number;
  readonly lines: readonly string[];
}

/** More of what a sabotage needs, than a schedule has by chance. */
export interface Focus {
  readonly cuts?: number;
  /** How likely those that begin first are killed, at each of their calls. */
  readonly firstDies?: number;
  readonly kills?: number;
  readonly registrations?: number;
  readonly edits?: boolean;
  /** A person writes into a view right before it is replaced. */
  readonly lateEdits?: boolean;
  /** Mostly together with a resume. */
  readonly prunes?: boolean;
  /** How often a stop is let through: it asks, a shell runs, or something waits in the queue. */
  readonly rests?: number;
  readonly sleeps?: boolean;
}

/** After this nobody strikes and nobody types any more. */
const STRIKES_MS = 30_000;
/** By then everything has to be over. */
const MOST_MS = 30 * 60_000;
const MOST_STEPS = 60_000;

interface Due {
  readonly at: number;
  readonly tie: number;
  readonly act: () => void;
}

/** What a process was started for, and what is to happen when it is over. */
interface Running {
  readonly process: SimProcess;
  /** How many snapshots each journal had when it began. */
  readonly since: ReadonlyMap<string, number>;
  /** What it has appended. */
  readonly wrote: {
    readonly loop: string;
    readonly type: string;
    readonly isVoid: boolean;
    /** The status of the loop before. */
    readonly before: string;
    readonly text: string;
  }[];
  readonly over: (ended: Ended) => void;
}

export interface Ended extends Pick<Running, 'process' | 'since' | 'wrote'> {
  readonly value: unknown;
  readonly isKilled: boolean;
}

export class World {
  readonly machine: Machine;
  readonly random: Random;
  readonly auditor: Auditor;
  readonly focus: Focus;
  readonly home: string;
  readonly project: string;
  readonly began: number;
  readonly lines: string[] = [];
  /** Up to where each journal has been told of. */
  readonly promised = new Map<string, number>();
  readonly session: Session;
  readonly drivers: Drivers;
  readonly people: People;
  /** What the disk held for sure when the machine was last started. */
  disk: Image;
  steps = 0;
  readonly #due = new Set<Due>();
  readonly #running = new Map<SimProcess, Running>();
  readonly #kills: number;
  readonly #oldPids: number[] = [];

  constructor(threads: Threads, seed: number, focus: Focus) {
    this.random = new Random(seed);
    this.focus = focus;
    this.machine = new Machine(threads);
    const { root } = this.machine;
    this.home = join(root, 'home');
    this.project = join(root, 'project');
    rmSync(root, { recursive: true, force: true });
    mkdirSync(join(this.project, '.claude'), { recursive: true });
    this.disk = new Map([this.project, join(this.project, '.claude')].map((path) => [path, null]));
    this.auditor = new Auditor(root, this.home);
    this.began = this.machine.now;
    this.#kills = focus.kills ?? this.random.pick([0, 0.004, 0.02] as const);
    this.session = new Session(this);
    this.drivers = new Drivers(this);
    this.people = new People(this);
    this.auditor.isPruning = (loop) =>
      [...this.#running.values()].some(
        ({ process: { job } }) => job.runs === 'prune' && job.name.includes(loop ?? ''),
      );
  }

  get isMended(): boolean {
    return this.machine.isMended;
  }

  trace(line: string): void {
    this.lines.push(`${((this.machine.now - this.began) / 1_000).toFixed(3).padStart(8)} ${line}`);
  }

  after(ms: number, act: () => void): void {
    this.#due.add({ at: this.machine.now + ms, tie: this.random.next(), act });
  }

  /** As soon as there is room for it. */
  start(
    job: Job,
    over: (ended: Ended) => void,
    started: (process: SimProcess) => void = () => undefined,
  ): void {
    if (!this.machine.hasRoom()) return this.after(20, () => this.start(job, over, started));
    const env = { ...this.#env(), ...job.env };
    const again = this.random.chance(0.2) ? (this.random.pick(this.#oldPids) ?? null) : null;
    const process = this.machine.start({ ...job, env }, this.random.whole(1, 2 ** 31), again);
    this.trace(`${job.name} begins as ${process.pid}`);
    const since = new Map(
      [...this.auditor.records].map(([loop, { ledger }]) => [loop, ledger.snapshots.length - 1]),
    );
    this.#running.set(process, { process, since, wrote: [], over });
    started(process);
    this.#afterBurst(process);
  }

  run(): void {
    this.session.begin();
    this.drivers.begin();
    this.people.begin();
    const cuts = this.focus.cuts ?? Number(this.random.chance(0.25));
    for (let cut = 0; cut < cuts; cut++) this.after(this.random.whole(200, STRIKES_MS), () => cutPower(this));
    const sleeps = this.focus.sleeps === true ? 4 : Number(this.random.chance(0.15));
    for (let nap = 0; nap < sleeps; nap++)
      this.after(this.random.whole(200, STRIKES_MS), () => this.#sleep());
    this.after(STRIKES_MS, () => {
      this.trace('everything is mended');
      this.machine.isMended = true;
    });
    while (!this.#isOver()) this.#step();
    this.auditor.compare();
    this.#tidy();
  }

  /** Somebody prunes a loop in the end, which tidies up the project. */
  #tidy(): void {
    const { machine, auditor, random } = this;
    const id = [...auditor.records.keys()].find((loop) => !auditor.pruned.has(loop));
    if (id === undefined) return;
    const job = { name: `prune ${id}`, runs: 'prune', given: { id }, env: this.#env() } as const;
    const process = machine.start(job, random.whole(1, 2 ** 31));
    while (!process.isOver) machine.go(process, 1_000);
    if (process.error !== null) throw new Broken('nothing throws', `${job.name}: ${process.error}`);
    auditor.leavesNothing(this.project);
  }

  #env() {
    return { DACAPO_HOME: this.home, HOME: join(this.machine.root, 'user') };
  }

  /** The lid of the machine is closed: nothing runs, and the clock goes on. */
  #sleep(): void {
    // A host starts all registrations of a hook within milliseconds.
    if (this.session.isDelivering) return this.after(100, () => this.#sleep());
    const ms = this.random.whole(6_000, 90_000);
    this.trace(`the machine sleeps for ${Math.round(ms / 1_000)} s`);
    this.machine.now += ms;
  }

  #isOver(): boolean {
    if (this.steps > MOST_STEPS || this.machine.now - this.began > MOST_MS)
      throw new Broken('every loop comes to its end', this.#unended().join(', '));
    if (!this.isMended || this.machine.processes.size > 0) return false;
    return this.#unended().length === 0 && !this.session.isStarting && !this.drivers.isStarting;
  }

  #unended(): string[] {
    return [...this.auditor.records].flatMap(([loop, { ledger }]) =>
      ledger.hasEnded() || ledger.status === 'none' || this.auditor.pruned.has(loop)
        ? []
        : `${loop} is ${ledger.status}`,
    );
  }

  #step(): void {
    this.steps++;
    const { machine, random } = this;
    const ready = [...machine.processes].filter(
      ({ sleepsUntil }) => sleepsUntil === null || sleepsUntil <= machine.now,
    );
    const due = [...this.#due].filter(({ at }) => at <= machine.now);
    if (ready.length + due.length === 0) return this.#wait();
    const at = random.whole(0, ready.length + due.length - 1);
    const process = ready[at];
    if (process !== undefined) return this.#go(process);
    const first = due.toSorted((a, b) => a.at - b.at || a.tie - b.tie)[0];
    if (first === undefined) return;
    this.#due.delete(first);
    first.act();
  }

  /** Nothing is to be done: the clock goes to what is due next. */
  #wait(): void {
    const times = [
      ...[...this.#due].map(({ at }) => at),
      ...[...this.machine.processes].map(({ sleepsUntil }) => sleepsUntil ?? this.machine.now),
    ];
    if (times.length === 0) throw new Broken('every loop comes to its end', this.#unended().join(', '));
    this.machine.now = Math.max(this.machine.now, Math.min(...times));
  }

  #go(process: SimProcess): void {
    const { random, machine } = this;
    const { firstDies } = this.focus;
    const isFirst = firstDies !== undefined && process.startedAt === this.began;
    const isKilled = !this.isMended && random.chance(isFirst ? firstDies : this.#kills);
    if (isKilled) this.trace(`${process.job.name} is killed at ${process.standsAt}`);
    // Mostly a few calls, and at times as many as it likes.
    const calls = isFirst ? 1 : random.chance(0.15) ? 1_000 : random.whole(1, 12);
    machine.now += random.pick([0, 0, 1, 3] as const);
    machine.go(process, calls, isKilled);
    this.#afterBurst(process);
    if (this.focus.lateEdits === true && /^rename .*ralph-loop/.test(process.standsAt)) this.people.edit();
  }

  kill(process: SimProcess): void {
    if (process.isOver) return;
    this.machine.go(process, 1, true);
    this.#afterBurst(process);
  }

  #afterBurst(process: SimProcess): void {
    const running = this.#running.get(process);
    if (running === undefined) throw new Error(`${process.job.name} is not known`);
    const before = new Map(
      [...this.auditor.records].map(([loop, { ledger }]) => [loop, ledger.lines.length]),
    );
    this.auditor.look();
    for (const [loop, { ledger }] of this.auditor.records)
      for (let k = before.get(loop) ?? 0; k < ledger.lines.length; k++) {
        const { type = '', ...line } = ledger.lines[k] ?? {};
        const last = ledger.snapshots[k - 1]?.status ?? 'pending';
        const isVoid = isEnded(last);
        running.wrote.push({ loop, type, isVoid, before: last, text: JSON.stringify(line) });
        this.trace(`  ${process.job.name} writes ${type} ${JSON.stringify(line).slice(0, 150)}`);
      }
    this.drivers.lookAtHosts(process);
    if (!process.isOver) return;
    this.#running.delete(process);
    this.#oldPids.push(process.pid);
    this.#end(process, running);
  }

  #end(process: SimProcess, { since, wrote, over }: Running): void {
    const { error, value, isKilled, job } = process;
    if (!isKilled) this.trace(`${job.name} ends: ${JSON.stringify(value)?.slice(0, 150)}`);
    if (error !== null) throw new Broken('nothing throws', `${job.name}: ${error}`);
    if (!isKilled && isTelling(value, wrote))
      for (const loop of new Set(wrote.map((one) => one.loop)))
        this.promised.set(loop, this.auditor.records.get(loop)?.readAs ?? 0);
    this.auditor.keepsWhatPeopleWrote();
    if (this.steps % 7 === 0) this.auditor.compare();
    over({ process, since, wrote, value, isKilled });
  }
}

/** Somebody was told that something was done. That a session is woken matters to nobody once it is gone. */
function isTelling(value: unknown, wrote: Running['wrote']): boolean {
  if (!isRecord(value)) return false;
  if ('exit' in value) return wrote.some(({ type }) => type === 'verdict' || type === 'told');
  return value['is'] !== 'silence' && value['ok'] !== false;
}

export function runSchedule(threads: Threads, seed: number, focus: Focus): Found {
  const world = new World(threads, seed, focus);
  let broken: Broken | null = null;
  try {
    world.run();
  } catch (error) {
    if (!(error instanceof Broken)) throw error;
    broken = error;
  } finally {
    world.machine.killAll();
  }
  const { steps, lines, auditor } = world;
  const detail = broken?.message ?? '';
  return { seed, rule: broken?.rule ?? null, detail, steps, checks: auditor.checks, lines };
}
