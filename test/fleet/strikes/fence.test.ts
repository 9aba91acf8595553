// @module-tag postgres
/**
 * The protocol between a worker and the record: who may write, and what happens to an answer that was lost.
 */
import { EventEmitter, once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase, type Database } from '#fleet/database/database.ts';
import { applyInFleet } from '#fleet/actions.ts';
import { loadRecord, renewLeases, leaseNextLoop, type LeasedRow } from '#fleet/lease.ts';
import {
  holdsLease,
  releaseLoop,
  shipRecorded,
  shipTaken,
  type LoopHold,
  type Shipment,
} from '#fleet/ship.ts';
import type { Event } from '#law/record/events.ts';
import { memoryRuntime, pendingLoop } from '#fleet/memory.ts';
import { summaryOf } from '#fleet/record.ts';
import { openStage, type Stage } from '../stage.ts';

const W1 = { name: 'w1', labels: [], hosts: ['claude-code'], accept: [], leaseSeconds: 10, loop: null };
const W2 = { ...W1, name: 'w2' };
const UNPUBLISHED = { head: null, point: null, point_ref: null };
const FREE = { costUsd: 0, tokens: 0 };
const NO_PASS = { ...FREE, pass: null };

interface Begun {
  readonly stage: Stage;
  readonly database: Database;
  readonly taken: LeasedRow;
  readonly hold: LoopHold;
  /** The loop's beginning, as its first worker ships it. */
  readonly first: Shipment;
}

async function begin(): Promise<Begun> {
  const stage = await openStage();
  const database = await openDatabase({ ok: true, url: stage.url, shown: '' });
  onTestFinished(() => database.close());
  const id = await stage.submit('Work.', '--check', 'true');
  const taken = await leaseNextLoop(database, W1);
  if (taken === null) throw new Error('there is no loop');
  const runtime = memoryRuntime();
  const open = pendingLoop(id, taken.request, runtime);
  const first = {
    from: 0,
    events: open.journal.read(0).events,
    files: [],
    removedFiles: [],
    applied: 0,
    summary: summaryOf(open, runtime),
  };
  return { stage, database, taken, hold: { id, epoch: taken.epoch, key: taken.key }, first };
}

test('a lease that ran out is not renewed where another loop has its place in the account', async () => {
  const { stage, database, hold } = await begin();
  await stage.sql(`update dacapo.account set max_loops = 1`);
  const other = await stage.submit('Work.', '--check', 'true', '--needs', 'gpu');
  const renew = async () => (await renewLeases(database, W1, [{ ...hold, ...NO_PASS }])).mine;
  const runOut = () => stage.sql(`update dacapo.hold set lease_until = now() where loop = $1`, [hold.id]);
  await runOut();
  expect(await renew()).toEqual(new Set([hold.id]));
  await runOut();
  const gpu = { ...W2, labels: ['gpu'], loop: other };
  const taken = await leaseNextLoop(database, gpu);
  expect(taken?.id).toBe(other);
  expect(await renew()).toEqual(new Set());
  if (taken !== null) await releaseLoop(database, taken, null, { until: 'now' });
  expect(await renew()).toEqual(new Set([hold.id]));
});

const next = ({ summary }: Shipment, from: number, event: object): Shipment => ({
  from,
  events: [
    {
      at: new Date().toISOString(),
      ...event,
    } as Event,
  ],
  files: [],
  removedFiles: [],
  summary,
  applied: 0,
});

test('after a cancel nothing of its worker is accepted', { timeout: 30_000 }, async () => {
  const { stage, database, hold, first } = await begin();
  expect(await shipTaken(database, hold, first, null)).toMatchObject({ is: 'ours' });
  expect(await applyInFleet(database, hold.id, { is: 'cancel' }, () => undefined)).toMatchObject({
    ok: true,
  });
  const events = await stage.logs(hold.id);
  const late = next(first, 1, { type: 'compacted' });
  expect(await shipTaken(database, hold, late, null)).toEqual({ is: 'lost' });
  expect(await shipRecorded(database, hold, late, UNPUBLISHED, FREE)).toEqual({ is: 'lost' });
  expect(await releaseLoop(database, hold, late, { until: 'now' })).toBe(false);
  expect((await renewLeases(database, W1, [{ ...hold, ...NO_PASS }])).mine).toEqual(new Set());
  expect(await stage.logs(hold.id)).toEqual(events);
  expect(await leaseNextLoop(database, W2)).toBeNull();
});

test(
  'a lease that is over is renewed until somebody else takes the loop, and gives nothing after that',
  { timeout: 30_000 },
  async () => {
    const { stage, database, hold, first } = await begin();
    expect(await leaseNextLoop(database, W2)).toBeNull();
    const expire = () => stage.sql(`update dacapo.hold set lease_until = now() - interval '1 ms'`);
    await expire();
    expect(await shipTaken(database, hold, first, null)).toMatchObject({ is: 'ours' });
    expect((await renewLeases(database, W1, [{ ...hold, ...NO_PASS }])).mine).toEqual(new Set([hold.id]));
    expect(await leaseNextLoop(database, W2)).toBeNull();
    await expire();
    const second = await leaseNextLoop(database, W2);
    expect(second).toMatchObject({ id: hold.id, epoch: hold.epoch + 1, events: first.events.length });
    const late = next(first, first.events.length, { type: 'compacted' });
    expect((await renewLeases(database, W1, [{ ...hold, ...NO_PASS }])).mine).toEqual(new Set());
    expect(await shipTaken(database, hold, late, null)).toEqual({ is: 'lost' });
    expect(await releaseLoop(database, hold, null, { until: 'now' })).toBe(false);
    // Who knows the epoch of another worker has not its key.
    expect(await shipTaken(database, { ...hold, epoch: hold.epoch + 1 }, late, null)).toEqual({
      is: 'lost',
    });
    if (second === null) throw new Error('there is no loop');
    expect(await shipTaken(database, second, late, null)).toMatchObject({ is: 'ours' });
  },
);

