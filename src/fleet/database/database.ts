/**
 * The one connection to Postgres. `pg` is loaded when a fleet is opened, so no other command pays for it. A
 * query without an answer fails after a while and its connection is dropped: a network that swallows bytes
 * must not block a worker.
 */
import type { Client, Pool } from 'pg';
import { codeOf, errorMessage } from '#base/shape.ts';
import { refuse, type Refusal } from '#base/refusal.ts';
import type { Address } from './address.ts';
import { openLine, type DatabaseLine } from './line.ts';
import { makeParsers } from './parsers.ts';
import { QUERY_LIMIT_MS, transact, type Sql } from './transact.ts';
import type { FleetWord } from './words.ts';

export type { Sql } from './transact.ts';

const CONNECT_LIMIT_MS = 5_000;
const MAX_POOL_CONNECTIONS = 4;

export interface Database extends Sql {
  /** All of it or nothing. It throws what `act` throws. */
  readonly transaction: <T>(act: (sql: Sql) => Promise<T>) => Promise<T>;
  /** Until it is closed. */
  readonly openLine: (heard: (word: FleetWord) => void) => DatabaseLine;
  /** One statement outside of any transaction, without a time limit: the way to build an index. */
  readonly runAlone: (statement: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** For who changes tables: a column of many rows takes minutes. */
export const NO_TIME_LIMIT = 0;

/** Nothing is connected yet. `queryMs`: how long a query may last. */
export async function openDatabase({ url }: Address, queryMs: number = QUERY_LIMIT_MS): Promise<Database> {
  const { default: pg } = await import('pg');
  const options = {
    connectionString: url,
    connectionTimeoutMillis: CONNECT_LIMIT_MS,
    application_name: 'dacapo',
    keepAlive: true,
    types: makeParsers(pg),
  };
  const limited = { ...options, query_timeout: queryMs };
  const pool = new pg.Pool({ ...limited, max: MAX_POOL_CONNECTIONS });
  // A connection that breaks while nobody asks anything: the next query makes another one.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return {
    query: (text, values) => transaction(pool, queryMs, (sql) => sql.query(text, values)),
    transaction: (act) => transaction(pool, queryMs, act),
    openLine: (heard) => openLine(() => new pg.Client(limited), heard),
    runAlone: (statement) => runAlone(new pg.Client(options), statement),
    close: () => pool.end(),
  };
}

async function runAlone(client: Client, statement: string): Promise<void> {
  client.on('error', () => undefined);
  try {
    await client.connect();
    // The server or the user may have limits of their own.
    await client.query('set statement_timeout = 0; set lock_timeout = 0');
    await client.query(statement);
  } finally {
    await client.end();
  }
}

async function transaction<T>(pool: Pool, queryMs: number, act: (sql: Sql) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    const result = await transact(client, act, queryMs);
    client.release();
    return result;
  } catch (error) {
    client.release(true);
    throw error;
  }
}

/**
 * What an error of the database means for a person. Null: it is not one that a person can do anything about.
 * `later`: another try may work, because the database is down or can't be reached.
 */
export function explainDatabaseError(
  error: unknown,
  { shown }: Address,
): (Refusal & { readonly later: boolean }) | null {
  const code = codeOf(error);
  const message = errorMessage(error) || code;
  const say = (id: string, what: string, next: string) => ({ ...refuse(id, what, next), later: id === AWAY });
  const url = `the URL, ${shown}.`;
  if (code === '28P01' || code === '28000' || /client password must be/.test(message))
    return say('wrong-password', 'The database refuses the user or the password.', `Check both in ${url}`);
  if (code === '3D000')
    return say('no-database', `There is no such database: ${shown}.`, 'Check the name, or run createdb.');
  if (code === '42501') {
    const next = 'Use the owner of the database, or let the owner grant dacapo_person or dacapo_worker.';
    return say('no-rights', `The user of ${shown} has no rights there: ${message}.`, next);
  }
  if (!UNREACHABLE.test(code) && !/timeout|terminated|connection|SSL/i.test(message)) return null;
  return say(
    AWAY,
    `The database can't be reached (${message}).`,
    `Check that it is running, and check ${url}`,
  );
}

const AWAY = 'unreachable';
/**
 * Its classes 08 (connection), 40 (deadlock), 53 (no room) and 57 (shut down, starting), and what the system
 * says.
 */
const UNREACHABLE = /^(08|40|53|57|E[A-Z_]+$)/;
