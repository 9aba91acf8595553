// @module-tag postgres
/**
 * Whole schedules of a fleet in one process, each from a seed (`simulation/`): nothing is lost, nothing counted
 * twice, and every loop comes to its end. What keeps these promises is then removed, one part at a time, and the
 * simulation alone has to find it. `npm run simulate` runs as many schedules as you like.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { makeDatabase, socketFolder } from './postgres.ts';
import { bundleSimulation } from './simulation/bundle.ts';
import type { Day } from './simulation/day.ts';
import type { DayOrder, Order, Simulated } from './simulation/program.ts';
import { SABOTAGES } from './simulation/sabotages.ts';

const FROM = Number(process.env['SIMULATE_SEED'] ?? 1);
const COUNT = Number(process.env['SIMULATE_SCHEDULES'] ?? 12);
const MAX_MS = Number(process.env['SIMULATE_SECONDS'] ?? 86_400) * 1_000;
/** Which sabotages, and from which seed on each is looked for; without it, only the seed that is known. */
const WANTED = process.env['SIMULATE_SABOTAGE'];
const SEARCH_MS = 60_000;
/** Schedules that have found a defect once, of the fleet or of the simulation. */
const FOUND_ONCE = [
  44, 520, 1001, 1019, 1131, 1503, 100_280, 101_425, 102_014, 200_067, 201_221, 311_472, 405_745, 432_677,
];

const DAY = {
  workers: Number(process.env['SIMULATE_WORKERS'] ?? 2),
  hours: Number(process.env['SIMULATE_HOURS'] ?? 0.5),
  slices: 6,
};

interface Job {
  readonly name: string;
  readonly bundle: string;
  readonly order: Order;
}

test('schedules break no rule', { timeout: 120_000 + MAX_MS, skip: WANTED !== undefined }, async () => {
  const { folder, url } = await openPlace();
  const bundle = await bundleSimulation(join(folder, 'simulation.cjs'));
  const order = { url, from: FROM, count: COUNT, maxMs: MAX_MS, goesOn: true, focus: {} };
  const again = FOUND_ONCE.map((from) => ({
    name: `seed ${from}`,
    bundle,
    order: { ...order, from, count: 1 },
  }));
  const repeated = { name: 'the first ones again', bundle, order: { ...order, count: Math.min(COUNT, 3) } };
  const results = await run([{ name: 'as it is', bundle, order }, ...again, repeated]);
  const [result] = results;
  if (result === undefined) throw new Error('nothing was run');
  const { found: _, digests, ...counts } = result;
  console.log(JSON.stringify({ from: FROM, ...counts }));
  expect(results.flatMap(({ found }) => found)).toEqual([]);
  // The same seed is the same schedule.
  expect(results.at(-1)?.digests).toEqual(digests.slice(0, 3));
});

test('every sabotage is found', { timeout: 300_000 + SABOTAGES.length * SEARCH_MS }, async () => {
  const { folder, url } = await openPlace();
  const jobs: Job[] = [];
  const isAll = WANTED === undefined || WANTED === 'all';
  for (const [k, { name, seed, patches, sql, focus = {} }] of SABOTAGES.entries()) {
    if (!isAll && name !== WANTED) continue;
    const bundle = await bundleSimulation(join(folder, `${k}.cjs`), patches);
    const known = { from: seed, count: 1 };
    const search = WANTED === undefined ? known : { from: FROM, count: 100_000 };
    const order = {
      url,
      ...search,
      maxMs: SEARCH_MS,
      goesOn: false,
      focus,
      ...(sql !== undefined && { sql }),
    };
    jobs.push({ name, bundle, order });
  }
  const results = await run(jobs);
  if (WANTED !== undefined) for (const result of results) console.log(JSON.stringify(result));
  expect(results.filter(({ found }) => found.length === 0).map(({ name }) => name)).toEqual([]);
  expect(results).toHaveLength(jobs.length);
});

test('a fleet at work for hours', { timeout: 120_000 + MAX_MS, skip: WANTED !== undefined }, async () => {
  const { folder, url } = await openPlace();
  const bundle = await bundleSimulation(join(folder, 'day.cjs'));
  const day: DayOrder = { url, seed: FROM, ...DAY };
  const [result] = await runIn<Day>([{ name: 'day', bundle, day }]);
  expect(result?.broken).toEqual([]);
  // The first pass of each ends after a quarter of an hour at most. Passes take eight minutes, and machines die.
  expect(result?.slices.at(-1)?.iterations).toBeGreaterThan(DAY.workers * (DAY.hours - 0.25) * 4);
});

/** A folder for bundles, and a database whose clock the simulation may replace. */
async function openPlace() {
  const folder = mkdtempSync(join(tmpdir(), 'dacapo-simulation-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { port, name } = await makeDatabase();
  const host = encodeURIComponent(socketFolder());
  return { folder, url: `postgres://root:root@/${name}?host=${host}&port=${port}` };
}

async function run(jobs: readonly Job[]): Promise<(Simulated & { readonly name: string })[]> {
  return runIn<Simulated>(jobs);
}

/** In a process of its own: the clock of that process is that of the schedules. */
async function runIn<T>(jobs: readonly object[]): Promise<(T & { readonly name: string })[]> {
  const program = join(import.meta.dirname, 'simulation/run.mjs');
  const child = spawn(process.execPath, ['--expose-gc', program], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(JSON.stringify(jobs));
  const lines = (await text(child.stdout)).split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as T & { readonly name: string });
}
