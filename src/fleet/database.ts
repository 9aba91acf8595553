/**
 * The one door to Postgres. `pg` is loaded when a fleet is opened, so no other command pays for it. A query
 * that gets no answer fails after a while and its connection is dropped: a network that swallows bytes must
 * not hold a worker.
 */
import type { Client, Pool, PoolClient } from 'pg';
import { codeOf, either, errorMessage, isId, oneOf, parseAs, record, type Infer } from '#base/shape.ts';
import { refuse, type Refusal } from '#base/refusal.ts';
import type { Address } from './address.ts';

const CONNECT_MS = 5_000;
const QUERY_MS = 5_000;
/**
 * A worker that is frozen in the middle of a transaction holds the row of an account. The server takes it
 * back.
 */
const FROZEN_MS = 3_000;
const RECONNECT_MS = 1_000;
const CONNECTIONS = 4;
const CHANNEL = 'dacapo';

export interface Sql {
  readonly query: <Row extends object>(text: string, values?: readonly unknown[]) => Promise<Row[]>;
}

export interface Database extends Sql {
  /** All of it or nothing. It throws what `act` throws. */
  readonly transaction: <T>(act: (sql: Sql) => Promise<T>) => Promise<T>;
  /**
   * Until the returned function is called. A lost connection is made again; what was said meanwhile is not
   * heard.
   */
  readonly listen: (heard: (word: FleetWord) => void) => () => void;
  readonly close: () => Promise<void>;
}

/**
 * What the parts of a fleet tell each other. Everybody who may connect can say such a word, so it only means
 * that it is worth a look: who hears it reads the row, and who misses it finds out by looking.
 */
const fleetWord = either(
  /** A loop may be taken. */
  record({ is: oneOf('ready') }),
  /** Whoever has this loop may have lost it. */
  record({ is: oneOf('fenced'), loop: isId }),
  record({ is: oneOf('drain'), worker: isId }),
);
export type FleetWord = Infer<typeof fleetWord>;

/** Heard when the transaction is over. */
export async function say(sql: Sql, word: FleetWord): Promise<void> {
  await sql.query('select pg_notify($1, $2)', [CHANNEL, JSON.stringify(word)]);
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
    application_name: 'dacapo',
    keepAlive: true,
    types: {
      getTypeParser: ((oid: number, format?: 'text') =>
        parsers.get(oid) ?? pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
    },
  };
  const pool = new pg.Pool({ ...options, max: CONNECTIONS, query_timeout: QUERY_MS });
  // A connection that breaks while nobody asks anything: the next query makes another one.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return {
    query: sqlOf(pool).query,
    transaction: (act) => transaction(pool, act),
    listen: (heard) => listen(() => new pg.Client(options), heard),
    close: () => pool.end(),
  };
}

function sqlOf(on: Pool | PoolClient): Sql {
  return {
    query: async <Row extends object>(text: string, values?: readonly unknown[]) =>
      (await on.query<Row>(text, values === undefined ? undefined : [...values])).rows,
  };
}

/**
 * Limits are counted after a lock, so a snapshot from before it would be wrong: the isolation is ours,
 * whatever the database is set to. Whoever gives up waiting leaves no query behind on the server. Our queries
 * are small: to compile one takes a thousand times longer than to run it, once the tables are large.
 */
const BEGIN = [
  'begin isolation level read committed',
  `set local idle_in_transaction_session_timeout = ${FROZEN_MS}`,
  `set local statement_timeout = ${QUERY_MS}`,
  'set local jit = off',
].join('; ');

async function transaction<T>(pool: Pool, act: (sql: Sql) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query(BEGIN);
    const result = await act(sqlOf(client));
    await client.query('commit');
    client.release();
    return result;
  } catch (error) {
    // Dropping the connection rolls back, also where it no longer answers.
    client.release(true);
    throw error;
  }
}

function listen(connect: () => Client, heard: (word: FleetWord) => void): () => void {
  let isOver = false;
  let client: Client | null = null;
  const begin = async (): Promise<void> => {
    // The caller may have left while this waited for another try.
    if (isOver) return;
    const mine = connect();
    client = mine;
    let isDown = false;
    const again = () => {
      if (isDown || isOver) return;
      isDown = true;
      mine.end().catch(() => undefined);
      setTimeout(() => void begin(), RECONNECT_MS);
    };
    mine.on('error', again);
    mine.on('end', again);
    mine.on('notification', ({ payload }) => {
      const word = parseAs(fleetWord, payload ?? null);
      if (word !== null) heard(word);
    });
    try {
      await mine.connect();
      await mine.query(`listen ${CHANNEL}`);
    } catch {
      again();
    }
  };
  void begin();
  return () => {
    isOver = true;
    client?.end().catch(() => undefined);
  };
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
