// @module-tag postgres
/**
 * Many loops, and machines that die, freeze, are cut off, and whose database crashes: nothing is lost,
 * nothing counted twice, every file exact, and no loop has two passes at a time. `npm run storm` is the same
 * with larger numbers.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { allEnded, counted, expectExact, numbersOf, watchPasses } from './exact.ts';
import { ownCluster } from './postgres.ts';
import { proxyTo } from './proxy.ts';
import { openStage, type Stage } from './stage.ts';

const { LOOPS, PASSES, WORKERS, CAPACITY, KILLS, FREEZES, CUTS, CRASHES } = numbersOf('STORM', {
  LOOPS: 6,
  PASSES: 3,
  WORKERS: 3,
  CAPACITY: 2,
  KILLS: 2,
  FREEZES: 1,
  CUTS: 1,
  CRASHES: 1,
});
/** A worker that is frozen or cut off for so long has lost its loops. */
const LEASE_MS = 10_000;
const AWAY_MS = LEASE_MS + 3_000;

test('a storm', { timeout: 120_000 + LOOPS * PASSES * 4_000 + KILLS * 15_000 }, async () => {
  const { folder, crash } = ownCluster();
  const stage = await openStage({ lease: `${LEASE_MS / 1_000}s`, cluster: folder });
  const work = 'Add lines.\ncost: 0.01\ndo: sleep 0.2; echo line >> lines.txt';
  const check = `test $(wc -l < lines.txt) -ge ${PASSES}`;
  const first = await stage.submit(work, '--check', check, '--commit', '--pause', '0s', '--max-stalls', '99');
  const ids = await stage.copy(first, LOOPS - 1);
  const began = performance.now();
  const machines = await Promise.all(Array.from({ length: WORKERS }, (_, k) => openMachine(stage, `w${k}`)));
  const watched = watchPasses(stage);
  const strikes = shuffled([
    ...Array.from({ length: KILLS }, () => 'kill' as const),
    ...Array.from({ length: FREEZES }, () => 'freeze' as const),
    ...Array.from({ length: CUTS }, () => 'cut' as const),
    ...Array.from({ length: CRASHES }, () => 'crash' as const),
  ]);
  const struck: Promise<unknown>[] = [];
  for (const [k, strike] of strikes.entries()) {
    await counted(stage, Math.floor(((k + 0.5) * LOOPS * PASSES) / strikes.length));
    const machine = machines[k % WORKERS];
    if (strike === 'crash') await crash();
    else if (strike === 'kill') await machine?.reboot();
    else struck.push(machine?.leave(strike) ?? Promise.resolve());
  }
  await Promise.all(struck);
  await allEnded(stage);
  const seconds = (performance.now() - began) / 1_000;
  const { most, begun } = watched.end();

  await expectExact(stage, ids, PASSES);
  expect(most).toBe(1);
  const [taken] = await stage.sql<{ times: number }>('select sum(epoch)::int as times from dacapo.loop');
  console.log(
    `${LOOPS} loops, ${WORKERS} workers with ${CAPACITY} places; ${KILLS} kills, ${FREEZES} freezes, ${CUTS} cuts, ${CRASHES} crashes of the database; ` +
      `${LOOPS * PASSES} iterations counted of ${begun} passes begun, loops taken ${taken?.times} times, ${Math.round(seconds)} s`,
  );
});

/** A worker that reaches the database through a network of its own. */
async function openMachine(stage: Stage, name: string) {
  const proxy = await proxyTo(stage.url);
  const start = () =>
    stage.worker(name, ['--capacity', String(CAPACITY)], {
      DACAPO_FLEET: proxy.url,
      DACAPO_HOME: join(stage.root, 'machines', name),
    });
  let worker = await start();
  return {
    reboot: async () => {
      await worker.die();
      worker = await start();
    },
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
