// @module-tag postgres
/**
 * The size that docs/fleet.md states: 50 workers, 10,000 loops ready, 100,000 kept. What the choice of a loop
 * and a heartbeat read does not grow with the record, whether somebody has analyzed it or not.
 */
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase, type Database, type Sql } from '#fleet/database/database.ts';
import { leaseNextLoop, renewLeases, type LeasedRow } from '#fleet/lease.ts';
import { openStage, type Stage } from '../stage.ts';

const [WORKERS, READY, KEPT, PASSES] = [50, 10_000, 100_000, 50_000];
/** Of them, in a second account. */
const OTHERS = 100;
const PROFILE = { labels: [], hosts: ['claude-code'], accept: [], leaseSeconds: 600, loop: null };

/** So far, by this connection. The server adds them up now and then, outside of transactions. */
async function rowsRead(sql: Sql): Promise<number> {
  const [row] = await sql.query<{ rows: number }>(
    `select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as rows from pg_stat_xact_user_tables
     where schemaname = 'dacapo'`,
  );
  return row?.rows ?? 0;
}

/** `leaseNextLoop` makes its own transaction: this one counts what is read in it. */
async function counted<T>(database: Database, act: (database: Database) => Promise<T>) {
  return database.transaction(async (sql) => {
    const before = await rowsRead(sql);
    const result = await act({ ...database, ...sql, transaction: (inner) => inner(sql) });
    return { result, rows: (await rowsRead(sql)) - before };
  });
}

async function seed(stage: Stage): Promise<void> {
  for (const table of ['loop', 'pass', 'hold', 'account'])
    await stage.sql(`alter table dacapo.${table} set (autovacuum_enabled = false)`);
  const first = await stage.submit('Work.', '--check', 'true');
  await stage.copy(first, READY - OTHERS - 1);
  await stage.copy(await stage.submit('Work.', '--check', 'true', '--account', 'other'), OTHERS - 1);
  await stage.sql(
    `insert into dacapo.loop (id, account, repo, ref, needs, hosts, priority, request, status, report, ready_at)
     select 'ended-' || k, account, repo, ref, needs, hosts, priority, request, 'completed', report, null
     from dacapo.loop, generate_series(1, $2) k where id = $1`,
    [first, KEPT],
  );
  // What a worker has released keeps its row.
  await stage.sql(
    `insert into dacapo.hold (loop, key, lease_until)
     select id, '', now() - interval '1 day' from dacapo.loop where ready_at is null`,
  );
  // Half of the passes are of an account that has a limit and no loop to give.
  await stage.sql(`insert into dacapo.account (id, max_cost_per_day) values ('spent', 100)`);
  await stage.sql(
    `insert into dacapo.pass (loop, n, epoch, account, worker, ended)
     select id, 1, 1, case row_number() over () % 2 when 0 then 'spent' else account end, 'w', now()
     from dacapo.loop limit $1`,
    [PASSES],
  );
}

test('at the stated size, a choice and a heartbeat read a few rows', { timeout: 240_000 }, async () => {
  const stage = await openStage();
  const database = await openDatabase({ ok: true, url: stage.url, shown: '' });
  onTestFinished(() => database.close());
  await seed(stage);
  const held: LeasedRow[] = [];
  for (let k = 0; k < WORKERS; k++) {
    const loop = await leaseNextLoop(database, { ...PROFILE, name: `w${k}` });
    if (loop !== null) held.push(loop);
  }
  expect(held).toHaveLength(WORKERS);
  const look = async () => {
    const taken = await counted(database, (one) => leaseNextLoop(one, { ...PROFILE, name: 'w' }));
    expect(taken.result).not.toBeNull();
    const [own] = held;
    if (own === undefined) throw new Error('nothing is held');
    const meter = { ...own, costUsd: 0, tokens: 0, pass: null };
    const beaten = await counted(database, (one) => renewLeases(one, { ...PROFILE, name: 'w0' }, [meter]));
    expect(beaten.result.mine).toEqual(new Set([own.id]));
    return [taken.rows, beaten.rows] as const;
  };
  // Each loop at work is looked at a few times, for the room in its account.
  for (const how of ['not analyzed', 'analyzed']) {
    if (how === 'analyzed') await stage.sql('analyze');
    const [choice, beat] = await look();
    console.log(`${how}: a choice reads ${choice} rows, a heartbeat ${beat}`);
    expect(choice).toBeLessThan(WORKERS * 10);
    expect(beat).toBeLessThan(WORKERS * 3);
  }
  // Each of them answers within the limit of a query, which is 5 s.
  expect(await stage.fleet<unknown[]>('list', '--limit', '5')).toHaveLength(5);
  expect(await stage.fleet('status')).toMatchObject({ loops: { completed: KEPT } });
  expect(await stage.fleet('doctor')).toMatchObject({ ok: true });
  const groups = await stage.fleet<{ ready: number }[]>('ready');
  expect(groups.reduce((sum, { ready }) => sum + ready, 0)).toBe(READY - WORKERS - 2);
});
