/**
 * What an account may use: loops at work at once, passes begun in an hour, money in a day. A limit is a condition, not a
 * state of a loop: who is refused stays ready and is taken when the account has room again. Whoever counts holds the
 * account's row, so no two count at once.
 */
import type { Sql } from './database.ts';
import { LEAST_USD } from './schema.ts';

export interface Limits {
  readonly max_loops: number | null;
  readonly max_calls_per_hour: number | null;
  readonly max_cost_per_day: number | null;
}

export type AccountLimits = Limits & { readonly account: string };

/** An account is there from its first mention on. */
export async function knowAccount(sql: Sql, account: string): Promise<void> {
  await sql.query('insert into dacapo.account (id) values ($1) on conflict do nothing', [account]);
}

/** Those that are given. The others stay as they were. */
export async function setLimits(sql: Sql, account: string, given: Partial<Limits>): Promise<void> {
  await knowAccount(sql, account);
  for (const [name, value] of Object.entries(given))
    await sql.query(`update dacapo.account set ${name} = $2 where id = $1`, [account, value]);
}

export function readLimits(sql: Sql, account: string | null): Promise<AccountLimits[]> {
  return sql.query<AccountLimits>(
    `select id as account, max_loops, max_calls_per_hour, max_cost_per_day
     from dacapo.account where $1::text is null or id = $1 order by id`,
    [account],
  );
}

/** One row of the view `account_room`: the limits, and what of them is used. */
export interface AccountNow extends Limits {
  readonly id: string;
  /** Loops at work that will soon ask for a pass. */
  readonly between_passes: number;
  readonly calls: number;
  /** Neither spent nor set aside; null: no limit. The database reckons, as cents have no exact number here. */
  readonly usd_left: number | null;
  /** What keeps the account from one more loop at work; null: nothing. */
  readonly short_of: 'loops' | 'rate' | 'cost' | null;
  /** When it may have room again; null: as soon as a loop ends. */
  readonly room_at: string | null;
}

/**
 * Nobody else counts for this account until the transaction is over. Lock a loop first, and its account after it. Where
 * there is no limit there is nothing to count, and nobody waits. Who only names the account, as each row of a loop does,
 * never waits.
 */
export async function lockAccount(sql: Sql, account: string): Promise<AccountNow> {
  await sql.query(
    `select 1 from dacapo.account
     where id = $1 and num_nonnulls(max_loops, max_calls_per_hour, max_cost_per_day) > 0 for no key update`,
    [account],
  );
  const [now] = await sql.query<AccountNow>('select * from dacapo.account_room where id = $1', [account]);
  if (now === undefined) throw new Error(`there is no account ${account}`);
  return now;
}

/**
 * Whether a pass may begin, and what it may cost. The money that is left is shared evenly between the loops at work that
 * have no pass yet, so that one pass does not keep the others waiting.
 */
export function admit(now: AccountNow): { readonly mostUsd: number | null } | null {
  const { max_calls_per_hour, calls, usd_left, between_passes } = now;
  if (max_calls_per_hour !== null && calls >= max_calls_per_hour) return null;
  if (usd_left === null) return { mostUsd: null };
  if (usd_left < LEAST_USD) return null;
  const share = Math.floor((usd_left / Math.max(1, between_passes)) * 100) / 100;
  return { mostUsd: Math.max(LEAST_USD, share) };
}
