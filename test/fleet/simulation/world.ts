/** Everything of one schedule, and what of it follows from the seed. */
import type { LeasedRow } from '#fleet/lease.ts';
import { Auditor } from './auditor.ts';
import { Facts, Violation } from './facts.ts';
import { BASE, SimRepository, type Work } from './git.ts';
import type { LoopScript } from './host.ts';
import type { Sessions } from './sessions.ts';
import { SimServer } from './server.ts';
import type { Scheduler, SimProcess } from './time.ts';
import type { Machine } from './worker.ts';

export interface WorldFaults {
  /** Of a take: this machine can't work on the loop now. */
  unready: number;
  /** Of a pass: what its worker ships judges an old stop again. */
  rogue: number;
  /** Of a look between two passes: the driver leaves its loop alive. */
  leaves: number;
}

const STOP_JUDGED_TWICE = '23505';

export class World {
  readonly leaseSeconds: number;
  readonly scheduler: Scheduler;
  readonly server: SimServer;
  readonly repository: SimRepository;
  readonly facts: Facts;
  readonly auditor: Auditor;
  readonly faults: WorldFaults = { unready: 0, rogue: 0, leaves: 0 };
  readonly machines: Machine[] = [];
  readonly scripts = new Map<string, LoopScript>();
  #failure: Error | null = null;

  constructor(sessions: Sessions, scheduler: Scheduler, leaseSeconds = 10) {
    this.leaseSeconds = leaseSeconds;
    this.scheduler = scheduler;
    this.server = new SimServer(sessions, scheduler);
    this.repository = new SimRepository(scheduler);
    const fail = (violation: Violation) => this.fail(violation);
    this.facts = new Facts(scheduler, fail);
    const { repository, facts } = this;
    this.auditor = new Auditor({ scheduler, repository, facts, fail });
    this.server.known = () => this.auditor.known();
    this.server.onCommit = (seen) => this.auditor.look(seen);
    this.server.onError = (process, text, error) => this.#onError(process, text, error);
  }

  /** Nobody looks at each step: for schedules of hours. */
  goUnwatched(): void {
    this.server.known = () => null;
    const { repository } = this;
    repository.onLook = repository.onPush = repository.onPoint = () => undefined;
  }

  /** The first failure counts. */
  fail(error: unknown): void {
    this.#failure ??= error instanceof Error ? error : new Error('it is no error', { cause: error });
  }

  throwFailure(): void {
    if (this.#failure !== null) throw this.#failure;
  }

  scriptOf(loop: string): LoopScript {
    const script = this.scripts.get(loop);
    if (script === undefined) throw new Error(`there is no script for ${loop}`);
    return script;
  }

  /** What a worker finds in the repository when it takes the loop. Null: it finds no repository. */
  workOf({ id, base, point_ref }: LeasedRow): { readonly work: Work; readonly head: string } | null {
    if (this.repository.isAway) return null;
    if (point_ref === null) return { work: [], head: base ?? BASE.sha };
    const point = this.repository.points.get(point_ref);
    if (point === undefined) throw new Violation('work is lost', `${id} has no ${point_ref}`);
    return point;
  }

  /** The database refuses only a worker that lies. */
  #onError(process: SimProcess, text: string, error: Error): void {
    const code = 'code' in error ? String(error.code) : '';
    this.scheduler.trace(`${process.name}: ${error.message} (${code}) in ${text.slice(0, 80)}`);
    if (code === STOP_JUDGED_TWICE && this.faults.rogue > 0) return;
    this.fail(
      new Violation('the database refuses', `${process.name}: ${error.message} in ${text.slice(0, 80)}`),
    );
  }
}
