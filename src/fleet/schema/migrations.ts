/**
 * The tables of a fleet, as numbered migrations. `dacapo fleet init` applies those that a database does not
 * have yet. To change a table, or the arguments or the result of a database function, add a migration at the
 * end and leave the others as they are: some database has applied them.
 *
 * A loop is one row: who works on it (`worker`, until `lease_until` of its `hold`), when a worker may take it
 * (`ready_at`; null: never), and the fence for everything that its worker writes (`epoch`). Its journal, the
 * files beside it and its passes have a row each. All times are the database's own.
 */
export type Migration = {
  readonly number: number;
  readonly why: string;
  /** Programs that need a lower number can't go on. Without it they can, as before. */
  readonly endsOlderPrograms?: true;
} & (
  | { /** Applied in a transaction, all of it or nothing. */ readonly sql: string }
  /** Built beside running programs, without a transaction: `on` is what follows `create index NAME on`. */
  | { readonly index: { readonly name: string; readonly on: string; readonly unique?: true } }
);

const FIRST_TABLES = `
create schema if not exists dacapo;

create table dacapo.schema_version (
  version int not null
);

create table dacapo.setting (
  lease_seconds int not null
);

create table dacapo.account (
  id                 text primary key,
  max_loops          int,
  max_calls_per_hour int,
  max_cost_per_day   numeric
);

create table dacapo.worker (
  name     text primary key,
  machine  text not null,
  labels   text[] not null,
  capacity int not null,
  version  text not null,
  draining boolean not null default false,
  seen_at  timestamptz not null default now()
);

create table dacapo.loop (
  id           text primary key,
  account      text not null references dacapo.account,
  name         text,
  repo         text not null,
  ref          text not null,
  needs        text[] not null,
  priority     int not null,
  setup        text,
  points       text,
  branch       text,
  request      jsonb not null,
  status       text not null,
  report       jsonb not null,
  requests     jsonb not null default '[]',
  waits_for    text,
  ready_at     timestamptz default now(),
  tries        int not null default 0,
  trouble      text,
  epoch        int not null default 0,
  worker       text,
  lease_until  timestamptz,
  events       int not null default 0,
  base         text,
  head         text,
  point        text,
  point_ref    text,
  submitted_at timestamptz not null default now(),
  updated_at   timestamptz not null default now()
);
create index loop_ready on dacapo.loop (ready_at) where ready_at is not null;
create index loop_at_work on dacapo.loop (account) where worker is not null;

create table dacapo.event (
  loop  text not null references dacapo.loop on delete cascade,
  n     int not null,
  epoch int not null,
  type  text not null,
  at    timestamptz not null,
  body  jsonb not null,
  stop  int,
  primary key (loop, n)
);
create unique index no_stop_is_judged_twice on dacapo.event (loop, stop) where stop is not null;

create table dacapo.file (
  loop    text not null references dacapo.loop on delete cascade,
  name    text not null,
  sha256  text not null,
  content bytea not null,
  primary key (loop, name)
);

create table dacapo.inbox (
  k    bigint generated always as identity primary key,
  loop text not null references dacapo.loop on delete cascade,
  act  jsonb not null
);
create index inbox_of_loop on dacapo.inbox (loop);

create table dacapo.pass (
  loop      text not null references dacapo.loop on delete cascade,
  n         int not null,
  epoch     int not null,
  account   text not null,
  worker    text not null,
  began     timestamptz not null default clock_timestamp(),
  ended     timestamptz,
  set_aside numeric,
  usd       numeric not null default 0,
  tokens    bigint not null default 0,
  primary key (loop, n)
);
create index pass_of_account on dacapo.pass (account, began);
create index pass_under_way on dacapo.pass (loop) where ended is null;

insert into dacapo.schema_version values (1);
insert into dacapo.setting values (15);
insert into dacapo.account (id) values ('default');
`;

