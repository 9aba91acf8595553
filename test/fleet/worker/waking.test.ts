// @module-tag postgres
/** Who is told of a loop that may be taken, and how a worker is heard while others wait. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openDatabase } from '#fleet/database/database.ts';
import { renewLeases, leaseNextLoop } from '#fleet/lease.ts';
import { releaseLoop, shipRecorded, shipTaken } from '#fleet/ship.ts';
import { sharedClock } from '#fleet/worker/protocol.ts';
import { concerns, type FleetWord } from '#fleet/database/words.ts';
import { shipmentOf } from '../shipment.ts';
import { openStage, type Stage } from '../stage.ts';

const W1 = { name: 'w1', labels: ['gpu'], hosts: ['claude-code'], accept: [], leaseSeconds: 10, loop: null };
const UNPUBLISHED = { head: null, point: null, point_ref: null };
const FREE = { costUsd: 0, tokens: 0 };

async function open({ url }: Stage) {
  const database = await openDatabase({ ok: true, url, shown: '' });
  onTestFinished(() => database.close());
  return database;
}

/** The words of a fleet, as everybody hears them. */
async function hearWords(stage: Stage) {
  const words: FleetWord[] = [];
  const line = (await open(stage)).openLine((word) => words.push(word));
  onTestFinished(() => line.close());
  await line.transaction((sql) => sql.query('select 1'));
  return async (): Promise<FleetWord[]> => {
    await sleep(200);
    return words.splice(0);
  };
}

test('a word concerns who could take the loop, and who is named', () => {
  expect(concerns({ is: 'ready', needs: ['gpu'], hosts: ['claude-code'] }, W1)).toBe(true);
  expect(concerns({ is: 'ready', needs: ['arm'], hosts: [] }, W1)).toBe(false);
  expect(concerns({ is: 'ready', needs: [], hosts: ['codex'] }, W1)).toBe(false);
  expect(concerns({ is: 'ready' }, W1)).toBe(true);
  expect(concerns({ is: 'drain', worker: 'w2' }, W1)).toBe(false);
});

test('a counted pass says nothing, and a loop tells what it needs', { timeout: 60_000 }, async () => {
  const stage = await openStage();
  const database = await open(stage);
  const heard = await hearWords(stage);
  await stage.submit('Work.', '--check', 'true', '--needs', 'gpu');
  const ready: FleetWord = { is: 'ready', needs: ['gpu'], hosts: ['claude-code'] };
  expect(await heard()).toEqual([ready]);
  const taken = await leaseNextLoop(database, W1);
  if (taken === null) throw new Error('there is no loop');
  await shipTaken(database, taken, shipmentOf(0), null);
  await shipRecorded(database, taken, shipmentOf(1), UNPUBLISHED, FREE);
  expect(await heard()).toEqual([]);
  await stage.fleet('limits', '--max-cost-per-day', '10');
  await shipTaken(database, taken, shipmentOf(2), null);
  await shipRecorded(database, taken, shipmentOf(3), UNPUBLISHED, FREE);
  expect(await heard()).toEqual([{ is: 'ready' }]);
  await releaseLoop(database, taken, null, { until: 'now' });
  expect(await heard()).toEqual([ready]);
});

test('a heartbeat waits for no other query of its worker', { timeout: 60_000 }, async () => {
  const stage = await openStage();
  const database = await open(stage);
  const line = database.openLine(() => undefined);
  onTestFinished(() => line.close());
  await line.transaction((sql) => sql.query('select 1'));
  const others = Array.from({ length: 12 }, () => database.query('select pg_sleep(1)'));
  const began = performance.now();
  await line.transaction((sql) => renewLeases(sql, W1, []));
  expect(performance.now() - began).toBeLessThan(800);
  await Promise.all(others);
});

test('a connection that broke is made again', { timeout: 60_000 }, async () => {
  const stage = await openStage();
  const heard = await hearWords(stage);
  await stage.sql(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and query like 'commit%' and pid <> pg_backend_pid()`,
  );
  await expect
    .poll(
      async () => {
        await stage.submit('Work.', '--check', 'true');
        return (await heard()).length;
      },
      { timeout: 20_000 },
    )
    .toBeGreaterThan(0);
});

test('of two workers with one name, the one that stays is in the fleet', { timeout: 60_000 }, async () => {
  const stage = await openStage();
  const names = async () =>
    (await stage.fleet<{ workers: { name: string }[] }>('status')).workers.map(({ name }) => name);
  const first = await stage.worker('w1');
  await stage.worker('w1');
  first.process.kill('SIGTERM');
  await first.ended;
  await expect.poll(names, { timeout: 20_000 }).toEqual(['w1']);
});

test('an account without room keeps no other account waiting', { timeout: 60_000 }, async () => {
  const stage = await openStage();
  const [one, two] = [await open(stage), await open(stage)];
  await stage.fleet('limits', 'small', '--max-loops', '1');
  for (const account of ['small', 'small', 'big'])
    await stage.submit('Work.', '--check', 'true', '--account', account);
  await stage.sql(`update dacapo.loop set priority = 1 where account = 'small'`);
  // Both choose a loop of the account that comes first, and only one of them finds room in it.
  const accounts: (string | undefined)[] = [];
  await one.transaction(async (sql) => {
    const [row] = await sql.query<{ account: string }>(
      `select loop->>'account' as account from dacapo.lease_next_loop('w1', 10, '{}', '{claude-code}', '{}', 99, null)`,
    );
    accounts.push(row?.account);
    const other = leaseNextLoop(two, { ...W1, name: 'w2', labels: [] });
    await sleep(500);
    accounts.push(await Promise.race([other.then((loop) => loop?.account), sleep(0).then(() => 'waits')]));
    void other.then((loop) => accounts.push(loop?.account));
  });
  await expect.poll(() => accounts).toEqual(['small', 'waits', 'big']);
});

test('the clock of leases goes on while the machine sleeps', async () => {
  const asleep = process.hrtime.bigint();
  vi.spyOn(process.hrtime, 'bigint').mockReturnValue(asleep);
  onTestFinished(() => void vi.restoreAllMocks());
  const before = sharedClock();
  await sleep(200);
  expect(sharedClock() - before).toBeGreaterThan(100);
});
