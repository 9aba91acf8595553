// @module-tag postgres
/**
 * Many loops, and machines that die, freeze, are cut off, and whose database crashes: nothing is lost,
 * nothing counted twice, every file exact, and no loop has two passes at a time. `npm run storm` is the same
 * with larger numbers.
 */
import { closeSync, openSync, readSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { lives } from '../processes.ts';
import { ownCluster } from './postgres.ts';
import { proxyTo } from './proxy.ts';
import { openStage, type Pass, type Stage } from './stage.ts';

const { LOOPS, PASSES, WORKERS, CAPACITY, KILLS, FREEZES, CUTS, CRASHES } = numbers({
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
const LINES = Array.from({ length: PASSES }, () => 'line').join('\n');

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
  while (
    (await stage.sql(`select 1 from dacapo.loop where ready_at is not null or worker is not null limit 1`))
      .length > 0
  )
    await sleep(200);
  const seconds = (performance.now() - began) / 1_000;
  const { most, begun } = watched.end();

  const judged = await stage.sql<{ loop: string; status: string; stops: number[] }>(
    `select l.id as loop, status, array(select stop from dacapo.event where loop = l.id and stop is not null order by n) stops
     from dacapo.loop l`,
  );
  const exact = Array.from({ length: PASSES }, (_, k) => k + 1);
  expect(
    judged.filter(({ status, stops }) => status !== 'completed' || String(stops) !== String(exact)),
  ).toEqual([]);
  expect(judged.map(({ loop }) => loop).toSorted()).toEqual(ids.toSorted());
  stage.git('fetch', '-q', stage.repo, 'refs/heads/dacapo/*:refs/heads/dacapo/*');
  for (const id of ids) {
    expect(stage.git('show', `dacapo/${id}:lines.txt`)).toBe(LINES);
    expect(stage.git('rev-list', '--count', `dacapo/${id}`, '--not', 'main')).toBe(String(PASSES));
  }
  expect(await stage.fleet('doctor')).toMatchObject({ ok: true });
  expect(await stage.sql('select 1 from dacapo.pass where ended is null')).toEqual([]);
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

/** Resolves when the record has so many iterations. A database that is away is asked again. */
async function counted(stage: Stage, wanted: number): Promise<void> {
  for (let count = 0; count < wanted; await sleep(100)) {
    const asked = stage.sql<{ count: number }>('select count(stop)::int as count from dacapo.event');
    const [row] = await asked.catch(() => []);
    count = row?.count ?? 0;
  }
}

/** How many passes of one loop were ever seen alive at once, at most. */
function watchPasses({ root }: Stage) {
  const file = openSync(join(root, 'passes.jsonl'), 'a+');
  const alive = new Map<number, string>();
  const bytes = Buffer.alloc(65_536);
  let [most, begun, rest] = [0, 0, ''];
  const look = () => {
    for (let n = readSync(file, bytes); n > 0; n = readSync(file, bytes))
      rest += bytes.toString('latin1', 0, n);
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const { is, pid, cwd = '' } = JSON.parse(line) as Pass;
      if (is === 'ends') alive.delete(pid);
      else {
        alive.set(pid, basename(cwd));
        begun++;
      }
    }
    for (const pid of alive.keys()) if (!lives(pid)) alive.delete(pid);
    const byLoop = new Map<string, number>();
    for (const loop of alive.values()) byLoop.set(loop, (byLoop.get(loop) ?? 0) + 1);
    most = Math.max(most, ...byLoop.values());
  };
  const timer = setInterval(look, 50);
  return {
    end: () => {
      clearInterval(timer);
      look();
      closeSync(file);
      return { most, begun };
    },
  };
}

function shuffled<T>(of: readonly T[]): T[] {
  return of
    .map((one) => ({ one, at: Math.random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ one }) => one);
}

/** Each may be given as `STORM_NAME`. */
function numbers<K extends string>(usual: Record<K, number>): Record<K, number> {
  const given = Object.entries<number>(usual).map(([name, value]) => [
    name,
    Number(process.env[`STORM_${name}`] ?? value),
  ]);
  return Object.fromEntries(given) as Record<K, number>;
}
