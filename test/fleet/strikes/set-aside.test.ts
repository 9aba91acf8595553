// @module-tag postgres
/** A loop that kills its workers, or that none can work on, costs a bounded number of tries. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '#fleet/database/database.ts';
import { leaseNextLoop } from '#fleet/lease.ts';
import { releaseLoop, shipRecorded, shipTaken } from '#fleet/ship.ts';
import { whySetAside, type Take } from '#fleet/takes.ts';
import { shipmentOf } from '../shipment.ts';
import { openStage } from '../stage.ts';

const W1 = { name: 'w1', labels: [], hosts: ['claude-code'], accept: [], leaseSeconds: 10, loop: null };
const takesOf = (count: number, of: Partial<Take> = {}): Take[] =>
  Array.from({ length: count }, (_, k) => ({
    epoch: k + 1,
    worker: `w${k}`,
    at: '2026-03-01T10:00:00Z',
    ...of,
  }));

test('five takes that cost a worker or a pass are enough, and two dozen that cost neither', () => {
  expect(whySetAside(takesOf(5), 5)).toBeNull();
  expect(whySetAside(takesOf(6), 6)).toContain('w4 at 2026-03-01T10:00:00Z: its lease ran out');
  expect(whySetAside(takesOf(6, { why: 'no git', paid: true }), 6)).toContain('no git');
  expect(whySetAside(takesOf(24, { why: 'no git' }), 24)).toBeNull();
  expect(whySetAside(takesOf(25, { why: 'no git' }), 25)).toContain('after 24 tries');
});

test('what ended in order does not count', { timeout: 60_000 }, async () => {
  const stage = await openStage();
  const database = await openDatabase({ ok: true, url: stage.url, shown: '' });
  onTestFinished(() => database.close());
  await stage.submit('Work.', '--check', 'true');
  const taken = async () => {
    await stage.sql(`update dacapo.loop set ready_at = now()`);
    const loop = await leaseNextLoop(database, W1);
    if (loop === null) throw new Error('there is no loop');
    return loop;
  };
  const tried = await taken();
  expect(tried.takes).toMatchObject([{ epoch: 1, worker: 'w1' }]);
  await releaseLoop(database, tried, null, { until: 'later', why: 'no git' });
  const again = await taken();
  expect(again.takes).toMatchObject([{ epoch: 1, why: 'no git' }, { epoch: 2 }]);
  // An answer that was lost: the same call says the same.
  expect(await releaseLoop(database, again, null, { until: 'now' })).toBe(true);
  expect(await releaseLoop(database, again, null, { until: 'now' })).toBe(true);
  const third = await taken();
  expect(third.takes.map(({ epoch }) => epoch)).toEqual([1, 3]);
  await shipTaken(database, third, shipmentOf(0), null);
  await stage.sql(`update dacapo.hold set lease_until = now() - interval '1 s'`);
  const fourth = await taken();
  expect(fourth.takes).toMatchObject([{ epoch: 1 }, { epoch: 3, paid: true }, { epoch: 4 }]);
  await shipTaken(database, fourth, shipmentOf(1), null);
  await shipRecorded(
    database,
    fourth,
    shipmentOf(2),
    { head: null, point: null, point_ref: null },
    { costUsd: 0, tokens: 0 },
  );
  await releaseLoop(database, fourth, null, { until: '2099-01-01T00:00:00Z', for: 'pause', leftMs: 1e9 });
  expect((await taken()).takes).toHaveLength(1);
});

test(
  'a loop that ends its workers is set aside with its story, and resume lets it go on',
  { timeout: 180_000 },
  async () => {
    const stage = await openStage();
    const id = await stage.submit('Work.\ndo: sleep 60', '--check', 'test -e x.txt');
    const worker = await stage.worker('w0');
    while (stage.passes().length === 0) await sleep(50);
    await worker.die();
    // As if four more had died.
    await stage.sql(
      `update dacapo.loop set epoch = 5, takes = (
       select jsonb_agg(takes->0 || jsonb_build_object('epoch', k, 'worker', 'w' || k)) from generate_series(1, 5) k)`,
    );
    await stage.sql(`update dacapo.hold set lease_until = now() - interval '1 s'`);
    await stage.worker('w9');
    const loop = await stage.until(id, ({ status }) => status === 'interrupted');
    expect(loop).toMatchObject({ worker: null, waits: null, reason: expect.stringContaining('w5') });
    expect(stage.passes().filter(({ is }) => is === 'begins')).toHaveLength(1);
    expect((await stage.logs(id)).at(-1)).toMatchObject({ type: 'interrupted', why: 'fault' });
    const doctor = await stage.run('fleet', 'doctor', '--json');
    expect(doctor.code).toBe(1);
    expect(doctor.stdout).toContain(`Loop ${id} waits for a person`);
    await stage.fleet('resume', id);
    while (stage.passes().filter(({ is }) => is === 'begins').length < 2) await sleep(100);
  },
);

test('a heartbeat writes the narrow row, and not that of the loop', { timeout: 60_000 }, async () => {
  const stage = await openStage();
  await stage.submit('Work.', '--check', 'true');
  const database = await openDatabase({ ok: true, url: stage.url, shown: '' });
  onTestFinished(() => database.close());
  const loop = await leaseNextLoop(database, W1);
  const before = await stage.sql('select ctid::text from dacapo.loop');
  const ask = 'select mine from dacapo.renew_leases($1, 10, $2, $3, $4, $5, $6)';
  const renewed = await database.query(ask, ['w1', [loop?.id], [loop?.epoch], [loop?.key], [0], [0]]);
  expect(renewed).toEqual([{ mine: [loop?.id] }]);
  expect(await stage.sql('select ctid::text from dacapo.loop')).toEqual(before);
});
