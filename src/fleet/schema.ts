/**
 * The tables of a fleet. A loop is one row: who works on it (`worker`, until `lease_until`), when somebody
 * may (`ready_at`; null: nobody), and the fence of everything that its worker writes (`epoch`). Its journal,
 * the files beside it and its passes have a row each. All instants are the database's own.
 */
import { refuse, type Refusal } from '#base/refusal.ts';
import { errorMessage } from '#base/shape.ts';
import { few } from '#law/words/phrases.ts';
import type { Sql } from './database.ts';
import { LEAST_USD, sayFunctions, sayGrants, type DatabaseFunctions } from './functions/function.ts';
import { RECORD_FUNCTIONS } from './functions/record.ts';
import { WORKER_FUNCTIONS } from './functions/worker.ts';

/** Changes only when older programs can't go on. What is added leaves it. */
export const SCHEMA = 1;

/** Why `init` can do nothing either. */
export const NEWER = 'new-schema';

const LEASE_SECONDS = 15;
export const LEAST_LEASE_SECONDS = 10;

/**
 * The columns of each table. `init` adds those that are missing, and every program looks whether it finds
 * what it needs, since an older `init` may have made the tables.
 */
const TABLES: Readonly<Record<string, string>> = {
  schema_version: 'version int not null',
  setting: 'lease_seconds int not null',
  account: 'id text primary key, max_loops int, max_calls_per_hour int, max_cost_per_day numeric',
  worker: `
    name text primary key, machine text not null, labels text[] not null, capacity int not null, version text not null,
    draining boolean not null default false, seen_at timestamptz not null default now(),
    journal int, hosts text[], accept text[]`,
  loop: `
    id text primary key,
    account text not null references dacapo.account,
    name text, repo text not null, ref text not null, needs text[] not null, hosts text[], priority int not null,
    setup text, points text, branch text, request jsonb not null,
    status text not null, report jsonb not null, requests jsonb not null default '[]',
    waits_for text, ready_at timestamptz default now(), tries int not null default 0, trouble text,
    epoch int not null default 0, worker text, lease_until timestamptz,
    events int not null default 0, base text, head text, point text, point_ref text,
    submitted_at timestamptz not null default now(), updated_at timestamptz not null default now(),
    journal int not null default 0`,
  event: `
    loop text not null references dacapo.loop on delete cascade,
    n int not null, epoch int not null, type text not null, at timestamptz not null, body jsonb not null, stop int,
    primary key (loop, n)`,
  file: `
    loop text not null references dacapo.loop on delete cascade,
    name text not null, sha256 text not null, content bytea not null,
    primary key (loop, name)`,
  inbox: `
    k bigint generated always as identity primary key,
    loop text not null references dacapo.loop on delete cascade,
    act jsonb not null`,
  pass: `
    loop text not null references dacapo.loop on delete cascade,
    n int not null, epoch int not null, account text not null, worker text not null,
    began timestamptz not null default clock_timestamp(), ended timestamptz,
    set_aside numeric, usd numeric not null default 0, tokens bigint not null default 0,
    primary key (loop, n)`,
  pushed: `
    loop text not null references dacapo.loop on delete cascade,
    sha text not null,
    primary key (loop, sha)`,
  // Only functions of the database read it. What a key opens is the loop that its worker took.
  hold: `
    loop text primary key references dacapo.loop on delete cascade,
    key text not null`,
  news: 'k bigint generated always as identity primary key, loop text not null, line jsonb not null',
};
/** A crash of the database may empty it. */
const UNLOGGED = 'news';

const INDEXES = `
create index if not exists loop_ready on dacapo.loop (ready_at) where ready_at is not null;
create index if not exists loop_at_work on dacapo.loop (account) where worker is not null;
create unique index if not exists no_stop_is_judged_twice on dacapo.event (loop, stop) where stop is not null;
create index if not exists inbox_of_loop on dacapo.inbox (loop);
create index if not exists pass_of_account on dacapo.pass (account, began);
create index if not exists pass_under_way on dacapo.pass (loop) where ended is null;
create index if not exists news_of_loop on dacapo.news (loop, k);
`;

/** What no row may break, by name. `mend` makes the rows of an older program keep it. */
const CONSTRAINTS = [
  {
    // Otherwise nobody would ever take the loop, and nobody would notice.
    name: 'live_loop_can_be_taken',
    table: 'loop',
    check: `status not in ('pending', 'running', 'waiting') or ready_at is not null`,
    mend: 'ready_at = now()',
  },
] as const;

