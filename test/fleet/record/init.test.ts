// @module-tag postgres
/** `dacapo fleet init` beside others: two at once, tables in use, indexes of many rows. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { NO_TIME_LIMIT, openDatabase, type Database } from '#fleet/database/database.ts';
import { initFleet } from '#fleet/schema/init.ts';
import { MIGRATIONS, SCHEMA_VERSION, type Migration } from '#fleet/schema/migrations.ts';
import { makeDatabase } from '../postgres.ts';

const NEXT = SCHEMA_VERSION + 1;
const USABLE_FROM = MIGRATIONS.findLast((one) => one.endsOlderPrograms)?.number ?? 1;

async function openEmpty(): Promise<(queryMs?: number) => Promise<Database>> {
  const { url } = await makeDatabase();
  return async (queryMs = NO_TIME_LIMIT) => {
    const database = await openDatabase({ ok: true, url, shown: url }, queryMs);
    onTestFinished(() => database.close());
    return database;
  };
}

const versions = (database: Database) => database.query('select * from dacapo.schema_version');

test('two at once make the tables once', async () => {
  const open = await openEmpty();
  const both = await Promise.all([initFleet(await open(), 10), initFleet(await open(), null)]);
  expect(both.filter((one) => one.ok && one.created)).toHaveLength(1);
  expect(both.filter((one) => one.ok)).toHaveLength(2);
  expect(await versions(await open())).toEqual([{ version: SCHEMA_VERSION, usable_from: USABLE_FROM }]);
  expect(await (await open()).query('select id from dacapo.account')).toEqual([{ id: 'default' }]);
});

test('a migration that ends older programs says so in the database', async () => {
  const database = await (await openEmpty())();
  const last: Migration = { number: NEXT, why: 'To test.', endsOlderPrograms: true, sql: 'select 1' };
  expect(await initFleet(database, null, [...MIGRATIONS, last])).toMatchObject({ ok: true, schema: NEXT });
  expect(await versions(database)).toEqual([{ version: NEXT, usable_from: NEXT }]);
});

test('a migration that fails leaves nothing of itself', async () => {
  const database = await (await openEmpty())();
  const bad: Migration = {
    number: NEXT,
    why: 'To test.',
    sql: 'create table dacapo.t (a int); select nothing',
  };
  await expect(initFleet(database, null, [...MIGRATIONS, bad])).rejects.toThrow('nothing');
  expect(await versions(database)).toEqual([{ version: SCHEMA_VERSION, usable_from: USABLE_FROM }]);
  expect(await database.query(`select to_regclass('dacapo.t') as t`)).toEqual([{ t: null }]);
});

test(
  'tables that another transaction uses: a refusal, and nothing is applied',
  { timeout: 30_000 },
  async () => {
    const open = await openEmpty();
    const [database, other] = [await open(), await open()];
    await initFleet(database, null);
    const more = 'alter table dacapo.loop add column more int';
    const migrations = [...MIGRATIONS, { number: NEXT, why: 'To test.', sql: more }];
    await other.transaction(async (sql) => {
      await sql.query('set local idle_in_transaction_session_timeout = 0');
      await sql.query('select from dacapo.loop');
      expect(await initFleet(database, null, migrations)).toMatchObject({
        ok: false,
        code: 'tables-in-use',
        message: `Migration ${NEXT} needs tables that another transaction has used for 4s. Nothing of it was applied.`,
        next: expect.stringContaining('dacapo fleet init again'),
      });
    });
    expect(await versions(database)).toMatchObject([{ version: SCHEMA_VERSION }]);
    expect(await initFleet(database, null, migrations)).toMatchObject({
      ok: true,
      schema: NEXT,
      created: false,
    });
  },
);

/** An index that takes 5 ms for each row, as one of many rows does. */
const SLOW: readonly Migration[] = [
  ...MIGRATIONS,
  {
    number: NEXT,
    why: 'To test.',
    sql: `create function dacapo.slowly(n int) returns int language plpgsql immutable as
      $$ begin perform pg_sleep(0.005); return n; end $$`,
  },
  {
    number: NEXT + 1,
    why: 'To test.',
    index: { name: 'event_slowly', on: 'dacapo.event (dacapo.slowly(n))' },
  },
];

/** A fleet with 200 events, and what a worker would do there meanwhile. */
async function openBusy(open: Awaited<ReturnType<typeof openEmpty>>) {
  const writer = await open();
  await initFleet(writer, null);
  await writer.query(
    `insert into dacapo.loop (id, account, repo, ref, needs, priority, request, status, report)
     values ('x', 'default', '', '', '{}', 0, '{}', 'completed', '{}')`,
  );
  const insert = (from: number, to: number) =>
    writer.query(
      `insert into dacapo.event (loop, n, epoch, type, at, body)
       select 'x', n, 0, '', now(), '{}' from generate_series($1::int, $2::int) n`,
      [from, to],
    );
  await insert(1, 200);
  const isValid = `select indisvalid from pg_index where indexrelid = to_regclass('dacapo.event_slowly')`;
  return { writer, write: (n: number) => insert(n, n), index: () => writer.query(isValid) };
}

const untilBuilding = async ({ query }: Database) => {
  while ((await query('select from pg_stat_progress_create_index where index_relid <> 0')).length === 0)
    await sleep(10);
};

test('an index of many rows is built while writers go on, and a build cut short is begun again', async () => {
  const open = await openEmpty();
  const { writer, write, index } = await openBusy(open);
  const cut = initFleet(await open(), null, SLOW).catch((error: unknown) => error);
  await untilBuilding(writer);
  await writer.query('select pg_cancel_backend(pid) from pg_stat_progress_create_index');
  expect(await cut).toMatchObject({ message: expect.stringContaining('canceling') });
  expect(await index()).toEqual([{ indisvalid: false }]);
  const build = initFleet(await open(), null, SLOW);
  const isBuilt = build.then(() => true);
  let writes = 0;
  for (; !(await Promise.race([isBuilt, sleep(20, false)])); writes++) await write(1_000 + writes);
  expect(await build).toMatchObject({ ok: true, schema: NEXT + 1 });
  expect(writes).toBeGreaterThan(5);
  expect(await index()).toEqual([{ indisvalid: true }]);
});

test('a build whose init was killed still runs: the next init waits for it', async () => {
  const open = await openEmpty();
  const { writer, index } = await openBusy(open);
  await initFleet(writer, null, SLOW.slice(0, -1));
  const orphan = writer.runAlone('create index concurrently event_slowly on dacapo.event (dacapo.slowly(n))');
  await untilBuilding(writer);
  expect(await initFleet(await open(), null, SLOW)).toMatchObject({ ok: true, schema: NEXT + 1 });
  await orphan;
  expect(await index()).toEqual([{ indisvalid: true }]);
});

test('a program with the usual time limit can build an index, too', async () => {
  const open = await openEmpty();
  const { index } = await openBusy(open);
  expect(await initFleet(await open(300), null, SLOW)).toMatchObject({ ok: true, schema: NEXT + 1 });
  expect(await index()).toEqual([{ indisvalid: true }]);
});
