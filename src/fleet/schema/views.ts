/** What programs and dashboards read of the tables. Made again by each `dacapo fleet init`. */
import type { Sql } from '../database/database.ts';
import { MIN_PASS_USD } from '../functions/function.ts';

interface SqlView {
  readonly columns: readonly string[];
  readonly query: string;
}

export const SQL_VIEWS: Readonly<Record<string, SqlView>> = {
  // What an account may use, what of it is used, and what it is short of for one more loop at work. For
  // programs alone. What has no limit is not counted: a busy day has many passes. Money is set aside for a
  // pass while its worker may still ship it: of one that was lost, only what it used counts. Loops at work
  // that have no pass yet are found from the loops: those at work are few, and passes under way can't be told
  // from the others before somebody has analyzed the table.
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
    select a.id, a.max_loops, a.max_calls_per_hour, a.max_cost_per_day, w.loops, w.between_passes, c.calls,
      m.usd_left, s.short_of,
      case s.short_of
        when 'rate' then c.nth + interval '1 hour'
        when 'cost' then m.oldest + interval '1 day'
      end as room_at
    from dacapo.account a
    cross join lateral (
      select count(*)::int loops, (count(*) filter (
          where num_nonnulls(a.max_calls_per_hour, a.max_cost_per_day) > 0 and not exists (
            select from dacapo.pass p where p.loop = l.id and p.epoch = l.epoch and p.ended is null)
        ))::int between_passes
      from dacapo.loop l join dacapo.hold h on h.loop = l.id
      where l.account = a.id and l.worker is not null and h.lease_until > now()) w
    cross join lateral (
      select count(*)::int calls, (array_agg(began order by began desc))[a.max_calls_per_hour] nth
      from dacapo.pass
      where a.max_calls_per_hour is not null and account = a.id and began > now() - interval '1 hour') c
    cross join lateral (
      select a.max_cost_per_day - coalesce(sum(
          case when ended is null and exists (
            select from dacapo.loop l where l.id = p.loop and l.epoch = p.epoch and l.worker is not null)
          then greatest(usd, coalesce(set_aside, 0)) else usd end), 0) usd_left,
        min(began) filter (where ended is not null and usd > 0) oldest
      from dacapo.pass p
      where a.max_cost_per_day is not null and account = a.id and began > now() - interval '1 day') m
    cross join lateral (
      select case when w.loops >= a.max_loops then 'loops'
        when c.calls + w.between_passes >= a.max_calls_per_hour then 'rate'
        when m.usd_left < ${MIN_PASS_USD} then 'cost' end as short_of) s`,
  },
  // What waits for a worker, for autoscalers. A loop that sleeps counts when it is due, and one whose account
  // has no room does not count.
  ready: {
    columns: ['account', 'needs', 'hosts', 'ready', 'since', 'next_at', 'room'],
    query: `
    select l.account, l.needs, coalesce(l.hosts, '{}'),
      (count(*) filter (where l.ready_at <= now() and r.short_of is null))::int,
      min(l.ready_at) filter (where l.ready_at <= now() and r.short_of is null),
      min(l.ready_at) filter (where l.ready_at > now()),
      min(r.max_loops - r.loops)
    from dacapo.loop l join dacapo.account_room r on r.id = l.account left join dacapo.hold h on h.loop = l.id
    where l.ready_at is not null and coalesce(h.lease_until <= now(), true)
    group by 1, 2, 3`,
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

/**
 * A view with other columns can't be replaced, and those after it may read it. One with the same keeps the
 * rights that people gave.
 */
export async function makeDatabaseViews(sql: Sql): Promise<void> {
  const names = Object.keys(SQL_VIEWS);
  const changed: boolean[] = [];
  for (const [name, { columns }] of Object.entries(SQL_VIEWS))
    changed.push(await hasOtherColumns(sql, name, columns));
  const first = changed.indexOf(true);
  if (first !== -1)
    for (const name of names.slice(first).toReversed()) await sql.query(`drop view if exists dacapo.${name}`);
  for (const [name, { columns, query }] of Object.entries(SQL_VIEWS))
    await sql.query(`create or replace view dacapo.${name} (${columns.join(', ')}) as ${query}`);
}

async function hasOtherColumns(sql: Sql, view: string, columns: readonly string[]): Promise<boolean> {
  const present = await sql.query<{ attname: string }>(
    `select attname from pg_attribute
     where attrelid = to_regclass($1) and attnum > 0 and not attisdropped order by attnum`,
    [`dacapo.${view}`],
  );
  return present.length > 0 && present.map(({ attname }) => attname).join() !== columns.join();
}
