/** Many loops, and workers that are killed at random: nothing is lost, nothing counted twice, every file exact. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openStage, type WorkerProcess } from './stage.ts';

const LOOPS = Number(process.env['STORM_LOOPS'] ?? 8);
const KILLS = Number(process.env['STORM_KILLS'] ?? 4);
const WORKERS = Number(process.env['STORM_WORKERS'] ?? 3);

test('a storm', { timeout: 60_000 + LOOPS * 10_000 + KILLS * 15_000 }, async () => {
  const stage = await openStage();
  const work = 'Add lines.\ncost: 0.01\ndo: sleep 0.3; echo line >> lines.txt';
  const ids: string[] = [];
  for (let k = 0; k < LOOPS; k++)
    ids.push(
      await stage.submit(work, '--check', 'test $(wc -l < lines.txt) -ge 3', '--commit', '--pause', '0s'),
    );
  const workers: WorkerProcess[] = [];
  for (let k = 0; k < WORKERS; k++) workers.push(await stage.worker(`w${k}`, ['--capacity', '2']));
  for (let k = 0; k < KILLS; k++) {
    await sleep(2_500);
    const victim = Math.floor(Math.random() * WORKERS);
    workers[victim]?.process.kill('SIGKILL');
    workers[victim] = await stage.worker(`w${victim}`, ['--capacity', '2']);
  }
  while (
    (await stage.sql(`select 1 from dacapo.loop where ready_at is not null or worker is not null`)).length > 0
  )
    await sleep(200);
  for (const id of ids) {
    expect(await stage.status(id)).toMatchObject({ status: 'completed', iteration: 3, waits: null });
    const events = await stage.logs(id);
    expect(events.flatMap((event) => (event.type === 'verdict' ? [event.n] : []))).toEqual([1, 2, 3]);
    stage.git('fetch', '-q', stage.repo, `dacapo/${id}`);
    expect(stage.git('show', 'FETCH_HEAD:lines.txt')).toBe('line\nline\nline');
    expect(stage.git('rev-list', '--count', 'FETCH_HEAD', '--not', 'main')).toBe('3');
  }
  expect(await stage.fleet('doctor')).toMatchObject({ ok: true });
  expect(await stage.sql('select 1 from dacapo.pass where ended is null')).toEqual([]);
});
