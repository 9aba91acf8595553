// @module-tag postgres
// @module-tag nodes
/**
 * The recipe for pg-boss, with pg-boss as it comes: each iteration counts once although workers are killed, and
 * the loop that kills its workers is in the dead letter queue of pg-boss. `npm run engines -- pgboss` is the
 * same with larger numbers.
 */
import { copyFileSync, symlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { installedHost } from '../../../scripts/test/hosts.mjs';
import { counted, expectExact, numbersOf, watchPasses } from '../../fleet/exact.ts';
import { hasEnded, type Stage } from '../../fleet/stage.ts';
import { commandLineOf, kill, processesBelow } from '../../processes.ts';
import { ENGINES, openRecipeStage } from './recipe-stage.ts';

const { LOOPS, PASSES, KILLS } = numbersOf('PGBOSS', { LOOPS: 3, PASSES: 2, KILLS: 1 });
/** Above the lease of the stage, which is 10 s. */
const RETRY_SECONDS = 12;
const RETRIES = 2;
/** Ends the worker that has started it, whatever lies between. */
const POISON =
  'p=$PPID; while [ "${p:-0}" -gt 1 ]; do grep -qae --loop /proc/$p/cmdline && kill -9 $p; ' +
  'p=$(ps -o ppid= -p $p | tr -d " "); done; sleep 60';

test('loops on pg-boss', { timeout: 180_000 + LOOPS * PASSES * 15_000 }, async () => {
  const { stage, start } = await openRecipeStage();
  const boss = openBoss(stage);
  const run = (...ids: string[]) => start(boss.node, [boss.program, ...ids], { BOSS_URL: stage.url });
  const check = `test $(wc -l < lines.txt) -ge ${PASSES}`;
  const flags = ['--check', check, '--pause', '0s', '--commit', '--max-stalls', '99'];
  const first = await stage.submit('Add.\ndo: sleep 1; echo line >> lines.txt', ...flags);
  const ids = await stage.copy(first, LOOPS - 1);
  const poisoned = await stage.submit(`Work.\ndo: ${POISON}`, '--check', 'test -e x');
  expect(await run(first).code).toBe(0);
  // The recipe waits longer than a test should.
  await stage.sql('update pgboss.queue set retry_delay = $1, retry_limit = $2 where name = $3', [
    RETRY_SECONDS,
    RETRIES,
    'loops',
  ]);
  expect(await run(...ids.slice(1), poisoned).code).toBe(0);
  const watched = watchPasses(stage);
  const began = performance.now();
  let engine = run();
  onTestFinished(() => engine.signal('SIGKILL'));
  for (let k = 0; k < KILLS; k++) {
    await counted(stage, Math.floor(((k + 0.5) * LOOPS * PASSES) / KILLS));
    await killOneWorker(stage, poisoned);
  }
  // The engine itself may be stopped and started again.
  engine.signal('SIGTERM');
  expect(await engine.code).toBe(0);
  engine = run();
  for (const id of ids) expect(await stage.until(id, hasEnded)).toMatchObject({ status: 'completed' });
  const dead = () =>
    stage.sql<{ data: { id: string } }>(`select data from pgboss.job where name = 'loops-dead'`);
  await expect.poll(dead, { timeout: 120_000, interval: 500 }).toEqual([{ data: { id: poisoned } }]);
  const seconds = Math.round((performance.now() - began) / 1_000);
  engine.signal('SIGTERM');
  expect(await engine.code).toBe(0);
  const { most, begun } = watched.end();
  expect(most).toBe(1);
  const [taken] = await stage.sql<{ times: number }>('select sum(epoch)::int as times from dacapo.loop');
  // The fleet has not set it aside: that is pg-boss's here.
  expect((await stage.status(poisoned)).status).not.toBe('interrupted');
  await stage.sql('delete from dacapo.loop where id = $1', [poisoned]);
  await expectExact(stage, ids, PASSES);
  console.log(
    `${LOOPS} loops and a poisoned one on pg-boss; ${KILLS} workers killed; ${LOOPS * PASSES} iterations counted ` +
      `of ${begun} passes begun (the poisoned ones included), loops taken ${taken?.times} times, ${seconds} s`,
  );
});

/** The program of the recipe, beside pg-boss as npm has installed it. */
function openBoss({ root }: Stage) {
  const [library, node] = [installedHost('pg-boss'), installedHost('node-22')];
  if (library.program === undefined) throw new Error(library.missing);
  if (node.program === undefined) throw new Error(node.missing);
  const program = join(root, 'worker.mjs');
  copyFileSync(join(ENGINES, 'pg-boss/worker.mjs'), program);
  symlinkSync(resolve(dirname(library.program), '../..'), join(root, 'node_modules'));
  return { node: node.program, program };
}

async function killOneWorker(stage: Stage, but: string): Promise<void> {
  for (;;) {
    const [worker] = processesBelow(stage.root).filter((pid) => {
      const words = commandLineOf(pid).split('\0');
      return words.includes('worker') && words.includes('--loop') && !words.includes(but);
    });
    if (worker !== undefined) return kill(worker);
    await sleep(20);
  }
}
