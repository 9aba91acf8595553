/**
 * What an account may use: loops at work at once, passes begun in an hour, money in a day. A limit is a condition, not a
 * state of a loop: who is refused stays ready and is taken when the account has room again. Whoever counts holds the
 * account's row, so no two count at once.
 */
import type { Sql } from './database.ts';

export interface Limits {
  readonly max_loops: number | null;
  readonly max_calls_per_hour: number | null;
  readonly max_cost_per_day: number | null;
}

export interface AccountLimits extends Limits {
  readonly account: string;
}

/** A pass with less money than this could not even begin. */
const LEAST_USD = 0.01;

/** An account is there from its first mention on. */
export async function knowAccount(sql: Sql, account: string): Promise<void> {
  await sql.query('insert into dacapo.account (id) values ($1) on conflict do nothing', [account]);
}

/** Undefined: as it was. */
export async function setLimits(
  sql: Sql,
  account: string,
  given: { readonly [K in keyof Limits]?: Limits[K] | undefined },
): Promise<void> {
  await knowAccount(sql, account);
  for (const [name, value] of Object.entries(given))
    if (value !== undefined)
      await sql.query(`update dacapo.account set ${name} = $2 where id = $1`, [account, value]);
}

export function readLimits(sql: Sql, account: string | null): Promise<AccountLimits[]> {
  return sql.query<AccountLimits>(
    `select id as account, max_loops, max_calls_per_hour, max_cost_per_day
     from dacapo.account where $1::text is null or id = $1 order by id`,
    [account],
  );
}

/** One row of the view `account_now`: the limits, and what of them is used. */
export interface AccountNow extends Limits {
  readonly id: string;
  /** At work. */
  readonly loops: number;
  /** Of those, the ones that will soon ask for a pass. */
  readonly between_passes: number;
  readonly calls: number;
  /** The call whose hour has to be over before there may be another one. */
  readonly nth: string | null;
  /** Spent or set aside. */
  readonly usd: number;
  /** When the oldest pass of this day began. */
  readonly oldest: string | null;
}

export interface Shortage {
  readonly for: 'loops' | 'rate' | 'cost';
  readonly until: string | null;
}

/** What keeps the account from one more loop at work; null: nothing. */
export function shortageOf(now: AccountNow): Shortage | null {
  const { max_loops, max_calls_per_hour, max_cost_per_day, loops, calls, between_passes, nth, oldest } = now;
  if (max_loops !== null && loops >= max_loops) return { for: 'loops', until: null };
  if (max_calls_per_hour !== null && calls + between_passes >= max_calls_per_hour)
    return { for: 'rate', until: nth === null ? null : after(nth, 3_600_000) };
  if (max_cost_per_day !== null && max_cost_per_day - now.usd < LEAST_USD)
    return { for: 'cost', until: oldest === null ? null : after(oldest, 86_400_000) };
  return null;
}

function after(instant: string, ms: number): string {
  return new Date(Date.parse(instant) + ms).toISOString();
}

/** The same as a condition on a row `n` of the view. */
export const HAS_ROOM = `
  (n.max_loops is null or n.loops < n.max_loops)
  and (n.max_calls_per_hour is null or n.calls + n.between_passes < n.max_calls_per_hour)
  and (n.max_cost_per_day is null or n.max_cost_per_day - n.usd >= ${LEAST_USD})`;

/** Nobody else counts for this account until the transaction is over. Lock a loop first, and its account after it. */
export async function lockAccount(sql: Sql, account: string): Promise<AccountNow> {
  await sql.query('select 1 from dacapo.account where id = $1 for update', [account]);
  const [now] = await sql.query<AccountNow>('select * from dacapo.account_now where id = $1', [account]);
  if (now === undefined) throw new Error(`there is no account ${account}`);
  return now;
}

/**
 * Whether a pass may begin, and what it may cost. The money that is left is shared evenly between the loops at work that
 * have no pass yet, so that one pass does not keep the others waiting.
 */
export function admit(now: AccountNow): { readonly mostUsd: number | null } | null {
  const { max_calls_per_hour, max_cost_per_day, calls, usd, between_passes } = now;
  if (max_calls_per_hour !== null && calls >= max_calls_per_hour) return null;
  if (max_cost_per_day === null) return { mostUsd: null };
  const left = max_cost_per_day - usd;
  if (left < LEAST_USD) return null;
  const share = Math.floor((left / Math.max(1, between_passes)) * 100) / 100;
  return { mostUsd: Math.max(LEAST_USD, share) };
}
