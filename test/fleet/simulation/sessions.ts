/**
 * The real Postgres below a simulated one. Its clock and its notifications are those of the schedule: in this
 * database `now()` says what the scheduler says, and a word to the fleet becomes a row. All other SQL is the
 * product's own. A statement that waits for a lock of another session is told as such. (Postgres finds a function
 * of its own by its number, whatever its row says, so each of ours is a plain select, which is put in its place
 * when a statement is planned.)
 */
import pg from 'pg';
import { openDatabase, NO_TIME_LIMIT } from '#fleet/database/database.ts';
import { initFleet } from '#fleet/schema/init.ts';
import { makeParsers } from '#fleet/database/parsers.ts';

/** In real time: only a statement that takes longer is asked whether it waits. */
const SLOW_MS = 15;

const OWN_CLOCK = `
create schema if not exists sim;
drop table if exists sim.word;
create unlogged table sim.word (k bigint generated always as identity primary key, payload text not null);
create or replace function pg_catalog.now() returns timestamptz language sql stable
  as $$ select current_setting('sim.clock')::timestamptz $$;
create or replace function pg_catalog.clock_timestamp() returns timestamptz language sql volatile
  as $$ select current_setting('sim.clock')::timestamptz $$;
create or replace function sim.note(word text) returns void language plpgsql security definer
  as $$ begin insert into sim.word (payload) values (word); end $$;
create or replace function pg_catalog.pg_notify(text, text) returns void language sql
  as $$ select sim.note($2) $$;
grant usage on schema sim to public;
`;

const CLEAN = `
set sim.clock = '2030-01-01T00:00:00Z';
truncate dacapo.loop, dacapo.account, dacapo.worker, dacapo.news, sim.word restart identity cascade;
insert into dacapo.account (id) values ('default');
`;

export interface Session {
  readonly client: pg.Client;
  readonly pid: number;
  /** What a statement that waits will give. */
  waiting: Promise<Executed> | null;
}

export type Rows = readonly object[];
export type Executed =
  | { readonly is: 'rows'; readonly rows: Rows }
  | { readonly is: 'error'; readonly error: Error };

export class Sessions {
  readonly #url: string;
  readonly #free: Session[] = [];
  readonly #all: Session[] = [];
  #monitor: pg.Client | null = null;

  constructor(url: string) {
    this.#url = url;
  }

  /** Makes the tables of the fleet, and gives this database the clock of the schedules. */
  async prepare(leaseSeconds: number): Promise<void> {
    const database = await openDatabase({ ok: true, url: this.#url, shown: '' }, NO_TIME_LIMIT);
    const made = await initFleet(database, leaseSeconds);
    await database.close();
    if (!made.ok) throw new Error(made.message);
    await this.look(OWN_CLOCK);
  }

  clean(): Promise<unknown> {
    return this.look(CLEAN);
  }

  /** By somebody who is no part of the schedule. */
  async look(text: string, values?: readonly unknown[]): Promise<Rows> {
    this.#monitor ??= await this.#connect();
    return (await this.#monitor.query<object>(text, values === undefined ? undefined : [...values])).rows;
  }

  async take(): Promise<Session> {
    const free = this.#free.pop();
    if (free !== undefined) return free;
    const client = await this.#connect();
    const session = { client, pid: (client as unknown as { processID: number }).processID, waiting: null };
    this.#all.push(session);
    return session;
  }

  giveBack(session: Session): void {
    this.#free.push(session);
  }

  /** `blocked`: it waits for a lock. `waiting` has the rest. */
  async execute(
    session: Session,
    texts: readonly string[],
    values?: readonly unknown[],
  ): Promise<Executed | 'blocked'> {
    const last = texts.length - 1;
    const sent = texts.map((text, k) =>
      session.client.query<object>(text, k === last && values !== undefined ? [...values] : undefined),
    );
    for (const one of sent) one.catch(() => undefined);
    const done = Promise.all(sent).then(
      (results): Executed => ({ is: 'rows', rows: rowsOf(results[last]) }),
      (error: unknown): Executed => ({ is: 'error', error: error as Error }),
    );
    return this.#unlessBlocked(session, done);
  }

  /** After locks were given back. */
  async lookAgain(session: Session): Promise<Executed | 'blocked'> {
    return session.waiting === null ? 'blocked' : this.#unlessBlocked(session, session.waiting);
  }

  async cancel(session: Session): Promise<void> {
    await this.look('select pg_cancel_backend($1)', [session.pid]);
  }

  async close(): Promise<void> {
    await Promise.all(this.#all.map(({ client }) => client.end()));
    await this.#monitor?.end();
  }

  async #unlessBlocked(session: Session, done: Promise<Executed>): Promise<Executed | 'blocked'> {
    session.waiting = done;
    for (;;) {
      const found = await withinReal(done, SLOW_MS);
      if (found !== null) {
        session.waiting = null;
        return found;
      }
      const [row] = await this.look('select cardinality(pg_blocking_pids($1)) > 0 as blocked', [session.pid]);
      if ((row as { blocked: boolean }).blocked) return 'blocked';
    }
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: this.#url, types: makeParsers(pg) });
    await client.connect();
    await client.query('set synchronous_commit = off; set jit = off');
    return client;
  }
}

function rowsOf(result: pg.QueryResult<object> | pg.QueryResult<object>[] | undefined): Rows {
  return Array.isArray(result) ? (result.at(-1)?.rows ?? []) : (result?.rows ?? []);
}

function withinReal<T>(promise: Promise<T>, ms: number): Promise<T | null> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(null), ms);
    void promise.then((value) => {
      clearTimeout(timer);
      resolve(value);
    });
  });
}
