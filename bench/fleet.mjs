// Measures a fleet: how soon a loop goes on elsewhere, how soon a cancel is true and its pass gone, how soon
// a new loop begins beside many that sleep, and how the throughput grows. Real workers, a real Postgres and a
// stand-in host, all on this machine. Figures to read, never a test: the times belong to one machine, so
// compare them within one run.
//
//   node bench/fleet.mjs [take-over] [cancel] [asleep] [record] [workers]     (all of them if none is named)

import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { bundleFleet, median } from './fleet-stage.mjs';

const LEASE_MS = 10_000;
const PLACES = 8;
const ROUNDS = 3;
const ASLEEP = 5_000;
const WORKERS = [1, 2, 4, 8];
const LOOPS = [100, 1_000, 5_000];
const CELL_MS = 3_000;

const PARTS = { 'take-over': takeOver, cancel, asleep, record, workers };
const asked = process.argv.slice(2);
const fleet = await bundleFleet();
try {
  for (const name of asked.length > 0 ? asked : Object.keys(PARTS)) await PARTS[name]();
} finally {
  await fleet.finish();
}

/** A worker dies with 8 loops, and another one has 8 free places. */
async function takeOver() {
  const times = [];
  for (let round = 0; round < ROUNDS; round++) {
    const stage = await openStage();
    await stage.copy(await submit(stage, 'sleep 600'), PLACES - 1);
    const first = await stage.worker('w1', ['--capacity', String(PLACES)]);
    while (livePasses(stage).length < PLACES) await sleep(50);
    const second = await stage.worker('w2', ['--capacity', String(PLACES)]);
    const at = Date.now();
    await first.die();
    await second.hear(() => taken(second).length === PLACES);
    times.push(...taken(second).map((line) => Date.parse(line.at) - at));
    await fleet.finish();
  }
  printTimes(`taken over, after a lease of ${LEASE_MS / 1_000} s`, times);
}

/** From another machine: until it is in the record, and until the pass is gone. */
async function cancel() {
  const [recorded, gone, commands] = [[], [], []];
  const stage = await openStage();
  const ids = await stage.copy(await submit(stage, 'sleep 600'), 2 * PLACES - 1);
  const database = await fleet.openDatabase({ url: stage.url });
  await stage.worker('w1', ['--capacity', String(2 * PLACES)]);
  while (livePasses(stage).length < ids.length) await sleep(50);
  for (const [k, id] of ids.entries()) {
    const pass = livePasses(stage).find(({ cwd }) => basename(cwd) === id);
    const began = performance.now();
    if (k % 2 === 0) await fleet.applyInFleet(database, id, { is: 'cancel' }, () => undefined);
    else await stage.run('fleet', 'cancel', id);
    const back = performance.now();
    (k % 2 === 0 ? recorded : commands).push(back - began);
    while (fleet.lives(pass.pid)) await sleep(5);
    if (k % 2 === 0) gone.push(performance.now() - back);
  }
  const empty = [];
  for (let k = 0; k < 5; k++) {
    const began = performance.now();
    await stage.run('--version');
    empty.push(performance.now() - began);
  }
  await database.close();
  await fleet.finish();
  printTimes('cancel: recorded', recorded);
  printTimes('cancel: its pass is gone after that', gone);
  printTimes('cancel: the whole command, with its start', commands);
  printTimes('to compare: dacapo --version', empty);
}

/** From the submission to the worker's take, with nothing and with many loops asleep. */
async function asleep() {
  const stage = await openStage();
  const worker = await stage.worker('w1', ['--capacity', '1']);
  for (const count of [0, ASLEEP]) {
    if (count > 0) {
      await stage.sql(`update dacapo.loop set ready_at = null`);
      const template = await submit(stage, 'true', '--needs', 'nobody');
      await stage.copy(template, count - 1);
      await stage.sql(
        `update dacapo.loop set status = 'waiting', waits_for = 'limit', ready_at = now() + interval '1 day' where id like $1`,
        [`${template}%`],
      );
      await stage.sql('vacuum analyze dacapo.loop');
    }
    const times = [];
    for (let k = 0; k < 10; k++) {
      const id = await submit(stage, 'true');
      const line = await worker.hear(({ is, loop }) => is === 'takes' && loop === id);
      const [{ submitted_at }] = await stage.sql('select submitted_at from dacapo.loop where id = $1', [id]);
      times.push(Date.parse(line.at) - submitted_at.getTime());
      await worker.hear(({ is, loop }) => is === 'ends-loop' && loop === id);
    }
    printTimes(`a new loop is taken, ${count} asleep`, times);
  }
  await fleet.finish();
}

