// How the choice of the next loop and the renewal of leases grow, in a record with many loops and events, side
// by side with the least that a queue in Postgres can do: one statement with `for update skip locked` on a
// narrow table of its own. Workers are connections of this process, so what they cost here is in the figures
// too. Figures to read, never a test: compare them within one run.
//
//   node bench/fleet-scale.mjs [--loops 100000] [--ready 10000] [--events 10000000] [--passes 50000]
//                              [--workers 1,16,64,256] [--seconds 5]
//                              [--database URL: measure this record, which an earlier run has made]

import { parseArgs } from 'node:util';
import { bundleFleet, median } from './fleet-stage.mjs';

const { values } = parseArgs({
  options: {
    loops: { type: 'string', default: '100000' },
    ready: { type: 'string', default: '10000' },
    events: { type: 'string', default: '10000000' },
    passes: { type: 'string', default: '50000' },
    workers: { type: 'string', default: '1,16,64,256' },
    seconds: { type: 'string', default: '5' },
    database: { type: 'string' },
  },
});
const [LOOPS, READY, EVENTS, PASSES, SECONDS] = ['loops', 'ready', 'events', 'passes', 'seconds'].map(
  (name) => Number(values[name]),
);
const WORKERS = values.workers.split(',').map(Number);
const LEASE_SECONDS = 60;

async function makeRecord() {
  const connections = Math.max(...WORKERS) + 50;
  const stage = await fleet.openStage({ lease: `${LEASE_SECONDS}s`, connections });
  await seed(stage);
  return stage;
}

async function seed(stage) {
  const began = performance.now();
  const template = await stage.submit('Work.', '--check', 'true');
  await stage.copy(template, LOOPS - 1);
  await stage.sql(
    `update dacapo.loop set status = 'completed', ready_at = null where id in (
       select id from dacapo.loop where id <> $1 order by id offset $2)`,
    [template, READY - 1],
  );
  const each = Math.ceil(EVENTS / LOOPS);
  await stage.sql('alter table dacapo.event drop constraint event_pkey');
  await stage.sql(
    `insert into dacapo.event (loop, n, epoch, type, at, body)
     select id, n, 1, 'compacted', now(), '{"type":"compacted","at":"2026-11-18T10:00:00.000Z"}'
     from dacapo.loop, generate_series(1, $1) n`,
    [each],
  );
  await stage.sql('alter table dacapo.event add primary key (loop, n)');
  await stage.sql('update dacapo.loop set events = $1', [each]);
  await stage.sql(
    `insert into dacapo.pass (loop, n, epoch, account, worker, ended, usd, tokens)
     select id, 1, 1, account, 'w', now(), 0.01, 10 from dacapo.loop limit $1`,
    [PASSES],
  );
  await stage.sql(`create table public.job (id bigint primary key, ready_at timestamptz not null, worker text,
    lease_until timestamptz)`);
  await stage.sql('insert into public.job select k, now() from generate_series(1, $1) k', [READY]);
  await stage.sql('create index on public.job (ready_at) where worker is null');
  // What autovacuum does to a record that grew over days.
  for (const table of ['dacapo.loop', 'dacapo.event', 'public.job'])
    await stage.sql(`vacuum analyze ${table}`);
  const [{ size }] = await stage.sql('select pg_size_pretty(pg_database_size(current_database())) as size');
  const seconds = Math.round((performance.now() - began) / 1_000);
  console.log(
    `${LOOPS} loops, ${READY} of them ready, ${EVENTS} events, ${PASSES} passes: ${size}, made in ${seconds} s\n`,
  );
}

/** What one worker does again and again. Each gives how long it took. */
const COLUMNS = [
  ['take and release', takeLoop],
  ['renew its lease', renewLease],
  ['a narrow table: take', takeJob],
  ['renew', renewJob],
];

async function measure(stage, count) {
  const cells = [];
  for (const [, act] of COLUMNS) {
    const hands = await Promise.all(Array.from({ length: count }, (_, k) => openHand(stage, `w${k}`)));
    const prepared = await Promise.all(hands.map((hand) => prepare(act, hand)));
    const until = performance.now() + SECONDS * 1_000;
    const times = await Promise.all(hands.map((hand, k) => repeat(() => act(hand, prepared[k]), until)));
    await Promise.all(hands.map((hand, k) => finish(act, hand, prepared[k])));
    const all = times.flat();
    const per = (all.length / SECONDS).toFixed(0);
    cells.push(`${per}/s ${median(all).toFixed(1)} ${median(all, 0.95).toFixed(0)}`.padStart(24));
    await Promise.all(hands.map(({ end }) => end()));
  }
  return cells;
}

async function repeat(act, until) {
  const times = [];
  while (performance.now() < until) {
    const began = performance.now();
    await act();
    times.push(performance.now() - began);
  }
  return times;
}

async function openHand({ url }, name) {
  const database = await fleet.openDatabase({ url });
  const client = new fleet.pg.Client({ connectionString: url });
  return {
    name,
    database,
    client,
    end: () => Promise.all([database.close(), client.end().catch(() => undefined)]),
  };
}

function profileOf({ name }) {
  return { name, labels: [], hosts: ['claude-code'], accept: [], leaseSeconds: LEASE_SECONDS, loop: null };
}

async function prepare(act, hand) {
  if (act === takeJob || act === renewJob) await hand.client.connect();
  if (act === renewLease) return fleet.leaseNextLoop(hand.database, profileOf(hand));
  if (act === renewJob) return (await hand.client.query(TAKE_JOB, [hand.name])).rows[0];
  // The first query of a connection is not what is measured.
  if (act === takeLoop) await hand.database.query('select 1');
  return null;
}

async function finish(act, hand, held) {
  if (act === renewLease) await fleet.releaseLoop(hand.database, held, null, { until: 'now' });
  if (act === renewJob) await hand.client.query(RELEASE_JOB, [held.id]);
}

async function takeLoop(hand) {
  const loop = await fleet.leaseNextLoop(hand.database, profileOf(hand));
  if (loop === null) throw new Error('there is no loop to take');
  if (!(await fleet.releaseLoop(hand.database, loop, null, { until: 'now' })))
    throw new Error('not released');
}

async function renewLease(hand, loop) {
  const meter = { ...loop, costUsd: 0, tokens: 0, pass: null };
  const { mine } = await fleet.renewLeases(hand.database, profileOf(hand), [meter]);
  if (!mine.has(loop.id)) throw new Error('the lease was lost');
}

const TAKE_JOB = `update public.job set worker = $1, lease_until = now() + interval '1 minute' where id = (
    select id from public.job where worker is null and ready_at <= now() order by ready_at limit 1
    for update skip locked) returning id`;
const RELEASE_JOB = 'update public.job set worker = null, ready_at = now() where id = $1';

async function takeJob({ client, name }) {
  const { rows } = await client.query(TAKE_JOB, [name]);
  await client.query(RELEASE_JOB, [rows[0].id]);
}

async function renewJob({ client }, job) {
  await client.query(`update public.job set lease_until = now() + interval '1 minute' where id = $1`, [
    job.id,
  ]);
}

const fleet = await bundleFleet();
try {
  const stage = values.database === undefined ? await makeRecord() : { url: values.database };
  console.log(`${'workers'.padStart(7)}  ${COLUMNS.map(([name]) => name.padStart(24)).join('')}`);
  for (const count of WORKERS)
    console.log(`${String(count).padStart(7)}  ${(await measure(stage, count)).join('')}`);
} finally {
  await fleet.finish();
}
