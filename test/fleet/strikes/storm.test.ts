// @module-tag postgres
/**
 * Many loops, and machines that die, freeze, are cut off, and whose database crashes: nothing is lost,
 * nothing counted twice, every file exact, and no loop has two passes at a time. `npm run storm` is the same
 * with larger numbers, and in other weather: far from the database, with a slow git server, in a large record
 * that nobody has analyzed, with clocks that differ, with loops that end their workers, and with a database
 * that is away for two leases.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { allEnded, counted, expectExact, numbersOf, watchPasses } from '../exact.ts';
import { ownCluster } from '../postgres.ts';
import { proxyTo } from '../proxy.ts';
import { openStage, type Stage, type WorkerProcess } from '../stage.ts';

const { LOOPS, PASSES, WORKERS, CAPACITY, KILLS, FREEZES, CUTS, CRASHES, ...WEATHER } = numbersOf('STORM', {
  LOOPS: 6,
  PASSES: 3,
  WORKERS: 3,
  CAPACITY: 2,
  KILLS: 2,
  FREEZES: 1,
  CUTS: 1,
  CRASHES: 1,
  /** How often all machines lose the database for two leases. */
  OUTAGES: 0,
  /** What the way to the database adds to a question and its answer, in milliseconds. */
  LATENCY: 20,
  /** How long the git server thinks about a push, in milliseconds. */
  GIT_DELAY: 100,
  /** By how many seconds the clocks of machines are ahead and behind. */
  SKEW: 0,
  /** Loops that end their workers. */
  POISON: 0,
  /** Loops that have ended before, and passes, in tables that nobody analyzes. */
  KEPT: 0,
  KEPT_PASSES: 0,
});
const { OUTAGES, LATENCY, GIT_DELAY, SKEW, POISON, KEPT, KEPT_PASSES } = WEATHER;
/** A worker that is frozen or cut off for so long has lost its loops. */
const LEASE_MS = 10_000;
const AWAY_MS = LEASE_MS + 3_000;
const OUTAGE_MS = 2 * LEASE_MS + 2_000;
const CLOCK = join(import.meta.dirname, '../../attacks/clock.mjs');

const MOST_MS =
  120_000 + LOOPS * PASSES * 4_000 + (KILLS + OUTAGES * 3) * 15_000 + POISON * 150_000 + KEPT * 3;

test('a storm', { timeout: MOST_MS }, async () => {
  const { folder, crash } = ownCluster();
  const stage = await openStage({ lease: `${LEASE_MS / 1_000}s`, cluster: folder });
  const work = 'Add lines.\ncost: 0.01\ndo: sleep 0.2; echo line >> lines.txt';
  const check = `test $(wc -l < lines.txt) -ge ${PASSES}`;
  const first = await stage.submit(work, '--check', check, '--commit', '--pause', '0s', '--max-stalls', '99');
  const ids = await stage.copy(first, LOOPS - 1);
  const poisoned = await makeWeather(stage, first);
  const began = performance.now();
  const machines = await Promise.all(
    Array.from({ length: WORKERS }, (_, k) => openMachine(stage, `w${k}`, k)),
  );
  const watched = watchPasses(stage);
  const strikes = shuffled([
    ...Array.from({ length: KILLS }, () => 'kill' as const),
    ...Array.from({ length: FREEZES }, () => 'freeze' as const),
    ...Array.from({ length: CUTS }, () => 'cut' as const),
    ...Array.from({ length: CRASHES }, () => 'crash' as const),
    ...Array.from({ length: OUTAGES }, () => 'outage' as const),
  ]);
  const struck: Promise<unknown>[] = [];
  for (const [k, strike] of strikes.entries()) {
    await counted(stage, Math.floor(((k + 0.5) * LOOPS * PASSES) / strikes.length));
    const machine = machines[k % WORKERS];
    if (strike === 'crash') await crash();
    else if (strike === 'outage') await Promise.all(machines.map((one) => one.loseDatabase()));
    else if (strike === 'kill') await machine?.reboot();
    else struck.push(machine?.leave(strike) ?? Promise.resolve());
  }
  await Promise.all(struck);
  await allEnded(stage);
  const seconds = (performance.now() - began) / 1_000;
  const { most, begun } = watched.end();

  for (const machine of machines) machine.stop();
  const aside = await stage.sql<{ status: string }>('select status from dacapo.loop where id = any($1)', [
    poisoned,
  ]);
  expect(aside.map(({ status }) => status)).toEqual(poisoned.map(() => 'interrupted'));
  // What the weather was made of goes, and the rest is exact.
  await stage.sql(`delete from dacapo.loop where id like 'kept-%' or id = any($1)`, [poisoned]);
  await expectExact(stage, ids, PASSES);
  expect(most).toBe(1);
  const [taken] = await stage.sql<{ times: number }>('select sum(epoch)::int as times from dacapo.loop');
  console.log(
    `${LOOPS} loops, ${WORKERS} workers with ${CAPACITY} places; ${KILLS} kills, ${FREEZES} freezes, ` +
      `${CUTS} cuts, ${CRASHES} crashes and ${OUTAGES} outages of the database; ${JSON.stringify(WEATHER)}; ` +
      `${LOOPS * PASSES} iterations counted of ${begun} passes begun, loops taken ${taken?.times} times, ${Math.round(seconds)} s`,
  );
});

