/**
 * The real Postgres below a simulated one. Its clock, its notifications and its keys are those of the
 * schedule: in this database `now()` says what the scheduler says, and a word to the fleet becomes a row.
 * (Keys decide in which order a join locks its rows, for one.) All other SQL is the product's own. A statement
 * that waits for a lock of another session is told as such. (Postgres finds a function of its own by its
 * number, whatever its row says, so each of ours is a plain select, which is put in its place when a statement
 * is planned.)
 */
import type { Socket } from 'node:net';
import pg from 'pg';
import { openDatabase, NO_TIME_LIMIT } from '#fleet/database/database.ts';
import { initFleet } from '#fleet/schema/init.ts';
import { makeParsers } from '#fleet/database/parsers.ts';
import { AFTER_COMMIT } from './snapshot.ts';

/** In real time: only a statement that takes longer is asked whether it waits. */
const SLOW_MS = 4;
/** Emptied without new files, which cost more than a whole schedule; only so often with them. */
const TRUNCATE_EVERY = 200;

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
create sequence if not exists sim.uuids;
create or replace function sim.uuid() returns uuid language plpgsql security definer
  as $$ begin return md5(nextval('sim.uuids')::text)::uuid; end $$;
create or replace function pg_catalog.gen_random_uuid() returns uuid language sql volatile
  as $$ select sim.uuid() $$;
grant usage on schema sim to public;
`;

const TABLES = ['loop', 'event', 'file', 'inbox', 'pass', 'pushed', 'hold', 'account', 'worker', 'news'];
const FIRST_ROW = "insert into dacapo.account (id) values ('default'); select setval('sim.uuids', 1);";
/** Keys between the tables are not looked at: all of them are emptied. */
const DELETE = `
begin; set local session_replication_role = replica;
${TABLES.map((table) => `delete from dacapo.${table};`).join(' ')} delete from sim.word;
${FIRST_ROW} commit;
`;
const TRUNCATE = `
set sim.clock = '2030-01-01T00:00:00Z';
truncate ${TABLES.map((table) => `dacapo.${table}`).join()}, sim.word restart identity;
${FIRST_ROW}
`;
/** Nothing of the server happens by itself, or plans would follow from the real time. */
const QUIET = TABLES.map((table) => `alter table dacapo.${table} set (autovacuum_enabled = off);`).join(' ');
/** Each session plans a statement once. Nothing has to survive the server. */
const SETTINGS = 'set synchronous_commit = off; set jit = off; set plan_cache_mode = force_generic_plan';

/** What the types of `pg` do not tell. */
interface Inside {
  readonly processID: number;
  readonly connection: { readonly stream: Socket };
}

export interface Session {
  readonly client: pg.Client;
  readonly pid: number;
  readonly stream: Socket;
  /** What a statement that waits will give. */
  waiting: Promise<Executed> | null;
}

/** One with a semicolon has no values. */
export interface Statement {
  readonly text: string;
  readonly values?: readonly unknown[];
}

export type Rows = readonly object[];
export type Executed =
  | { readonly is: 'rows'; readonly rows: Rows }
  | { readonly is: 'error'; readonly error: Error };

export class Sessions {
  readonly #url: string;
  readonly #free: Session[] = [];
  readonly #all: Session[] = [];
  readonly #names = new Map<string, string>();
  /** What is told how long the last of some statements took, where none had to wait for a lock. */
  onExecuted: (text: string, ms: number) => void = () => undefined;
  #monitor: pg.Client | null = null;
  #cleaned = 0;

  constructor(url: string) {
    this.#url = url;
  }

  /** Makes the tables of the fleet, and gives this database the clock of the schedules. */
  async prepare(leaseSeconds: number): Promise<void> {
    const database = await openDatabase({ ok: true, url: this.#url, shown: '' }, NO_TIME_LIMIT);
    const made = await initFleet(database, leaseSeconds);
    await database.close();
    if (!made.ok) throw new Error(made.message);
    await this.look(OWN_CLOCK + AFTER_COMMIT + QUIET);
  }

  clean(): Promise<unknown> {
    return this.look(this.#cleaned++ % TRUNCATE_EVERY === 0 ? TRUNCATE : DELETE);
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
    const { processID: pid, connection } = client as unknown as Inside;
    const session = { client, pid, stream: connection.stream, waiting: null };
    this.#all.push(session);
    return session;
  }

  giveBack(session: Session): void {
    this.#free.push(session);
  }

  /**
   * Sends all of them at once, and gives the rows of the last. `blocked`: one waits for a lock, and `waiting`
   * has the rest.
   */
  async execute(session: Session, statements: readonly Statement[]): Promise<Executed | 'blocked'> {
    const { client, stream } = session;
    stream.cork();
    const sent = statements.map((one) => client.query<object>(this.#prepare(one)));
    stream.uncork();
    for (const one of sent) one.catch(() => undefined);
    const done = Promise.all(sent).then(
      (results): Executed => ({ is: 'rows', rows: rowsOf(results.at(-1)) }),
      (error: unknown): Executed => ({ is: 'error', error: error as Error }),
    );
    const began = performance.now();
    const executed = await this.#unlessBlocked(session, done);
    if (executed !== 'blocked') this.onExecuted(statements.at(-1)?.text ?? '', performance.now() - began);
    return executed;
  }

  /** How many connections there are. */
  count(): number {
    return this.#all.length;
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

  /** Prepared under the name of its text, in each session once. */
  #prepare({ text, values }: Statement): pg.QueryConfig {
    if (text.includes(';') || text === 'rollback') return { text };
    const name = this.#names.get(text) ?? `s${this.#names.size}`;
    this.#names.set(text, name);
    return { name, text, values: [...(values ?? [])] };
  }

  async #unlessBlocked(session: Session, done: Promise<Executed>): Promise<Executed | 'blocked'> {
    session.waiting = done;
    const isAlone = this.#all.length - this.#free.length === 1;
    for (;;) {
      const found = isAlone ? await done : await withinReal(done, SLOW_MS);
      if (found !== null) {
        session.waiting = null;
        return found;
      }
      const [row] = await this.look('select cardinality(pg_blocking_pids($1)) > 0 as blocked', [session.pid]);
      if ((row as { blocked: boolean }).blocked) return 'blocked';
    }
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: this.#url, types: makeParsers(pg), pipeline: true });
    await client.connect();
    await client.query(SETTINGS);
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
