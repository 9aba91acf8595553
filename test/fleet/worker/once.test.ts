// @module-tag postgres
/** A worker for one loop, as an engine starts it: what it takes, when it ends, and what its exit code says. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { shiftEndOf, shiftEndWithoutRecord } from '#fleet/worker/shift-end.ts';
import type { FleetLoop } from '#fleet/record.ts';
import { hasEnded, openStage, type Stage } from '../stage.ts';

const NOW = '2026-03-01T10:00:00.000Z';
const LATER = '2026-03-01T11:00:00.000Z';
const row = (of: Partial<FleetLoop>) =>
  ({ id: 'l', worker: null, waits: null, status: 'completed', ...of }) as FleetLoop;

test('what an engine is told follows from the record', () => {
  const letGo = { is: 'let-go', until: 'now' } as const;
  expect(shiftEndOf(row({}), letGo, NOW)).toEqual({ is: 'ended', loop: 'l', status: 'completed' });
  expect(shiftEndOf(row({ worker: 'w2' }), { is: 'lost' }, NOW)).toEqual({ is: 'not-ours', loop: 'l' });
  const waits = { for: 'limit', until: LATER } as const;
  expect(shiftEndOf(row({ waits }), letGo, NOW)).toEqual({ is: 'again', loop: 'l', when: LATER });
  const due = { for: 'worker', until: null } as const;
  expect(shiftEndOf(row({ waits: due }), letGo, NOW)).toEqual({ is: 'again', loop: 'l', when: NOW });
  expect(shiftEndOf(row({ waits: due }), null, NOW)).toEqual({ is: 'not-ours', loop: 'l' });
  const broken = { is: 'let-go', until: 'later', why: 'no disk' } as const;
  expect(shiftEndOf(row({ waits: { for: 'retry', until: LATER } }), broken, NOW)).toEqual({
    is: 'trouble',
    loop: 'l',
    why: 'no disk',
  });
  expect(shiftEndWithoutRecord('l', letGo, 'away', NOW)).toEqual({ is: 'again', loop: 'l', when: NOW });
  expect(shiftEndWithoutRecord('l', null, 'away', NOW)).toEqual({ is: 'trouble', loop: 'l', why: 'away' });
});

async function runOnce(stage: Stage, ...flags: string[]) {
  const ran = await stage.run('worker', '--as-owner', '--json', ...flags);
  const lines = ran.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  return { code: ran.code, last: lines.at(-1), takes: lines.filter(({ is }) => is === 'takes').length };
}

test('one loop, and an exit code for each end', { timeout: 240_000 }, async () => {
  const stage = await openStage();
  expect(await runOnce(stage, '--once')).toMatchObject({
    code: 69,
    last: { is: 'exits', code: 69, loop: null },
  });
  const work = 'Add.\ndo: echo x >> x.txt';
  const done = ['--check', 'test $(wc -l < x.txt) -ge 2'];
  const first = await stage.submit(work, ...done);
  const second = await stage.submit(work, ...done, '--pause', '1h');
  const third = await stage.submit(work, ...done, '--needs', 'gpu');
  expect(await runOnce(stage, '--loop', second)).toMatchObject({
    code: 75,
    takes: 1,
    last: { loop: second, when: expect.stringMatching(/^\d{4}-/) },
  });
  // It is not due: nothing is taken, and the answer is the same.
  expect(await runOnce(stage, '--loop', second)).toMatchObject({
    code: 75,
    takes: 0,
    last: { loop: second },
  });
  expect(await runOnce(stage, '--once')).toMatchObject({
    code: 0,
    takes: 1,
    last: { loop: first, status: 'completed' },
  });
  expect(await runOnce(stage, '--loop', first)).toMatchObject({
    code: 0,
    takes: 0,
    last: { status: 'completed' },
  });
  expect(await runOnce(stage, '--loop', third)).toMatchObject({ code: 69, takes: 0, last: { loop: third } });
  expect((await stage.run('worker', '--as-owner', '--loop', 'nobody')).code).toBe(1);
  expect((await stage.run('worker', '--once', '--capacity', '2')).code).toBe(2);
  const broken = await stage.submit(work, ...done, '--setup', 'exit 3');
  expect(await runOnce(stage, '--loop', broken)).toMatchObject({
    code: 71,
    takes: 1,
    last: { loop: broken },
  });
});

test(
  'a grace ends a long pass in time, uncounted, and the loop goes on elsewhere',
  { timeout: 90_000 },
  async () => {
    const stage = await openStage();
    const id = await stage.submit('Work.\ndo: sleep 60; echo x > x.txt', '--check', 'test -e x.txt');
    const worker = await stage.worker('w1', ['--once', '--grace', '8s']);
    while (stage.passes().length === 0) await sleep(50);
    worker.process.kill('SIGTERM');
    const began = Date.now();
    expect(await worker.ended).toBe(75);
    expect(Date.now() - began).toBeLessThan(8_000);
    expect(worker.lines.at(-1)).toMatchObject({ is: 'exits', loop: id, when: expect.any(String) });
    expect(await stage.status(id)).toMatchObject({ iteration: 1, worker: null, waits: { for: 'worker' } });
  },
);

test('a worker ends when it is idle, and when its time is over', { timeout: 90_000 }, async () => {
  const stage = await openStage();
  const id = await stage.submit('Work.\ndo: echo x > x.txt', '--check', 'test -e x.txt');
  const idle = await stage.worker('w1', ['--until-idle', '2s']);
  expect(await idle.ended).toBe(0);
  expect(await stage.until(id, hasEnded)).toMatchObject({ status: 'completed' });
  const bounded = await stage.worker('w2', ['--max-time', '2s']);
  expect(await bounded.ended).toBe(0);
  expect(bounded.lines.some(({ is }) => is === 'drains')).toBe(true);
});
