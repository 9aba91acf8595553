// @module-tag postgres
/** What an account may use is never exceeded, by any number of workers, and used up to the last. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { openDatabase, type Database } from '#fleet/database/database.ts';
import { leaseNextLoop } from '#fleet/lease.ts';
import { releaseLoop, shipRecorded, shipTaken } from '#fleet/ship.ts';
import { shipmentOf } from '../shipment.ts';
import { hasEnded, openStage, type Stage } from '../stage.ts';

const CONTENDERS = 16;
const NOTHING = { head: null, point: null, point_ref: null };

interface Tally {
  begun: number;
  spent: number;
  now: number;
  most: number;
}

/**
 * Takes loops, and has each make passes that cost this much or all that they may, until the fleet has nothing
 * for it.
 */
async function contend(database: Database, name: string, cost: number, tally: Tally): Promise<void> {
  for (let idle = 0; idle < 5;) {
    const taken = await leaseNextLoop(database, {
      name,
      labels: [],
      hosts: ['claude-code'],
      accept: [],
      leaseSeconds: 10,
      loop: null,
    });
    if (taken === null) {
      idle++;
      await sleep(20);
      continue;
    }
    idle = 0;
    tally.most = Math.max(tally.most, ++tally.now);
    const hold = taken;
    for (let from = taken.events; from < taken.events + 4; from += 2) {
      const shipped = await shipTaken(database, hold, shipmentOf(from), null);
      if (shipped.is !== 'ours') break;
      tally.begun++;
      const costUsd = Math.min(cost, shipped.mostUsd ?? Infinity);
      tally.spent += costUsd;
      await shipRecorded(database, hold, shipmentOf(from + 1), NOTHING, { costUsd, tokens: 1 });
    }
    tally.now--;
    await releaseLoop(database, hold, null, { until: 'now' });
  }
}

async function compete(stage: Stage, cost: number): Promise<Tally> {
  const tally = { begun: 0, spent: 0, now: 0, most: 0 };
  const databases = await Promise.all(
    Array.from({ length: CONTENDERS }, () => openDatabase({ ok: true, url: stage.url, shown: '' })),
  );
  await Promise.all(databases.map((database, k) => contend(database, `w${k}`, cost, tally)));
  await Promise.all(databases.map((database) => database.close()));
  return tally;
}

async function submitMany(stage: Stage, count: number): Promise<void> {
  await stage.copy(await stage.submit('Work.', '--check', 'true'), count - 1);
}

describe('16 contenders', () => {
  test('calls per hour are used up to the last one', { timeout: 60_000 }, async () => {
    const stage = await openStage();
    await submitMany(stage, 40);
    await stage.fleet('limits', '--max-calls-per-hour', '50');
    expect((await compete(stage, 0)).begun).toBe(50);
    await stage.fleet('limits', '--max-calls-per-hour', '57');
    expect((await compete(stage, 0)).begun).toBe(7);
  });

  test('money of a day is never exceeded, and used', { timeout: 60_000 }, async () => {
    const stage = await openStage();
    await submitMany(stage, 40);
    await stage.fleet('limits', '--max-cost-per-day', '10');
    const { spent } = await compete(stage, 0.37);
    expect(spent).toBeLessThanOrEqual(10.000001);
    expect(spent).toBeGreaterThan(9.9);
  });

  test('the last cent is used, and then nobody begins', { timeout: 60_000 }, async () => {
    const stage = await openStage();
    await submitMany(stage, 1);
    await stage.fleet('limits', '--max-cost-per-day', '10');
    expect(await compete(stage, 3.33)).toMatchObject({ begun: 4, spent: expect.closeTo(10, 6) });
  });

  test('loops at once', { timeout: 60_000 }, async () => {
    const stage = await openStage();
    await submitMany(stage, 40);
    await stage.fleet('limits', '--max-loops', '3', '--max-calls-per-hour', '60');
    expect(await compete(stage, 0)).toMatchObject({ most: 3, begun: 60 });
  });
});

test(
  'a loop whose account is used up waits for it, and goes on when it may',
  { timeout: 60_000 },
  async () => {
    const stage = await openStage();
    await stage.fleet('limits', 'team', '--max-calls-per-hour', '1', '--max-cost-per-day', '2');
    const work = 'Add.\ncost: 5\ndo: echo x >> x.txt';
    const id = await stage.submit(
      work,
      '--check',
      'test $(wc -l < x.txt) -ge 2',
      '--account',
      'team',
      '--pause',
      '0s',
    );
    await stage.worker('w1');
    const waiting = await stage.until(id, ({ waits, worker }) => worker === null && waits?.for === 'rate');
    expect(waiting).toMatchObject({ status: 'waiting', iteration: 2, cost_usd: 2 });
    expect(Date.parse(waiting.waits?.until ?? '')).toBeGreaterThan(Date.now() + 3_500_000);
    expect(stage.passes().filter(({ is }) => is === 'begins')).toMatchObject([{ budget: 2 }]);
    await stage.fleet('limits', 'team', '--max-calls-per-hour', 'off');
    expect(await stage.status(id)).toMatchObject({ status: 'waiting', waits: { for: 'cost' } });
    await stage.fleet('limits', 'team', '--max-cost-per-day', '3.50');
    expect(await stage.until(id, hasEnded)).toMatchObject({ status: 'completed', cost_usd: 3.5 });
  },
);

test('free places are shared evenly between accounts', { timeout: 60_000 }, async () => {
  const stage = await openStage();
  const work = 'Work.\ndo: sleep 30';
  for (let k = 0; k < 6; k++) await stage.submit(work, '--check', 'false', '--account', 'crowd');
  for (let k = 0; k < 2; k++) await stage.submit(work, '--check', 'false', '--account', 'few');
  await stage.worker('w1', ['--capacity', '4']);
  for (let counts = ''; counts !== 'crowd 2, few 2'; await sleep(50)) {
    const rows = await stage.sql<{ account: string; count: string }>(
      'select account, count(*) from dacapo.loop where worker is not null group by 1 order by 1',
    );
    counts = rows.map(({ account, count }) => `${account} ${count}`).join(', ');
  }
  const loops = await stage.fleet<{ account: string; waits: { for: string } | null }[]>('list');
  expect(loops.filter(({ waits }) => waits?.for === 'worker').map(({ account }) => account)).toEqual(
    Array.from({ length: 4 }, () => 'crowd'),
  );
});

test('a worker takes only what it has the labels for and accepts', { timeout: 60_000 }, async () => {
  const stage = await openStage();
  const plain = await stage.submit('Work.\ndo: echo x > x.txt', '--check', 'test -e x.txt');
  const gpu = await stage.submit(
    'Work.\ndo: echo x > x.txt',
    '--check',
    'test -e x.txt',
    '--needs',
    'gpu,linux',
  );
  await stage.worker('w1', ['--labels', 'linux']);
  await stage.worker('w2', ['--labels', 'linux,gpu', '--accept', 'https://example.org/*']);
  await stage.until(plain, hasEnded);
  expect(await stage.status(gpu)).toMatchObject({
    status: 'pending',
    needs: ['gpu', 'linux'],
    waits: { for: 'worker' },
  });
  await stage.worker('w3', ['--labels', 'linux,gpu', '--accept', `${stage.root}/*`]);
  expect(await stage.until(gpu, hasEnded)).toMatchObject({ status: 'completed' });
});
