/**
 * Whole schedules of one machine in one process, each from a seed (`machine/`): processes are killed between any two
 * file calls, the power is cut, and every promise holds. What keeps the promises is then removed, one part at a time,
 * and the simulation alone has to find it. `npm run simulate -- machine` runs as many schedules as you like.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { bundleMachine } from './machine/bundle.ts';
import { Threads } from './machine/machine.ts';
import { SABOTAGES, type Sabotage } from './machine/sabotages.ts';
import { runSchedule, type Focus, type Found } from './machine/schedule.ts';

const FROM = Number(process.env['SIMULATE_SEED'] ?? 1);
const COUNT = Number(process.env['SIMULATE_SCHEDULES'] ?? 25);
const MAX_MS = Number(process.env['SIMULATE_SECONDS'] ?? 86_400) * 1_000;
/** What schedules have more of than by chance, as JSON (`Focus`). */
const FOCUS = JSON.parse(process.env['SIMULATE_FOCUS'] ?? '{}') as Focus;
/** Which sabotages, and from which seed on each is looked for; without it, only the seed that is known. */
const WANTED = process.env['SIMULATE_SABOTAGE'];
const SEARCH_MS = 60_000;
/** A file call costs a hundred times as much on a disk. */
const MEMORY = '/dev/shm';

async function withThreads<T>(patches: Sabotage['patches'], act: (threads: Threads) => T): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'dacapo-machine-bundle-'));
  const root = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'dacapo-machine-'));
  onTestFinished(() => [folder, root].forEach((path) => rmSync(path, { recursive: true, force: true })));
  const threads = new Threads(await bundleMachine(folder, patches), root);
  try {
    return act(threads);
  } finally {
    await threads.close();
  }
}

function tell({ seed, detail, lines }: Found): string {
  if (process.env['TRACE'] === '1') console.error(lines.join('\n'));
  return `seed ${seed}: ${detail}`;
}

test('schedules break no rule', { timeout: 120_000 + MAX_MS, skip: WANTED !== undefined }, async () => {
  const began = performance.now();
  const { found, ...counts } = await withThreads([], (threads) => {
    const found: string[] = [];
    let [schedules, steps, checks] = [0, 0, 0];
    for (let seed = FROM; seed < FROM + COUNT && performance.now() - began < MAX_MS; seed++) {
      const one = runSchedule(threads, seed, FOCUS);
      schedules++;
      steps += one.steps;
      checks += one.checks;
      if (one.rule !== null) found.push(tell(one));
    }
    return { found, schedules, steps, checks };
  });
  const seconds = Math.round((performance.now() - began) / 1_000);
  console.log(JSON.stringify({ from: FROM, ...counts, seconds, found: found.length }));
  expect(found).toEqual([]);
});

test(
  'a schedule can be replayed: each time the same',
  { timeout: 60_000, skip: WANTED !== undefined },
  async () => {
    const [once, again] = await withThreads([], (threads) => [
      runSchedule(threads, 3, {}),
      runSchedule(threads, 3, {}),
    ]);
    expect(once.lines.length).toBeGreaterThan(20);
    expect(again.lines).toEqual(once.lines);
  },
);

const LONG = 120_000 + SABOTAGES.length * SEARCH_MS;

/** A change of the code moves file calls, and another seed may find a sabotage: then it is looked for. */
test('every sabotage is found', { timeout: LONG, tags: ['slow'] }, async () => {
  const isAll = WANTED === undefined || WANTED === 'all';
  const missed: string[] = [];
  const broken = await withThreads([], (threads) =>
    SABOTAGES.filter(
      ({ seed, focus = {} }) => seed !== null && runSchedule(threads, seed, focus).rule !== null,
    ),
  );
  expect(broken.map(({ name }) => `${name}: its seed breaks a rule by itself`)).toEqual([]);
  for (const { name, seed, focus = {}, patches } of SABOTAGES) {
    if ((!isAll && name !== WANTED) || (seed === null && WANTED === undefined)) continue;
    const found = await withThreads(patches, (threads) => {
      const known = WANTED === undefined ? look(threads, { from: seed ?? FROM, count: 1, focus }) : null;
      return known?.rule ? known : look(threads, { from: FROM, count: 100_000, focus });
    });
    if (WANTED !== undefined || found.seed !== seed) console.log(JSON.stringify({ name, ...found }));
    if (found.rule === null) missed.push(name);
  }
  expect(missed).toEqual([]);
});

interface Search {
  readonly from: number;
  readonly count: number;
  readonly focus: NonNullable<Sabotage['focus']>;
}

function look(threads: Threads, { from, count, focus }: Search) {
  const began = performance.now();
  let seed = from;
  let rule: string | null = null;
  for (; seed < from + count && rule === null && performance.now() - began < SEARCH_MS; seed++)
    rule = runSchedule(threads, seed, focus).rule;
  return { rule, seed: seed - 1, schedules: seed - from, ms: Math.round(performance.now() - began) };
}
