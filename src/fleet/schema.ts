/**
 * The tables of a fleet. A loop is one row: who works on it (`worker`, until `lease_until`), when somebody may
 * (`ready_at`; null: nobody), and the fence of everything that its worker writes (`epoch`). Its journal, the files beside
 * it and its passes have a row each. All instants are the database's own.
 */
import { refuse, type Refusal } from '../core/refusal.ts';
import { errorMessage } from '../core/shape.ts';
import type { Sql } from './database.ts';

/** Changes only when older programs can't go on. What is added leaves it. */
export const SCHEMA = 1;

/** Why `init` can do nothing either. */
export const NEWER = 'new-schema';

const LEASE_SECONDS = 15;
export const LEAST_LEASE_SECONDS = 10;

/** A pass with less money than this could not even begin. */
export const LEAST_USD = 0.01;

/** Each statement may run again: `init` on a fleet that is there changes nothing. */
const TABLES = `
create schema if not exists dacapo;
create table if not exists dacapo.schema_version (version int not null);
create table if not exists dacapo.setting (lease_seconds int not null);

create table if not exists dacapo.account (
  id text primary key,
  max_loops int, max_calls_per_hour int, max_cost_per_day numeric
);

create table if not exists dacapo.worker (
  name text primary key, machine text not null, labels text[] not null, capacity int not null, version text not null,
  draining boolean not null default false, seen_at timestamptz not null default now()
);

create table if not exists dacapo.loop (
  id text primary key,
  account text not null references dacapo.account,
  name text, repo text not null, ref text not null, needs text[] not null, priority int not null,
  setup text, points text, branch text, request jsonb not null,
  status text not null, report jsonb not null, requests jsonb not null default '[]',
  waits_for text, ready_at timestamptz default now(), tries int not null default 0, trouble text,
  epoch int not null default 0, worker text, lease_until timestamptz,
  events int not null default 0, base text, head text, point text, point_ref text,
  submitted_at timestamptz not null default now(), updated_at timestamptz not null default now()
);
alter table dacapo.loop add column if not exists journal int not null default 0;
alter table dacapo.worker add column if not exists journal int;
create index if not exists loop_ready on dacapo.loop (ready_at) where ready_at is not null;
create index if not exists loop_at_work on dacapo.loop (account) where worker is not null;

create table if not exists dacapo.event (
  loop text not null references dacapo.loop on delete cascade,
  n int not null, epoch int not null, type text not null, at timestamptz not null, body jsonb not null,
  stop int,
  primary key (loop, n)
);
create unique index if not exists no_stop_is_judged_twice on dacapo.event (loop, stop) where stop is not null;

create table if not exists dacapo.file (
  loop text not null references dacapo.loop on delete cascade,
  name text not null, sha256 text not null, content bytea not null,
  primary key (loop, name)
);

create table if not exists dacapo.inbox (
  k bigint generated always as identity primary key,
  loop text not null references dacapo.loop on delete cascade,
  act jsonb not null
);
create index if not exists inbox_of_loop on dacapo.inbox (loop);

create table if not exists dacapo.pass (
  loop text not null references dacapo.loop on delete cascade,
  n int not null, epoch int not null, account text not null, worker text not null,
  began timestamptz not null default clock_timestamp(), ended timestamptz,
  set_aside numeric, usd numeric not null default 0, tokens bigint not null default 0,
  primary key (loop, n)
);
create index if not exists pass_of_account on dacapo.pass (account, began);
create index if not exists pass_under_way on dacapo.pass (loop) where ended is null;

create unlogged table if not exists dacapo.news (
  k bigint generated always as identity primary key, loop text not null, line jsonb not null
);
create index if not exists news_of_loop on dacapo.news (loop, k);

-- What an account may use, what of it is used, and what it is short of for one more loop at work. For programs alone.
-- What has no limit is not counted: a busy day has many passes.
create or replace view dacapo.account_room as
  select a.id, a.max_loops, a.max_calls_per_hour, a.max_cost_per_day, w.loops, b.between_passes, c.calls, m.usd_left, s.short_of,
    case s.short_of when 'rate' then c.nth + interval '1 hour' when 'cost' then m.oldest + interval '1 day' end as room_at
  from dacapo.account a
  cross join lateral (
    select count(*)::int loops from dacapo.loop
    where account = a.id and worker is not null and lease_until > now()) w
  cross join lateral (
    select w.loops - count(*)::int as between_passes from dacapo.pass p join dacapo.loop l on l.id = p.loop and l.epoch = p.epoch
    where p.account = a.id and p.ended is null and p.began > now() - interval '2 days'
      and l.worker is not null and l.lease_until > now()) b
  cross join lateral (
    select count(*)::int calls, (array_agg(began order by began desc))[a.max_calls_per_hour] nth
    from dacapo.pass where a.max_calls_per_hour is not null and account = a.id and began > now() - interval '1 hour') c
  cross join lateral (
    select a.max_cost_per_day
        - coalesce(sum(case when ended is null then greatest(usd, coalesce(set_aside, 0)) else usd end), 0) usd_left,
      min(began) filter (where ended is not null and usd > 0) oldest
    from dacapo.pass where a.max_cost_per_day is not null and account = a.id and began > now() - interval '1 day') m
  cross join lateral (
    select case when w.loops >= a.max_loops then 'loops'
      when c.calls + b.between_passes >= a.max_calls_per_hour then 'rate'
      when m.usd_left < ${LEAST_USD} then 'cost' end as short_of) s;

create or replace view dacapo.iterations as
  select loop, (body->>'n')::int as stop, at, body->'verdict'->>'is' as verdict,
    (body->'used'->>'costUsd')::numeric as cost_usd
  from dacapo.event where type = 'verdict';

create or replace view dacapo.spending as
  select account, loop, date_trunc('day', began) as day, count(*) as passes, sum(usd) as usd
  from dacapo.pass group by 1, 2, 3;
`;

