// @module-tag postgres
/**
 * The dumbest engine: it starts `dacapo worker --once` until nothing waits, and kills one in three at a random
 * moment. `npm run engines -- dumb` is the same with larger numbers.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { expectExact, numbersOf, watchPasses } from '../exact.ts';
import { openStage, type Stage } from '../stage.ts';

const { LOOPS, PASSES, SLOTS } = numbersOf('DUMB', { LOOPS: 6, PASSES: 2, SLOTS: 2 });
/** Longer than most workers live. The first victim must not end before: it dies within its first pass. */
const LATEST_KILL_MS = 6_000;
const FIRST_KILL_MS = 1_000;
/** Ended, to be run again, nothing to take. */
const CODES = [0, 75, 69];

test('one worker in three is killed', { timeout: 120_000 + LOOPS * PASSES * 15_000 }, async () => {
  const stage = await openStage();
  const check = `test $(wc -l < lines.txt) -ge ${PASSES}`;
  const flags = ['--check', check, '--pause', '0s', '--commit', '--max-stalls', '99'];
  const first = await stage.submit('Add.\ndo: sleep 1; echo line >> lines.txt', ...flags);
  const ids = await stage.copy(first, LOOPS - 1);
  const watched = watchPasses(stage);
  const began = performance.now();
  const said = new Map<number | null | 'killed', number>();
  let started = 0;
  const engine = async (slot: number): Promise<void> => {
    while (await isWorkLeft(stage)) {
      const nth = started++;
      const worker = await stage.worker(`pod-${slot}-${nth}`, ['--once', '--until-idle', '5s']);
      const isVictim = nth % 3 === 1;
      const latest = said.has('killed') ? LATEST_KILL_MS : FIRST_KILL_MS;
      const killed = isVictim && (await isStillThere(worker.ended, Math.random() * latest));
      if (killed) await worker.die();
      const code = killed ? 'killed' : await worker.ended;
      said.set(code, (said.get(code) ?? 0) + 1);
    }
  };
  let resumed = 0;
  do {
    await Promise.all(Array.from({ length: SLOTS }, (_, slot) => engine(slot)));
    resumed += await resumeSetAside(stage);
  } while (await isWorkLeft(stage));
  const seconds = Math.round((performance.now() - began) / 1_000);
  const { most, begun } = watched.end();
  await expectExact(stage, ids, PASSES);
  expect(most).toBe(1);
  const { killed = 0, ...codes } = Object.fromEntries(said);
  expect(killed).toBeGreaterThan(0);
  expect(CODES.map(String)).toEqual(expect.arrayContaining(Object.keys(codes)));
  console.log(
    `${LOOPS} loops, ${started} workers, ${killed} killed, ${resumed} loops set aside and resumed; ` +
      `${LOOPS * PASSES} iterations counted of ` +
      `${begun} passes begun, ${seconds} s; exit codes ${JSON.stringify(codes)}`,
  );
});

/** A loop whose workers died five times in a row waits for a person: of a hundred loops, that may be one. */
async function resumeSetAside(stage: Stage): Promise<number> {
  const loops = await stage.sql<{ id: string }>(`select id from dacapo.loop where status = 'interrupted'`);
  for (const { id } of loops) await stage.fleet('resume', id);
  return loops.length;
}

async function isWorkLeft(stage: Stage): Promise<boolean> {
  const open = 'select 1 from dacapo.loop where ready_at is not null or worker is not null limit 1';
  return (await stage.sql(open)).length > 0;
}

/** After so long. */
function isStillThere(ended: Promise<unknown>, ms: number): Promise<boolean> {
  return Promise.race([ended.then(() => false), sleep(ms, true)]);
}
