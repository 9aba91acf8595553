/**
 * The one door to Postgres. `pg` is loaded when a fleet is opened, so no other command pays for it. A query
 * that gets no answer fails after a while and its connection is dropped: a network that swallows bytes must
 * not hold a worker.
 */
import type { Pool } from 'pg';
import { codeOf, errorMessage } from '#base/shape.ts';
import { refuse, type Refusal } from '#base/refusal.ts';
import type { Address } from './address.ts';
import { openLine, type Line } from './line.ts';
import { QUERY_MS, transact, type Sql } from './transact.ts';
import type { FleetWord } from './words.ts';

export type { Sql } from './transact.ts';

const CONNECT_MS = 5_000;
const CONNECTIONS = 4;

export interface Database extends Sql {
  /** All of it or nothing. It throws what `act` throws. */
  readonly transaction: <T>(act: (sql: Sql) => Promise<T>) => Promise<T>;
  /** Until it is closed. */
  readonly openLine: (heard: (word: FleetWord) => void) => Line;
  readonly close: () => Promise<void>;
}

/** Nothing is connected yet. */
export async function openDatabase({ url }: Address): Promise<Database> {
  const { default: pg } = await import('pg');
  const { builtins } = pg.types;
  // Postgres gives instants as its own text, and numbers of any size as text. Ours are ISO, and small.
  const parsers = new Map<number, (text: string) => unknown>([
    [builtins.TIMESTAMPTZ, (text) => new Date(text).toISOString()],
    [builtins.NUMERIC, Number],
    [builtins.INT8, Number],
  ]);
  const options = {
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: QUERY_MS,
    application_name: 'dacapo',
    keepAlive: true,
    types: {
      getTypeParser: ((oid: number, format?: 'text') =>
        parsers.get(oid) ?? pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
    },
  };
  const pool = new pg.Pool({ ...options, max: CONNECTIONS });
  // A connection that breaks while nobody asks anything: the next query makes another one.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return {
    query: (text, values) => transaction(pool, (sql) => sql.query(text, values)),
    transaction: (act) => transaction(pool, act),
    openLine: (heard) => openLine(() => new pg.Client(options), heard),
    close: () => pool.end(),
  };
}

async function transaction<T>(pool: Pool, act: (sql: Sql) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    const result = await transact(client, act);
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
export function explain(error: unknown, { shown }: Address): (Refusal & { readonly later: boolean }) | null {
  const code = codeOf(error);
  const message = errorMessage(error) || code;
  const say = (id: string, what: string, next: string) => ({ ...refuse(id, what, next), later: id === AWAY });
  const url = `the URL, ${shown}.`;
  if (code === '28P01' || code === '28000' || /client password must be/.test(message))
    return say('wrong-password', 'The database refuses the user or the password.', `Look at both in ${url}`);
  if (code === '3D000')
    return say('no-database', `There is no such database: ${shown}.`, 'Look at its name, or run createdb.');
  if (code === '42501') {
    const next = 'Use the owner of the database, or let the owner grant dacapo_person or dacapo_worker.';
    return say('no-rights', `The user of ${shown} has no rights there: ${message}.`, next);
  }
  if (!UNREACHABLE.test(code) && !/timeout|terminated|connection|SSL/i.test(message)) return null;
  return say(AWAY, `The database can't be reached (${message}).`, `Look whether it runs, and at ${url}`);
}

const AWAY = 'unreachable';
/**
 * Its classes 08 (connection), 40 (deadlock), 53 (no room) and 57 (shut down, starting), and what the system
 * says.
 */
const UNREACHABLE = /^(08|40|53|57|E[A-Z_]+$)/;
