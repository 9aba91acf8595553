// @module-tag postgres
/**
 * Workers that are frozen or cut off, and a database that is away: never two passes of one loop at a time.
 * They wait most of the time, so they run side by side.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ownCluster } from '../postgres.ts';
import { proxyTo } from '../proxy.ts';
import { hasEnded, openStage, passesNow, type Stage } from '../stage.ts';

/** Until this is resolved: how many passes ran at once, at most. */
async function mostAtOnce(stage: Stage, until: Promise<unknown>): Promise<number> {
  let [most, isOver] = [0, false];
  void until.then(() => (isOver = true));
  while (!isOver) {
    most = Math.max(most, passesNow(stage.passes()).length);
    await sleep(20);
  }
  return most;
}

async function passSleeps(stage: Stage, id: string): Promise<void> {
  await stage.until(id, ({ iteration }) => iteration === 2);
  while (passesNow(stage.passes()).length === 0) await sleep(20);
}

/** Three lines, and a nap in the pass that writes the second one. */
function submit(stage: Stage, nap: number): Promise<string> {
  const work = `Add.\ndo: echo x >> x.txt; test $(wc -l < x.txt) -ne 2 || sleep ${nap}`;
  return stage.submit(work, '--check', 'test $(wc -l < x.txt) -ge 3', '--pause', '0s');
}

test.concurrent(
  'a frozen worker: its child stops the pass before another worker has the loop',
  { timeout: 90_000 },
  async ({ onTestFinished: atEnd }) => {
    const stage = await openStage({ atEnd });
    const id = await submit(stage, 14);
    const first = await stage.worker('w1');
    await passSleeps(stage, id);
    first.process.kill('SIGSTOP');
    const second = await stage.worker('w2');
    const done = stage.until(id, hasEnded);
    expect(await mostAtOnce(stage, done)).toBe(1);
    expect(await done).toMatchObject({ status: 'completed', iteration: 3 });
    expect(second.lines).toContainEqual(expect.objectContaining({ is: 'takes', loop: id }));
    const events = await stage.logs(id);
    first.process.kill('SIGCONT');
    await first.hear(({ is }) => is === 'ends-loop');
    expect(await stage.logs(id)).toEqual(events);
  },
);

test.concurrent(
  'a worker that is cut off stops its pass in time, and takes loops again when it is back',
  { timeout: 90_000 },
  async ({ onTestFinished: atEnd }) => {
    const stage = await openStage({ atEnd });
    const proxy = await proxyTo(stage.url, atEnd);
    const id = await submit(stage, 14);
    const first = await stage.worker('w1', [], { DACAPO_FLEET: proxy.url });
    await passSleeps(stage, id);
    proxy.set('cut');
    await stage.worker('w2');
    const done = stage.until(id, hasEnded);
    expect(await mostAtOnce(stage, done)).toBe(1);
    expect(await done).toMatchObject({ status: 'completed', iteration: 3 });
    expect((await stage.logs(id)).flatMap((event) => (event.type === 'verdict' ? [event.n] : []))).toEqual([
      1, 2, 3,
    ]);
    proxy.set('open');
    const other = await stage.submit(
      'Add.\ndo: echo x > x.txt',
      '--check',
      'test -e x.txt',
      '--needs',
      'back',
    );
    await stage.fleet('drain', 'w2');
    await stage.sql(`update dacapo.loop set needs = '{}' where id = $1`, [other]);
    await first.hear(({ is, loop }) => is === 'takes' && loop === other);
  },
);

test.concurrent(
  'a worker that is cut off pushes nothing: it could not know of a cancel',
  { timeout: 90_000 },
  async ({ onTestFinished: atEnd }) => {
    const stage = await openStage({ atEnd });
    const proxy = await proxyTo(stage.url, atEnd);
    const work = 'Add.\ndo: echo x >> x.txt; sleep 2';
    const id = await stage.submit(work, '--check', 'false', '--pause', '0s', '--commit');
    const worker = await stage.worker('w1', [], { DACAPO_FLEET: proxy.url });
    await passSleeps(stage, id);
    proxy.set('cut');
    await stage.fleet('cancel', id);
    const refs = stage.git('ls-remote', stage.repo);
    while (passesNow(stage.passes()).length > 0) await sleep(20);
    await sleep(1_000);
    proxy.set('open');
    await worker.hear(({ is }) => is === 'ends-loop');
    expect(stage.git('ls-remote', stage.repo)).toBe(refs);
  },
);