/**
 * Iterations per second that the record alone can hold: take, begin a pass, record it, let go. No host, no
 * git.
 */
async function record() {
  console.log(`\niterations per second of the record alone\nloops ready  ${heads(WORKERS, 'worker')}`);
  for (const loops of LOOPS) {
    const stage = await openStage();
    await stage.copy(await submit(stage, 'true'), loops - 1);
    const cells = [];
    for (const workers of WORKERS) {
      await stage.sql('truncate dacapo.event, dacapo.pass');
      await stage.sql(`update dacapo.loop set events = 0, ready_at = now(), worker = null, takes = '[]'`);
      await stage.sql('vacuum analyze');
      const until = performance.now() + CELL_MS;
      const counts = await Promise.all(
        Array.from({ length: workers }, (_, k) => work(stage, `w${k}`, until)),
      );
      cells.push(counts.reduce((sum, count) => sum + count) / (CELL_MS / 1_000));
    }
    console.log(
      `${String(loops).padStart(11)}  ${cells.map((cell) => cell.toFixed(0).padStart(10)).join('')}`,
    );
    await fleet.finish();
  }
}

async function work({ url }, worker, until) {
  const database = await fleet.openDatabase({ url });
  const summary = { status: 'running', report: {}, requests: [] };
  const shipment = (from) => ({
    from,
    events: [{ type: 'compacted', at: new Date().toISOString() }],
    files: [],
    removedFiles: [],
    summary,
    applied: 0,
  });
  let count = 0;
  while (performance.now() < until) {
    const loop = await fleet.leaseNextLoop(database, {
      name: worker,
      labels: [],
      hosts: ['claude-code'],
      accept: [],
      leaseSeconds: 10,
      loop: null,
    });
    if (loop === null) continue;
    const nothing = { head: null, point: null, point_ref: null };
    const used = { costUsd: 0, tokens: 1 };
    const begun = await fleet.shipTaken(database, loop, shipment(loop.events), null);
    const counted = await fleet.shipRecorded(database, loop, shipment(loop.events + 1), nothing, used);
    const isReleased = await fleet.releaseLoop(database, loop, null, { until: 'now' });
    // Refusals are fast: they must not be counted for iterations.
    if (begun.is !== 'ours' || counted.is !== 'ours' || !isReleased) throw new Error('the record refuses');
    count++;
  }
  await database.close();
  return count;
}

/** Whole loops by real workers: what a pass of 3 s costs beside itself, and how the workers share it. */
async function workers() {
  const [loops, seconds] = [16, 3];
  console.log(`\n${loops} loops with one pass of ${seconds} s, by real workers on this machine`);
  for (const count of WORKERS) {
    const stage = await openStage();
    await stage.copy(await submit(stage, `sleep ${seconds}`), loops - 1);
    const began = performance.now();
    for (let k = 0; k < count; k++) await stage.worker(`w${k}`, ['--capacity', '1']);
    while ((await stage.sql('select 1 from dacapo.loop where ready_at is not null limit 1')).length > 0)
      await sleep(50);
    const took = (performance.now() - began) / 1_000;
    const best = (loops * seconds) / count;
    console.log(
      `${String(count).padStart(2)} workers  ${took.toFixed(1).padStart(6)} s  ${(loops / took).toFixed(2)} loops per second  ${(took / best).toFixed(2)} × the time of the passes alone`,
    );
    await fleet.finish();
  }
}

function openStage() {
  return fleet.openStage({ lease: `${LEASE_MS / 1_000}s` });
}

function submit(stage, line, ...flags) {
  return stage.submit(`Work.\ndo: ${line}; touch done`, '--check', 'test -e done', '--pause', '0s', ...flags);
}

function livePasses(stage) {
  const passes = stage.passes();
  const live = new Set(fleet.passesNow(passes));
  return passes.filter(({ is, pid }) => is === 'begins' && live.has(pid));
}

function taken({ lines }) {
  return lines.filter(({ is }) => is === 'takes');
}

function heads(counts, word) {
  return counts.map((count) => `${count} ${word}${count === 1 ? '' : 's'}`.padStart(10)).join('');
}

function printTimes(what, times) {
  const at = (share) => `${Math.round(median(times, share))} ms`.padStart(9);
  console.log(`${what.padEnd(50)} p50 ${at(0.5)}  p95 ${at(0.95)}  most ${at(1)}  of ${times.length}`);
}
