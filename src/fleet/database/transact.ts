/** A transaction as every program of a fleet makes it, however the database is set up. */
import type { Client, PoolClient } from 'pg';

/** How long a query may last, for who asks and for the server; 0: as long as it takes. */
export const QUERY_LIMIT_MS = 5_000;
/**
 * A worker that is frozen in the middle of a transaction holds the row of an account. The server takes it
 * back.
 */
const IDLE_TRANSACTION_LIMIT_MS = 3_000;

export interface Sql {
  readonly query: <Row extends object>(text: string, values?: readonly unknown[]) => Promise<Row[]>;
}

function sqlOf(on: Client | PoolClient): Sql {
  return {
    query: async <Row extends object>(text: string, values?: readonly unknown[]) =>
      (await on.query<Row>(text, values === undefined ? undefined : [...values])).rows,
  };
}

/**
 * Limits are counted after a lock, so a snapshot from before it would be wrong: the isolation is ours,
 * whatever the database is set to. Whoever gives up waiting leaves no query behind on the server. Our queries
 * are small: to compile one takes a thousand times longer than to run it, once the tables are large. A pooler
 * gives the next transaction to another connection, so all of this is said at each.
 */
function sayBegin(queryMs: number): string {
  return [
    'begin isolation level read committed',
    `set local idle_in_transaction_session_timeout = ${IDLE_TRANSACTION_LIMIT_MS}`,
    `set local statement_timeout = ${queryMs}`,
    'set local jit = off',
  ].join('; ');
}

/** After an error the connection is of no use any more: to drop it rolls back, also where it is silent. */
export async function transact<T>(
  client: Client | PoolClient,
  act: (sql: Sql) => Promise<T>,
  queryMs: number = QUERY_LIMIT_MS,
): Promise<T> {
  await client.query(sayBegin(queryMs));
  const result = await act(sqlOf(client));
  await client.query('commit');
  return result;
}