/** The columns of each view, and its query. */
const VIEWS: Readonly<Record<string, readonly [columns: string, query: string]>> = {
  // What an account may use, what of it is used, and what it is short of for one more loop at work. For
  // programs alone. What has no limit is not counted: a busy day has many passes.
  account_room: [
    'id, max_loops, max_calls_per_hour, max_cost_per_day, loops, between_passes, calls, usd_left, ' +
      'short_of, room_at',
    `
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
        when m.usd_left < ${LEAST_USD} then 'cost' end as short_of) s`,
  ],
  iterations: [
    'loop, stop, at, verdict, cost_usd',
    `select loop, (body->>'n')::int, at, body->'verdict'->>'is', (body->'used'->>'costUsd')::numeric
     from dacapo.event where type = 'verdict'`,
  ],
  spending: [
    'account, loop, day, passes, usd',
    `select account, loop, date_trunc('day', began), count(*), sum(usd) from dacapo.pass group by 1, 2, 3`,
  ],
};

function columnsOf(columns: string): string[] {
  const parts = columns.trim().split(/,\s*(?![^()]*\))/);
  return parts.filter((part) => !part.startsWith('primary key'));
}

function nameIn(relation: string, column: string): string {
  return `${relation}.${column.split(' ', 1)[0]}`;
}

const FUNCTIONS: DatabaseFunctions = { ...RECORD_FUNCTIONS, ...WORKER_FUNCTIONS };

/** What this program needs. */
const NEEDED = [
  ...[...Object.entries(TABLES), ...Object.entries(VIEWS)].flatMap(([relation, of]) =>
    columnsOf(typeof of === 'string' ? of : of[0]).map((column) => nameIn(relation, column)),
  ),
  ...Object.keys(FUNCTIONS).map((name) => `${name}()`),
];

/** What of a loop a dashboard does not need: prompts, addresses of `--notify`, flags of hosts, commands. */
const NOT_FOR_READERS = ['request', 'setup'];

function sayRoles(): string {
  const columns = columnsOf(TABLES['loop'] ?? '').map((column) => column.split(' ', 1)[0] ?? '');
  const shown = columns.filter((column) => !NOT_FOR_READERS.includes(column));
  return `
do $$ declare name text; begin
  foreach name in array array['dacapo_reader', 'dacapo_person', 'dacapo_worker'] loop
    if not exists (select from pg_roles where rolname = name) then execute 'create role ' || name; end if;
  end loop;
end $$;
revoke all on all tables in schema dacapo from dacapo_reader, dacapo_person, dacapo_worker;
grant usage on schema dacapo to dacapo_reader, dacapo_person, dacapo_worker;
${sayGrants(FUNCTIONS)}

-- Readers: how loops stand and what they cost, for dashboards.
grant select on dacapo.schema_version, dacapo.setting, dacapo.account, dacapo.account_room, dacapo.worker,
  dacapo.pass, dacapo.iterations, dacapo.spending to dacapo_reader;
grant select (${shown.join(', ')}) on dacapo.loop to dacapo_reader;

-- People: submit, steer and set limits. Who steers writes to the record.
grant select, insert, update, delete on all tables in schema dacapo to dacapo_person;
revoke insert, update, delete on dacapo.schema_version, dacapo.setting from dacapo_person;
revoke insert, delete on dacapo.worker from dacapo_person;

-- Workers: read, and write by the functions above alone.
grant select on all tables in schema dacapo to dacapo_worker;

-- A key is for the worker that took the loop, and nobody else.
revoke all on dacapo.hold from dacapo_reader, dacapo_person, dacapo_worker;
`;
}

/** Any number will do: two calls of `init` at once make the tables one after the other. */
const LOCK = 719_240_517;

