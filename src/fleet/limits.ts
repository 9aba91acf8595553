/**
 * What an account may use: loops at work at once, passes begun per hour, money per day. A limit is a
 * condition of taking a loop, not a state of the loop: a refused loop stays ready, and is taken when the
 * account has room again. Counting locks the account's row, so no two workers count at once.
 */
import type { Sql } from './database/database.ts';

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
  /**
   * Neither spent nor set aside; null: no limit. The database reckons, as cents have no exact number here.
   */
  readonly usd_left: number | null;
  /** What keeps the account from one more loop at work; null: nothing. */
  readonly short_of: 'loops' | 'rate' | 'cost' | null;
  /** When it may have room again; null: as soon as a loop ends. */
  readonly room_at: string | null;
}
