// @module-tag postgres
/** No loop is lost: one that is alive can always be taken again. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { releaseAfter } from '#fleet/driven/barriers.ts';
import { after, running } from '../../law/given.ts';
import { hasEnded, openStage } from '../stage.ts';

test(
  'a worker whose home has an empty or half a machine id heals it, and works',
  { timeout: 90_000 },
  async () => {
    const stage = await openStage();
    const homes = { w1: '', w2: 'abc' };
    for (const [name, id] of Object.entries(homes)) {
      const home = join(stage.env['DACAPO_HOME'] ?? '', 'fleet/workers', name, 'home');
      mkdirSync(home, { recursive: true });
      writeFileSync(join(home, 'machine'), id);
    }
    const first = await stage.submit(
      'Add.\ndo: echo x >> x.txt',
      '--check',
      'test -e x.txt',
      '--pause',
      '0s',
    );
    const ids = await stage.copy(first, 5);
    await Promise.all(Object.keys(homes).map((name) => stage.worker(name, ['--capacity', '3'])));
    for (const id of ids)
      expect(await stage.until(id, hasEnded)).toMatchObject({ status: 'completed', iteration: 1 });
    expect(await stage.sql('select max(epoch) as epoch from dacapo.loop')).toEqual([{ epoch: 1 }]);
    for (const name of Object.keys(homes)) {
      const file = join(stage.env['DACAPO_HOME'] ?? '', 'fleet/workers', name, 'home/machine');
      expect(readFileSync(file, 'utf8')).toMatch(/^[0-9a-z]{12}$/);
    }
  },
);

test('a loop that its driver leaves alive is released for another try, with the reason', () => {
  const parked = { until: '2026-11-18T10:00:00.000Z', for: 'pause', leftMs: 1 } as const;
  expect(releaseAfter({ until: null }, running(), true)).toEqual({
    until: 'later',
    why: 'its driver found it held by another process',
  });
  expect(releaseAfter({ until: null }, running(), false)).toMatchObject({ until: 'later' });
  expect(releaseAfter(parked, running(), false)).toBe(parked);
  const cancelled = running({}, { type: 'cancelled', at: after(1), by: 'terminal', prompt: null });
  expect(releaseAfter({ until: null }, cancelled, false)).toEqual({ until: null });
});

test('the record refuses a live loop that nobody may take', { timeout: 30_000 }, async () => {
  const stage = await openStage();
  const id = await stage.submit('Work.');
  const lose = `update dacapo.loop set status = 'running', ready_at = null`;
  await expect(stage.sql(lose)).rejects.toThrow('live_loop_can_be_taken');
  // What has ended, and what a person paused, is nobody's.
  await stage.fleet('pause', id);
  await stage.fleet('resume', id);
  await stage.fleet('cancel', id);
  expect(await stage.status(id)).toMatchObject({ status: 'cancelled', waits: null });
});