/** A slow git server, a large record, and loops that end their workers: their ids. */
async function makeWeather(stage: Stage, first: string): Promise<string[]> {
  const hook = `#!/bin/sh\nsleep ${GIT_DELAY / 1_000}\n`;
  writeFileSync(join(stage.repo, 'hooks/pre-receive'), hook, { mode: 0o755 });
  if (KEPT > 0) {
    for (const table of ['loop', 'pass', 'account', 'hold'])
      await stage.sql(`alter table dacapo.${table} set (autovacuum_enabled = false)`);
    await stage.sql(
      `insert into dacapo.loop (id, account, repo, ref, needs, hosts, priority, request, status, report, ready_at)
       select 'kept-' || k, account, repo, ref, needs, hosts, priority, request, 'completed', report, null
       from dacapo.loop, generate_series(1, $2) k where id = $1`,
      [first, KEPT],
    );
    await stage.sql(
      `insert into dacapo.pass (loop, n, epoch, account, worker, ended)
       select id, k, 1, account, 'w', now() from dacapo.loop, generate_series(1, 1000) k
       where id like 'kept-%' limit $1`,
      [KEPT_PASSES],
    );
  }
  const kill = 'Work.\ndo: kill -9 $(cat $HOST_DIR/pid-$STAND_IN_MACHINE); sleep 60';
  const poisoned: string[] = [];
  for (let k = 0; k < POISON; k++) poisoned.push(await stage.submit(kill, '--check', 'test -e x'));
  return poisoned;
}

/** A worker that reaches the database through a network of its own, and comes back when it is ended. */
async function openMachine(stage: Stage, name: string, k: number) {
  const proxy = await proxyTo(stage.url, undefined, LATENCY);
  const off = (k % 2 === 0 ? SKEW : -SKEW) * 1_000;
  const skewed = SKEW === 0 ? {} : { NODE_OPTIONS: `--import=${CLOCK}`, CLOCK_OFF: String(off) };
  let isOver = false;
  const start = async (): Promise<WorkerProcess> => {
    const started = await stage.worker(name, ['--capacity', String(CAPACITY)], {
      DACAPO_FLEET: proxy.url,
      DACAPO_HOME: join(stage.root, 'machines', name),
      ...skewed,
    });
    writeFileSync(join(stage.root, `pid-${name}`), String(started.process.pid));
    void started.ended.then(() => restart(started));
    return started;
  };
  let worker = await start();
  /** One that a loop has ended takes everything that it started with it, as a machine does. */
  const restart = async (ended: WorkerProcess): Promise<void> => {
    if (isOver || ended !== worker) return;
    worker = { ...worker };
    await ended.die();
    worker = await start();
  };
  return {
    stop: () => (isOver = true),
    loseDatabase: async () => {
      proxy.set('down');
      await sleep(OUTAGE_MS);
      proxy.set('open');
    },
    reboot: () => restart(worker),
    /** And come back, with whatever it believes to be its own. */
    leave: async (how: 'freeze' | 'cut') => {
      const { process } = worker;
      if (how === 'freeze') process.kill('SIGSTOP');
      else proxy.set('cut');
      await sleep(AWAY_MS);
      process.kill('SIGCONT');
      proxy.set('open');
    },
  };
}

function shuffled<T>(of: readonly T[]): T[] {
  return of
    .map((one) => ({ one, at: Math.random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ one }) => one);
}