test.concurrent(
  'a worker waits for a database that is not there yet, and outlives one that goes away',
  { timeout: 90_000 },
  async ({ onTestFinished: atEnd }) => {
    const stage = await openStage({ atEnd });
    const proxy = await proxyTo(stage.url, atEnd);
    proxy.set('down');
    const worker = await stage.worker('w1', [], { DACAPO_FLEET: proxy.url });
    expect(worker.lines[0]).toMatchObject({ is: 'waits', for: 'database', at: expect.any(String) });
    proxy.set('open');
    await worker.hear(({ is }) => is === 'ready');
    const id = await submit(stage, 3);
    await passSleeps(stage, id);
    // For a moment only: the pass goes on, and is counted when the database is back.
    proxy.set('down');
    await worker.hear(({ is }) => is === 'waits');
    await sleep(1_500);
    proxy.set('open');
    expect(await stage.until(id, hasEnded)).toMatchObject({ status: 'completed', iteration: 3 });
    expect(stage.passes().filter(({ is }) => is === 'begins')).toHaveLength(3);
    worker.process.kill('SIGTERM');
    expect(await worker.ended).toBe(0);
  },
);

test.concurrent(
  'a database that crashes in the middle of a pass: the pass is counted once, and none is repeated',
  { timeout: 90_000 },
  async ({ onTestFinished: atEnd }) => {
    const { folder, crash } = ownCluster(atEnd);
    const stage = await openStage({ lease: '30s', cluster: folder, atEnd });
    const id = await submit(stage, 4);
    const worker = await stage.worker('w1');
    await passSleeps(stage, id);
    const before = await stage.logs(id);
    await crash();
    const loop = await stage.until(id, hasEnded);
    expect(loop).toMatchObject({ status: 'completed', iteration: 3 });
    const events = await stage.logs(id);
    expect(events.slice(0, before.length)).toEqual(before);
    expect(events.flatMap((event) => (event.type === 'verdict' ? [event.n] : []))).toEqual([1, 2, 3]);
    expect(stage.passes().filter(({ is }) => is === 'begins')).toHaveLength(3);
    worker.process.kill('SIGTERM');
    expect(await worker.ended).toBe(0);
  },
);

test.concurrent(
  'a worker whose next loop lets it wait renews the leases of the others meanwhile',
  { timeout: 120_000 },
  async ({ onTestFinished: atEnd }) => {
    const stage = await openStage({ atEnd });
    const id = await stage.submit('Work.\ndo: sleep 12; echo x > x.txt', '--check', 'test -e x.txt');
    const worker = await stage.worker('w1', ['--capacity', '2']);
    while (stage.passes().length === 0) await sleep(50);
    // Nobody can count what the account may use, so nobody can take a loop. A heartbeat needs no account.
    await stage.sql('begin; lock table dacapo.account in access exclusive mode; select pg_sleep(9); commit');
    expect(await stage.until(id, hasEnded)).toMatchObject({ status: 'completed', iteration: 1 });
    expect(worker.lines.filter(({ is }) => is === 'takes')).toHaveLength(1);
  },
);

test.concurrent(
  'a driver that was busy for longer than its lease goes on if it has it',
  { timeout: 120_000 },
  async ({ onTestFinished: atEnd }) => {
    const stage = await openStage({ atEnd });
    const slow = join(stage.root, 'slow');
    const [quick] = (stage.env['PATH'] ?? '').split(':');
    writeFileSync(slow, `#!/bin/sh\n[ "$1" != --version ] || sleep 7\nexec '${quick}/claude' "$@"\n`, {
      mode: 0o755,
    });
    const id = await stage.submit('Work.\ndo: echo x > x.txt', '--check', 'test -e x.txt');
    const worker = await stage.worker('w1', [], { DACAPO_CLAUDE: slow });
    expect(await stage.until(id, hasEnded)).toMatchObject({ status: 'completed', iteration: 1 });
    expect(worker.lines.filter(({ is }) => is === 'takes')).toHaveLength(1);
  },
);

test.concurrent(
  'a worker that is cut off leaves when it is told to, without waiting for the network',
  { timeout: 90_000 },
  async ({ onTestFinished: atEnd }) => {
    const stage = await openStage({ atEnd });
    const proxy = await proxyTo(stage.url, atEnd);
    const worker = await stage.worker('w1', ['--grace', '10s'], { DACAPO_FLEET: proxy.url });
    proxy.set('cut');
    worker.process.kill('SIGTERM');
    expect(await Promise.race([worker.ended, sleep(40_000, 'it is still there')])).toBe(0);
  },
);