/** For dashboards, for people who submit and steer, and for workers. Who steers writes to the record as a worker does. */
const ROLES = `
do $$ declare name text; begin
  foreach name in array array['dacapo_reader', 'dacapo_person', 'dacapo_worker'] loop
    if not exists (select from pg_roles where rolname = name) then execute 'create role ' || name; end if;
  end loop;
end $$;
grant usage on schema dacapo to dacapo_reader, dacapo_person, dacapo_worker;
grant select on all tables in schema dacapo to dacapo_reader;
grant select, insert, update, delete on all tables in schema dacapo to dacapo_person, dacapo_worker;
revoke insert, update, delete on dacapo.schema_version, dacapo.setting from dacapo_person, dacapo_worker;
revoke insert, delete on dacapo.worker from dacapo_person;
revoke insert, update, delete on dacapo.account from dacapo_worker;
-- Enough to lock a row.
grant update (id) on dacapo.account to dacapo_worker;
`;

/** Any number will do: two calls of `init` at once make the tables one after the other. */
const LOCK = 719_240_517;

/** `lease`: null leaves it as it is. */
export async function makeTables(sql: Sql, lease: number | null) {
  await sql.query('select pg_advisory_xact_lock($1)', [LOCK]);
  const created = (await versionOf(sql)) === null;
  await sql.query(TABLES);
  if (created) {
    await sql.query('insert into dacapo.schema_version values ($1)', [SCHEMA]);
    await sql.query('insert into dacapo.setting values ($1)', [lease ?? LEASE_SECONDS]);
    await sql.query(`insert into dacapo.account (id) values ('default') on conflict do nothing`);
  } else if (lease !== null) await sql.query('update dacapo.setting set lease_seconds = $1', [lease]);
  const without_roles = await makeRoles(sql);
  return { schema: SCHEMA, created, lease_seconds: await leaseOf(sql), without_roles };
}

/** Why the roles of readers and workers could not be made; null: they are there. */
async function makeRoles(sql: Sql): Promise<string | null> {
  await sql.query('savepoint roles');
  try {
    await sql.query(ROLES);
    return null;
  } catch (error) {
    await sql.query('rollback to roles');
    return errorMessage(error);
  }
}

/** Null: the tables were never made. */
async function versionOf(sql: Sql): Promise<number | null> {
  const [there] = await sql.query<{ there: boolean }>(
    `select to_regclass('dacapo.schema_version') is not null as there`,
  );
  if (there?.there !== true) return null;
  const [row] = await sql.query<{ version: number }>('select version from dacapo.schema_version');
  return row?.version ?? null;
}

export async function leaseOf(sql: Sql): Promise<number> {
  const [row] = await sql.query<{ lease_seconds: number }>('select lease_seconds from dacapo.setting');
  return row?.lease_seconds ?? LEASE_SECONDS;
}

/** Null: the tables are there and this program knows them. Throws what the database says. */
export async function refuseSchema(sql: Sql): Promise<Refusal | null> {
  const version = await versionOf(sql);
  if (version === SCHEMA) return null;
  if (version === null)
    return refuse('no-schema', 'This database was never made ready.', 'dacapo fleet init does that.');
  const numbers = `The tables of this fleet have version ${version}, and this dacapo knows version ${SCHEMA}.`;
  return version < SCHEMA
    ? refuse('old-schema', numbers, 'dacapo fleet init brings them up to date.')
    : refuse(NEWER, numbers, 'Upgrade dacapo on this machine.');
}
