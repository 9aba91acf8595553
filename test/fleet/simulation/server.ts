/**
 * The database as the processes of a simulated fleet see it: over a network that is slow, cut or broken off,
 * on a server that restarts. Below it is a real Postgres (`sessions.ts`). Every statement is a step of its
 * own, so transactions run side by side as they do on a real server.
 */
import type { Database, Sql } from '#fleet/database/database.ts';
import type { DatabaseLine } from '#fleet/database/line.ts';
import { fleetWord, type FleetWord } from '#fleet/database/words.ts';
import { parseAs } from '#base/shape.ts';
import type { Executed, Rows, Session, Sessions, Statement } from './sessions.ts';
import { askAfterCommit, COMMIT, type AfterCommit, type Snapshot } from './snapshot.ts';
import { instantOf, settled, type Scheduler, type SimProcess } from './time.ts';

/** As the product has them (`fleet/database/transact.ts`, `line.ts`). */
const QUERY_LIMIT_MS = 5_000;
const IDLE_TRANSACTION_LIMIT_MS = 3_000;
const RECONNECT_MS = 1_000;

export interface NetworkFaults {
  /** Of a statement: the connection breaks before it, or after it. */
  breaks: number;
  /** Of a word to the fleet. */
  wordLost: number;
  wordLate: number;
  wordDoubled: number;
  /** Of a statement: it takes seconds. */
  slow: number;
}

export const NO_FAULTS: NetworkFaults = { breaks: 0, wordLost: 0, wordLate: 0, wordDoubled: 0, slow: 0 };

const BROKEN = 'Connection terminated unexpectedly';
const TIMEOUT = 'Query read timeout';

interface Transaction {
  readonly process: SimProcess;
  readonly role: string;
  session: Session | null;
  /** The client or the server has given it up. */
  isOver: boolean;
  /** Counts statements, to see that a client has gone silent. */
  said: number;
}

interface Blocked {
  readonly of: Transaction;
  readonly deliver: (executed: Executed) => void;
}

export class SimServer {
  faults: NetworkFaults = NO_FAULTS;
  isUp = true;
  /** How long most statements take, at most. */
  slowestMs = 5;
  /** How many events of each loop its listener knows; null: nobody listens. */
  known: () => Readonly<Record<string, number>> | null = () => null;
  /** Called after each transaction that may have changed something. */
  onCommit: (seen: Snapshot) => void = () => undefined;
  /** An error that no fault explains. */
  onError: (process: SimProcess, text: string, error: Error) => void = () => undefined;
  readonly scheduler: Scheduler;
  readonly #sessions: Sessions;
  readonly #open = new Set<Transaction>();
  readonly #blocked: Blocked[] = [];
  readonly #lines = new Set<(word: FleetWord) => void>();

  constructor(sessions: Sessions, scheduler: Scheduler) {
    this.#sessions = sessions;
    this.scheduler = scheduler;
  }

  connect(process: SimProcess, role: string): Database {
    const transaction = <T>(act: (sql: Sql) => Promise<T>) => this.#transaction(process, role, act);
    return {
      query: (text, values) => transaction((sql) => sql.query(text, values)),
      transaction,
      openLine: (heard) => this.#openLine(process, role, heard),
      runAlone: () => Promise.reject(new Error('nobody changes tables here')),
      close: async () => undefined,
    };
  }

  /** By somebody who is no part of the fleet. */
  ask(text: string): Promise<Rows> {
    return this.#sessions.look(text);
  }