export const MIGRATIONS: readonly Migration[] = [
  { number: 1, why: 'The first tables: loops, their record, workers and accounts.', sql: FIRST_TABLES },

  // Before migrations had numbers, each database was called version 1, whatever it had. So 2 to 6 also run
  // where a part of them is there already.
  {
    number: 2,
    why: 'A program has to know whether it can use tables of a newer version.',
    sql: `
alter table dacapo.schema_version add column usable_from int not null default 1;
`,
  },
  {
    number: 3,
    why: 'A worker takes only loops whose agent it has, whose repository it accepts, whose journal it reads.',
    sql: `
alter table dacapo.worker add column if not exists journal int;
alter table dacapo.worker add column if not exists hosts text[];
alter table dacapo.worker add column if not exists accept text[];
alter table dacapo.loop add column if not exists hosts text[];
alter table dacapo.loop add column if not exists journal int not null default 0;
alter table dacapo.loop add column if not exists trouble text;
`,
  },
  {
    number: 4,
    why: 'People see what an agent does now. A crash of the database may empty this table.',
    sql: `
create unlogged table if not exists dacapo.news (
  k    bigint generated always as identity primary key,
  loop text not null,
  line jsonb not null
);
create index if not exists news_of_loop on dacapo.news (loop, k);
`,
  },
  {
    number: 5,
    why: 'A worker proves by a key that it took a loop, and replaces only commits that the fleet pushed.',
    sql: `
create table if not exists dacapo.pushed (
  loop text not null references dacapo.loop on delete cascade,
  sha  text not null,
  primary key (loop, sha)
);

-- Only functions of the database read it.
create table if not exists dacapo.hold (
  loop text primary key references dacapo.loop on delete cascade,
  key  text not null
);
`,
  },
  {
    number: 6,
    why: 'A live loop always has a time from which a worker may take it. Without one it would be forgotten.',
    sql: `
update dacapo.loop set ready_at = now()
where status in ('pending', 'running', 'waiting') and ready_at is null;
alter table dacapo.loop drop constraint if exists live_loop_can_be_taken;
alter table dacapo.loop add constraint live_loop_can_be_taken
  check (status not in ('pending', 'running', 'waiting') or ready_at is not null);
`,
  },
  {
    number: 7,
    why: 'An engine starts workers for single loops: they ask for one loop, and a view counts what waits.',
    endsOlderPrograms: true,
    sql: 'drop function if exists dacapo.take_loop(text, int, text[], text[], text[], int);',
  },
  {
    number: 8,
    why: 'The request is data, not flags. A live loop with flags has to be submitted again.',
    endsOlderPrograms: true,
    sql: `
update dacapo.loop set
  status      = 'interrupted',
  report      = report || jsonb_build_object(
    'status', 'interrupted',
    'reason', 'interrupted: an older dacapo has submitted it. Submit it again, and cancel this one.'),
  ready_at    = null,
  waits_for   = null,
  worker      = null,
  lease_until = null,
  updated_at  = now()
where request ? 'words' and status in ('pending', 'running', 'waiting');
`,
  },
  {
    number: 9,
    why: 'Heartbeats write a narrow row, and leases without a counted iteration are counted.',
    endsOlderPrograms: true,
    sql: `
drop view if exists dacapo.ready;
drop view if exists dacapo.account_room;
alter table dacapo.hold add column lease_until timestamptz;
alter table dacapo.hold set (fillfactor = 50);
insert into dacapo.hold (loop, key, lease_until)
  select id, gen_random_uuid(), lease_until from dacapo.loop where worker is not null
  on conflict (loop) do update set lease_until = excluded.lease_until;
alter table dacapo.loop drop column lease_until;
alter table dacapo.loop add column takes jsonb not null default '[]';
`,
  },
  {
    number: 10,
    why: 'The choice of the next loop sorts nothing: the index is in its order.',
    index: {
      name: 'loop_next',
      on:
        `dacapo.loop (account, priority desc, (status = 'pending'), ready_at) ` +
        'where ready_at is not null and worker is null',
    },
  },
  {
    number: 11,
    why: 'A list shows the newest loops of many.',
    index: { name: 'loop_newest', on: `dacapo.loop (submitted_at desc, id)` },
  },
  {
    number: 12,
    why: 'A loop is found by the end of its id.',
    index: { name: 'loop_by_id_end', on: `dacapo.loop (reverse(id) text_pattern_ops)` },
  },
  {
    number: 13,
    why: 'A loop is found by its name.',
    index: { name: 'loop_by_name', on: `dacapo.loop (name) where name is not null` },
  },
  {
    number: 14,
    why: 'An answer finds its loop among many events.',
    index: { name: 'event_request', on: `dacapo.event ((body->>'id')) where type = 'requested'` },
  },
  {
    number: 15,
    why: 'Two functions are named after what they do: lease_next_loop and release_loop.',
    endsOlderPrograms: true,
    sql: `
drop function if exists dacapo.take_loop(text, int, text[], text[], text[], int, text);
drop function if exists dacapo.let_go(
  text, int, text, jsonb, bytea[], double precision, boolean, text, text, boolean
);
`,
  },
  {
    number: 16,
    why: 'A worker that has lost a loop says that its pass is over: end_lost_pass.',
    sql: '',
  },
  {
    number: 17,
    why: 'A heartbeat says which pass it counts, and never what the one before has used: renew_leases.',
    sql: '',
  },
];

/** The number that this program needs. */
export const SCHEMA_VERSION = MIGRATIONS.length;