test(
  'a worker that took the loop again can add nothing as who it was before',
  { timeout: 30_000 },
  async () => {
    const { stage, database, hold, first } = await begin();
    await stage.sql(`update dacapo.hold set lease_until = now() - interval '1 ms'`);
    const again = await leaseNextLoop(database, W1);
    expect(again).toMatchObject({ id: hold.id, epoch: hold.epoch + 1 });
    expect(await holdsLease(database, hold)).toBe(false);
    expect(await shipTaken(database, hold, first, null)).toEqual({ is: 'lost' });
    expect(await releaseLoop(database, hold, first, { until: null })).toBe(false);
    expect((await renewLeases(database, W1, [{ ...hold, ...NO_PASS }])).mine).toEqual(new Set());
    expect(await stage.logs(hold.id)).toEqual([]);
  },
);

test('a loop is let go with the last that it wrote, or not at all', { timeout: 30_000 }, async () => {
  const { stage, database, hold, first } = await begin();
  await expect(
    releaseLoop(database, hold, first, { until: 'never', for: 'limit', leftMs: NaN }),
  ).rejects.toThrow('interval');
  expect(await stage.logs(hold.id)).toEqual([]);
  expect(await stage.status(hold.id)).toMatchObject({ worker: 'w1', waits: null });
});

test('a shipment whose answer was lost can be made again', { timeout: 30_000 }, async () => {
  const { stage, database, hold, first } = await begin();
  await stage.fleet('limits', '--max-calls-per-hour', '1', '--max-cost-per-day', '4');
  const shipped = await shipTaken(database, hold, first, null);
  expect(shipped).toEqual({ is: 'ours', inbox: [], mostUsd: 4 });
  expect(await shipTaken(database, hold, first, null)).toEqual(shipped);
  const done = next(first, first.events.length, { type: 'compacted' });
  const used = { costUsd: 1.5, tokens: 7 };
  for (let k = 0; k < 2; k++)
    expect(await shipRecorded(database, hold, done, UNPUBLISHED, used)).toMatchObject({ is: 'ours' });
  expect(await stage.logs(hold.id)).toHaveLength(first.events.length + 1);
  expect(await stage.sql('select usd::float, ended is not null as ended from dacapo.pass')).toEqual([
    { usd: 1.5, ended: true },
  ]);
  const again = next(first, first.events.length + 1, { type: 'compacted' });
  expect(await shipTaken(database, hold, again, null)).toEqual({ is: 'refused' });
  expect(await stage.logs(hold.id)).toHaveLength(first.events.length + 1);
  // The last word too: people are told of what it says when the second try is answered.
  for (let k = 0; k < 2; k++) expect(await releaseLoop(database, hold, again, { until: 'now' })).toBe(true);
  expect(await stage.logs(hold.id)).toHaveLength(first.events.length + 2);
});

test(
  'what a pass had used when its worker died is counted once, by the next one',
  { timeout: 30_000 },
  async () => {
    const { stage, database, hold, first } = await begin();
    await shipTaken(database, hold, first, null);
    const pass = first.events.length;
    await renewLeases(database, W1, [{ ...hold, costUsd: 0.75, tokens: 300, pass }]);
    // A heartbeat that was sent in an earlier pass comes late.
    await renewLeases(database, W1, [{ ...hold, costUsd: 2, tokens: 900, pass: pass - 1 }]);
    await stage.sql(`update dacapo.hold set lease_until = now() - interval '1 ms'`);
    const taken = await leaseNextLoop(database, W2);
    if (taken === null) throw new Error('there is no loop');
    expect((await loadRecord(database, taken)).lost).toEqual({ costUsd: 0.75, tokens: 300 });
    const second = taken;
    await shipTaken(database, second, next(first, first.events.length, { type: 'compacted' }), null);
    await shipRecorded(
      database,
      second,
      next(first, first.events.length + 1, { type: 'compacted' }),
      UNPUBLISHED,
      FREE,
    );
    expect((await loadRecord(database, taken)).lost).toBeNull();
  },
);

test('no stop is judged twice, whatever a worker ships', { timeout: 30_000 }, async () => {
  const { database, hold, first } = await begin();
  await shipTaken(database, hold, first, null);
  const judged = (from: number) => next(first, from, { type: 'verdict', n: 1 });
  await shipRecorded(database, hold, judged(first.events.length), UNPUBLISHED, FREE);
  await expect(
    shipRecorded(database, hold, judged(first.events.length + 1), UNPUBLISHED, FREE),
  ).rejects.toThrow('no_stop_is_judged_twice');
});

test(
  'a worker that is frozen in the middle of a transaction holds nobody up',
  { timeout: 30_000 },
  async () => {
    const { stage, database, hold, first } = await begin();
    await stage.fleet('limits', '--max-calls-per-hour', '100');
    const signals = new EventEmitter();
    const isLocked = once(signals, 'locked');
    const frozen = database.transaction(async (sql) => {
      await sql.query(`select from dacapo.account where id = 'default' for update`);
      signals.emit('locked');
      await once(signals, 'thaws');
    });
    await isLocked;
    expect(await shipTaken(database, hold, first, null)).toMatchObject({ is: 'ours' });
    signals.emit('thaws');
    await expect(frozen).rejects.toThrow(/connection/i);
  },
);
