/** What programs and dashboards read of the tables. Made again by each `dacapo fleet init`. */
import type { Sql } from '../database.ts';
import { LEAST_USD } from '../functions/function.ts';

interface View {
  readonly columns: readonly string[];
  readonly query: string;
}

export const VIEWS: Readonly<Record<string, View>> = {
  // What an account may use, what of it is used, and what it is short of for one more loop at work. For
  // programs alone. What has no limit is not counted: a busy day has many passes.
  account_room: {
    columns: [
      'id',
      'max_loops',
      'max_calls_per_hour',
      'max_cost_per_day',
      'loops',
      'between_passes',
      'calls',
      'usd_left',
      'short_of',
      'room_at',
    ],
    query: `
    select a.id, a.max_loops, a.max_calls_per_hour, a.max_cost_per_day, w.loops, b.between_passes, c.calls,
      m.usd_left, s.short_of,
      case s.short_of
        when 'rate' then c.nth + interval '1 hour'
        when 'cost' then m.oldest + interval '1 day'
      end as room_at
    from dacapo.account a
    cross join lateral (
      select count(*)::int loops from dacapo.loop
      where account = a.id and worker is not null and lease_until > now()) w
    cross join lateral (
      select w.loops - count(*)::int as between_passes
      from dacapo.pass p join dacapo.loop l on l.id = p.loop and l.epoch = p.epoch
      where p.account = a.id and p.ended is null and p.began > now() - interval '2 days'
        and l.worker is not null and l.lease_until > now()) b
    cross join lateral (
      select count(*)::int calls, (array_agg(began order by began desc))[a.max_calls_per_hour] nth
      from dacapo.pass
      where a.max_calls_per_hour is not null and account = a.id and began > now() - interval '1 hour') c
    cross join lateral (
      select a.max_cost_per_day - coalesce(sum(
          case when ended is null then greatest(usd, coalesce(set_aside, 0)) else usd end), 0) usd_left,
        min(began) filter (where ended is not null and usd > 0) oldest
      from dacapo.pass
      where a.max_cost_per_day is not null and account = a.id and began > now() - interval '1 day') m
    cross join lateral (
      select case when w.loops >= a.max_loops then 'loops'
        when c.calls + b.between_passes >= a.max_calls_per_hour then 'rate'
        when m.usd_left < ${LEAST_USD} then 'cost' end as short_of) s`,
  },
  iterations: {
    columns: ['loop', 'stop', 'at', 'verdict', 'cost_usd'],
    query: `
    select loop, (body->>'n')::int, at, body->'verdict'->>'is', (body->'used'->>'costUsd')::numeric
    from dacapo.event where type = 'verdict'`,
  },
  spending: {
    columns: ['account', 'loop', 'day', 'passes', 'usd'],
    query: `
    select account, loop, date_trunc('day', began), count(*), sum(usd) from dacapo.pass group by 1, 2, 3`,
  },
};

/** A view with other columns can't be replaced. One with the same keeps the rights that people gave. */
export async function makeViews(sql: Sql): Promise<void> {
  for (const [name, { columns, query }] of Object.entries(VIEWS)) {
    const present = await sql.query<{ attname: string }>(
      `select attname from pg_attribute
       where attrelid = to_regclass($1) and attnum > 0 and not attisdropped order by attnum`,
      [`dacapo.${name}`],
    );
    if (present.map(({ attname }) => attname).join() !== columns.join())
      await sql.query(`drop view if exists dacapo.${name}`);
    await sql.query(`create or replace view dacapo.${name} (${columns.join(', ')}) as ${query}`);
  }
}
