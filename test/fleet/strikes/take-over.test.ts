// @module-tag postgres
/**
 * A worker that dies, is frozen or told to leave: the loop goes on elsewhere, with exact counts and files.
 */
import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { setTimeout as sleep } from 'node:timers/promises';
import { gone } from '../../processes.ts';
import { hasEnded, openStage, passesNow } from '../stage.ts';

test(
  'kill -9 of a worker: another one goes on from the last counted iteration',
  { timeout: 90_000 },
  async () => {
    const stage = await openStage();
    const work = `Add lines.
cost: 0.25
do: echo line >> lines.txt; echo dirt > dirt.$$.txt; test $(wc -l < lines.txt) -ne 2 || sleep $(cat ${stage.root}/nap)`;
    writeFileSync(`${stage.root}/nap`, '60');
    const id = await stage.submit(
      work,
      '--check',
      'test $(wc -l < lines.txt) -ge 3',
      '--commit',
      '--pause',
      '0s',
      '--setup',
      'echo set up > ignored',
    );
    const first = await stage.worker('w1');
    await stage.until(id, ({ iteration }) => iteration === 2);
    while (passesNow(stage.passes()).length === 0) await sleep(50);
    const [host] = passesNow(stage.passes());
    // Heartbeats carry what a pass has used, and come each third of a lease.
    await sleep(4_500);
    const killed = Date.now();
    first.process.kill('SIGKILL');
    expect(await gone(host ?? 0)).toBe(true);
    writeFileSync(`${stage.root}/nap`, '0');
    const second = await stage.worker('w2');
    await second.hear(({ is }) => is === 'takes');
    expect(Date.now() - killed).toBeLessThan(12_500);
    const loop = await stage.until(id, hasEnded);
    expect(loop).toMatchObject({ status: 'completed', iteration: 3 });
    stage.git('fetch', '-q', stage.repo, `dacapo/${id}`);
    expect(stage.git('show', 'FETCH_HEAD:lines.txt')).toBe('line\nline\nline');
    // One file for each counted pass, and none of the one that was cut off.
    expect(
      stage
        .git('ls-tree', '--name-only', 'FETCH_HEAD')
        .split('\n')
        .filter((name) => name.startsWith('dirt')),
    ).toHaveLength(3);
    const events = await stage.logs(id);
    expect(events.flatMap((event) => (event.type === 'verdict' ? [event.n] : []))).toEqual([1, 2, 3]);
    expect(events.filter(({ type }) => type === 'taken')).toHaveLength(4);
    expect(events.filter(({ type }) => type === 'spent')).toHaveLength(1);
    expect(loop.cost_usd).toBeGreaterThan(0.75);
    const passes = await stage.sql<{ ended: Date | null }>('select ended from dacapo.pass');
    expect(passes).toHaveLength(4);
    expect(passes.every(({ ended }) => ended !== null)).toBe(true);
  },
);

test(
  'SIGTERM lets the pass end and be counted, and hands the loop over at once',
  { timeout: 60_000 },
  async () => {
    const stage = await openStage({ lease: '30s' });
    const id = await stage.submit(
      'Add lines.\ndo: sleep 2; echo line >> lines.txt',
      '--check',
      'test $(wc -l < lines.txt) -ge 2',
      '--pause',
      '0s',
    );
    const first = await stage.worker('w1');
    while (passesNow(stage.passes()).length === 0) await sleep(50);
    first.process.kill('SIGTERM');
    expect(await first.ended).toBe(0);
    expect(await stage.status(id)).toMatchObject({
      status: 'waiting',
      iteration: 2,
      waits: { for: 'worker' },
      worker: null,
    });
    expect((await stage.fleet<{ workers: unknown[] }>('status')).workers).toEqual([]);
    const began = Date.now();
    const second = await stage.worker('w2');
    await second.hear(({ is }) => is === 'takes');
    expect(Date.now() - began).toBeLessThan(5_000);
    expect(await stage.until(id, hasEnded)).toMatchObject({ status: 'completed', iteration: 2 });
    expect(stage.passes().filter(({ is }) => is === 'ends')).toHaveLength(2);
    expect((await stage.fleet<{ worker: string }>('drain', 'w2')).worker).toBe('w2');
    expect(await second.ended).toBe(0);
  },
);
