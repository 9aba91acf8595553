/** The loops that wait for a worker, for programs that start workers: the view `dacapo.ready`. */
import type { Sql } from '../database/database.ts';

export interface ReadyLoopCount {
  readonly account: string;
  readonly needs: readonly string[];
  readonly hosts: readonly string[];
  /** How many a worker could take now. None of an account that has no room. */
  readonly ready: number;
  /** Since when the oldest of them is due; null: there is none. */
  readonly since: string | null;
  /** When the next one that sleeps is due; null: none sleeps. */
  readonly next_at: string | null;
  /** How many more loops the account may have at work; null: any number. */
  readonly room: number | null;
}

export function readReady(sql: Sql): Promise<ReadyLoopCount[]> {
  return sql.query<ReadyLoopCount>(
    `select account, needs, hosts, ready, since, next_at, room from dacapo.ready
     order by account, needs, hosts`,
  );
}