  /** Everything that is not committed is gone, and everybody's connection. */
  async restart(downMs: number): Promise<void> {
    this.isUp = false;
    for (const one of Array.from(this.#open)) await this.#end(one);
    this.scheduler.after(downMs, () => {
      this.isUp = true;
    });
  }

  /** How many transactions are open, or wait for one that is. */
  openCount(): number {
    return this.#open.size;
  }

  async endAll(): Promise<void> {
    for (const one of Array.from(this.#open)) await this.#end(one);
  }

  #openLine(process: SimProcess, role: string, heard: (word: FleetWord) => void): DatabaseLine {
    let isOver = false;
    let mayConnectAt = 0;
    const hear = (word: FleetWord) => {
      if (isOver || process.isCut || this.scheduler.now < mayConnectAt) return;
      process.run(() => heard(word));
    };
    this.#lines.add(hear);
    const close = () => {
      isOver = true;
      this.#lines.delete(hear);
    };
    process.onDeath(close);
    return {
      transaction: async (act) => {
        await process.sleep(mayConnectAt - this.scheduler.now);
        try {
          return await this.#transaction(process, role, act);
        } catch (error) {
          mayConnectAt = this.scheduler.now + RECONNECT_MS;
          throw error;
        }
      },
      close,
    };
  }

  async #transaction<T>(process: SimProcess, role: string, act: (sql: Sql) => Promise<T>): Promise<T> {
    const own: Transaction = {
      process,
      role,
      session: null,
      isOver: false,
      said: 0,
    };
    const survived = process.onDeath(() => this.#drop(own));
    const query = (text: string, values?: readonly unknown[]) => this.#send(own, text, values);
    try {
      const result = await act({ query: query as Sql['query'] });
      await query('commit');
      return result;
    } catch (error) {
      this.#drop(own);
      throw error;
    } finally {
      survived();
    }
  }

  /** The client closes the connection, or is gone: the server rolls back. */
  #drop(one: Transaction): void {
    this.scheduler.after(this.#latency(), () => this.#end(one));
  }

  #latency(): number {
    const { random } = this.scheduler;
    if (random.chance(this.faults.slow)) return random.whole(500, 6_000);
    return random.chance(0.1) ? random.whole(20, 200) : 1 + random.next() * this.slowestMs;
  }

  #send(of: Transaction, text: string, values?: readonly unknown[]): Promise<Rows> {
    const { process } = of;
    const { random } = this.scheduler;
    const breaks = random.chance(this.faults.breaks) ? (random.chance(0.5) ? 'before' : 'after') : null;
    of.said++;
    return new Promise((resolve, reject) => {
      const late = process.after(QUERY_LIMIT_MS, () => reject(new Error(TIMEOUT)));
      if (process.isCut) return;
      const answer = (executed: Executed) => {
        if (process.isCut) return;
        this.scheduler.after(this.#latency(), () => {
          if (process.isCut) return;
          process.run(() => {
            late();
            if (executed.is === 'rows' && breaks !== 'after') resolve(executed.rows);
            else reject(executed.is === 'error' ? executed.error : new Error(BROKEN));
          });
        });
      };
      const broken = () => answer({ is: 'error', error: new Error(BROKEN) });
      this.scheduler.after(this.#latency(), async () => {
        if (process.isCut) return;
        if (breaks === 'before') await this.#end(of);
        if (of.isOver || !this.isUp) return broken();
        await this.#arrive(of, text, values, answer);
      });
    });
  }

  async #arrive(
    of: Transaction,
    text: string,
    values: readonly unknown[] | undefined,
    answer: (executed: Executed) => void,
  ): Promise<void> {
    if (text === 'commit') return this.#commit(of, answer);
    const asked = values === undefined ? { text } : { text, values };
    const statements = of.session === null ? [this.#begin(of), asked] : [asked];
    of.session ??= await this.#sessions.take();
    this.#open.add(of);
    const deliver = (executed: Executed) => {
      if (executed.is === 'error' && !of.isOver) this.onError(of.process, text, executed.error);
      this.#watchSilence(of);
      answer(executed);
    };
    const executed = await this.#sessions.execute(of.session, statements);
    if (executed !== 'blocked') return deliver(executed);
    this.scheduler.trace(`${of.process.name} waits for a lock: ${text.slice(0, 60)}`);
    this.#blocked.push({ of, deliver });
    this.scheduler.after(QUERY_LIMIT_MS, async () => {
      if (this.#blocked.some((one) => one.of === of)) await this.#end(of);
    });
  }

  #begin({ role }: Transaction): Statement {
    const clock = new Date(instantOf(this.scheduler.now)).toISOString();
    const local = `set local role ${role}; set local sim.clock = '${clock}'`;
    return { text: `begin isolation level read committed; ${local}` };
  }

  /** A client that is frozen or cut off in the middle of a transaction holds its locks only so long. */
  #watchSilence(of: Transaction): void {
    const { said } = of;
    this.scheduler.after(IDLE_TRANSACTION_LIMIT_MS, async () => {
      if (of.said === said) await this.#end(of);
    });
  }

  async #commit(of: Transaction, answer: (executed: Executed) => void): Promise<void> {
    const { session } = of;
    if (session === null) return answer({ is: 'rows', rows: [] });
    const after = askAfterCommit(this.scheduler.now, this.known());
    // On a busy machine it waits a moment for another session that makes a table longer.
    const sent = await this.#sessions.execute(session, [COMMIT, after]);
    const executed = sent === 'blocked' ? await session.waiting : sent;
    session.waiting = null;
    this.#release(of);
    if (executed?.is !== 'rows') throw new Error('a commit failed', { cause: executed });
    const { seen, words } = executed.rows[0] as AfterCommit;
    if (seen !== null) this.onCommit(seen);
    for (const word of words ?? []) this.#tell(word);
    answer({ is: 'rows', rows: [] });
    await this.#goOn();
  }

  #tell(payload: string): void {
    const word = parseAs(fleetWord, payload);
    this.scheduler.trace(`word ${payload}`);
    if (word === null) return;
    const { random } = this.scheduler;
    for (const hear of this.#lines) {
      const times = random.chance(this.faults.wordLost) ? 0 : random.chance(this.faults.wordDoubled) ? 2 : 1;
      for (let k = 0; k < times; k++) {
        const late = random.chance(this.faults.wordLate) ? random.whole(500, 15_000) : 0;
        this.scheduler.after(this.#latency() + late, () => hear(word));
      }
    }
  }

  #release(of: Transaction): void {
    of.isOver = true;
    this.#open.delete(of);
    if (of.session !== null) this.#sessions.giveBack(of.session);
    of.session = null;
  }

  /** Rolls back, whatever it waits for. */
  async #end(of: Transaction): Promise<void> {
    const { session } = of;
    if (session === null || of.isOver) {
      of.isOver = true;
      return;
    }
    of.isOver = true;
    const at = this.#blocked.findIndex((one) => one.of === of);
    if (at !== -1) {
      const [blocked] = this.#blocked.splice(at, 1);
      await this.#sessions.cancel(session);
      await session.waiting;
      session.waiting = null;
      blocked?.deliver({ is: 'error', error: new Error(BROKEN) });
    }
    await this.#sessions.execute(session, [{ text: 'rollback' }]);
    this.#release(of);
    await this.#goOn();
  }

  /** Locks were given back: whoever has waited for them may go on. */
  async #goOn(): Promise<void> {
    for (const one of this.#blocked.slice()) {
      if (one.of.session === null) continue;
      const executed = await this.#sessions.lookAgain(one.of.session);
      if (executed === 'blocked') continue;
      this.#blocked.splice(this.#blocked.indexOf(one), 1);
      one.deliver(executed);
      await settled();
    }
  }
}
