/**
 * The NOTIFY messages of a fleet. Everybody who can connect may send one, so a message only means that it is
 * worth reading the row. A program that misses one finds out at its next regular look.
 */
import { either, isId, list, maybe, oneOf, record, text, type Infer } from '#base/shape.ts';
import type { Sql } from './transact.ts';

export const CHANNEL = 'dacapo';

export const fleetWord = either(
  /** A loop that needs these labels and hosts may be taken. Without them: any. */
  record({ is: oneOf('ready'), needs: maybe(list(text)), hosts: maybe(list(text)) }),
  /** Whoever has this loop may have lost it. */
  record({ is: oneOf('fenced'), loop: isId }),
  record({ is: oneOf('drain'), worker: isId }),
);
export type FleetWord = Infer<typeof fleetWord>;

/** Heard when the transaction is over. */
export async function notifyFleet(sql: Sql, word: FleetWord): Promise<void> {
  await sql.query('select pg_notify($1, $2)', [CHANNEL, JSON.stringify(word)]);
}

/** A word may have 8,000 bytes. A loop with more labels than fit is told to everybody. */
const MAX_LABELS_BYTES = 4_000;

/** The loop may be taken: whoever could take it looks. */
export async function notifyReady(sql: Sql, loop: string): Promise<void> {
  await sql.query(
    `select pg_notify($1,
       (case when octet_length(w.for::text) <= $3 then w.for else '{}' end || '{"is":"ready"}')::text)
     from dacapo.loop l
     cross join lateral (
       select jsonb_build_object('needs', l.needs, 'hosts', coalesce(l.hosts, '{}')) as for) w
     where l.id = $2`,
    [CHANNEL, loop, MAX_LABELS_BYTES],
  );
}

/**
 * The account of this loop may have room for others, which nobody has to hear where it has no limit.
 * `ofMoney`: only money was given back.
 */
export async function notifyRoom(sql: Sql, loop: string, ofMoney: boolean): Promise<void> {
  await sql.query(
    `select pg_notify($1, '{"is":"ready"}') from dacapo.loop l join dacapo.account a on a.id = l.account
     where l.id = $2 and (a.max_cost_per_day is not null
       or not $3 and num_nonnulls(a.max_loops, a.max_calls_per_hour) > 0)`,
    [CHANNEL, loop, ofMoney],
  );
}

interface Able {
  readonly name: string;
  readonly labels: readonly string[];
  readonly hosts: readonly string[];
}

/** Whether a worker has to look because of it. Which loops are its own, it knows itself. */
export function concerns(word: FleetWord, { name, labels, hosts }: Able): boolean {
  switch (word.is) {
    case 'ready':
      return isWithin(word.needs ?? [], labels) && isWithin(word.hosts ?? [], hosts);
    case 'drain':
      return word.worker === name;
    case 'fenced':
      return true;
  }
}

function isWithin(wanted: readonly string[], there: readonly string[]): boolean {
  return wanted.every((one) => there.includes(one));
}