/** `lease`: null leaves it as it is. */
export async function makeTables(sql: Sql, lease: number | null) {
  await sql.query('select pg_advisory_xact_lock($1)', [LOCK]);
  const there = await columnsThere(sql);
  const created = (await versionOf(sql, there)) === null;
  await sql.query('create schema if not exists dacapo');
  // A table that lacks nothing is left alone: to alter one waits for everybody who uses it.
  for (const [table, columns] of Object.entries(TABLES)) {
    const all = columnsOf(columns);
    const missing = all.filter((column) => !there.has(nameIn(table, column)));
    if (missing.length === all.length)
      await sql.query(`create ${table === UNLOGGED ? 'unlogged ' : ''}table dacapo.${table} (${columns})`);
    else for (const column of missing) await sql.query(`alter table dacapo.${table} add column ${column}`);
  }
  await sql.query(INDEXES);
  await constrain(sql);
  for (const [view, [columns, query]] of Object.entries(VIEWS)) {
    const names = columnsOf(columns).map((column) => nameIn(view, column));
    // One with more columns is of a newer program.
    if ([...there].filter((name) => name.startsWith(`${view}.`)).length > names.length) continue;
    if (names.some((name) => !there.has(name))) await sql.query(`drop view if exists dacapo.${view}`);
    await sql.query(`create or replace view dacapo.${view} (${columns}) as ${query}`);
  }
  await sql.query(sayFunctions(FUNCTIONS));
  if (created) {
    await sql.query('insert into dacapo.schema_version values ($1)', [SCHEMA]);
    await sql.query('insert into dacapo.setting values ($1)', [lease ?? LEASE_SECONDS]);
    await sql.query(`insert into dacapo.account (id) values ('default') on conflict do nothing`);
  }
  await sql.query('update dacapo.schema_version set version = $1 where version < $1', [SCHEMA]);
  if (lease !== null) await sql.query('update dacapo.setting set lease_seconds = $1', [lease]);
  const without_roles = await makeRoles(sql);
  return { schema: SCHEMA, created, lease_seconds: await leaseOf(sql), without_roles };
}

async function constrain(sql: Sql): Promise<void> {
  const there = await sql.query<{ conname: string }>(
    `select conname from pg_constraint where connamespace = 'dacapo'::regnamespace`,
  );
  for (const { name, table, check, mend } of CONSTRAINTS) {
    if (there.some(({ conname }) => conname === name)) continue;
    await sql.query(`update dacapo.${table} set ${mend} where not (${check})`);
    await sql.query(`alter table dacapo.${table} add constraint ${name} check (${check})`);
  }
}

/** Why the roles of readers and workers could not be made; null: they are there. */
async function makeRoles(sql: Sql): Promise<string | null> {
  await sql.query('savepoint roles');
  try {
    await sql.query(sayRoles());
    return null;
  } catch (error) {
    await sql.query('rollback to roles');
    return errorMessage(error);
  }
}

/**
 * As `TABLE.COLUMN`, of views as well, and `FUNCTION()`. The catalog is open to everybody, so that missing
 * rights are told as such.
 */
async function columnsThere(sql: Sql): Promise<ReadonlySet<string>> {
  const rows = await sql.query<{ name: string }>(
    `select relname || '.' || attname as name from pg_attribute join pg_class c on c.oid = attrelid
     where relnamespace = (select oid from pg_namespace where nspname = 'dacapo')
       and relkind in ('r', 'v') and attnum > 0 and not attisdropped
     union select proname || '()' from pg_proc
     where pronamespace = (select oid from pg_namespace where nspname = 'dacapo')`,
  );
  return new Set(rows.map(({ name }) => name));
}

/** Null: the tables were never made. */
async function versionOf(sql: Sql, there: ReadonlySet<string>): Promise<number | null> {
  if (!there.has('schema_version.version')) return null;
  const [row] = await sql.query<{ version: number }>('select version from dacapo.schema_version');
  return row?.version ?? null;
}

export async function leaseOf(sql: Sql): Promise<number> {
  const [row] = await sql.query<{ lease_seconds: number }>('select lease_seconds from dacapo.setting');
  return row?.lease_seconds ?? LEASE_SECONDS;
}

/** Null: the tables are there and this program knows them. Throws what the database says. */
export async function refuseSchema(sql: Sql): Promise<Refusal | null> {
  const there = await columnsThere(sql);
  const version = await versionOf(sql, there);
  if (version === null)
    return refuse('no-schema', 'This database was never made ready.', 'dacapo fleet init does that.');
  const numbers =
    `The tables of this fleet have version ${version}, and this dacapo knows version ` + `${SCHEMA}.`;
  if (version > SCHEMA) return refuse(NEWER, numbers, 'Upgrade dacapo on this machine.');
  const missing = NEEDED.filter((column) => !there.has(column));
  if (version === SCHEMA && missing.length === 0) return null;
  const lacks =
    'An older dacapo has made the tables of this fleet. They lack ' +
    `${few(missing, String, 3).join(', ')}.`;
  const next = 'dacapo fleet init brings them up to date, and keeps what is in them.';
  return refuse('old-schema', version < SCHEMA ? numbers : lacks, next);
}
