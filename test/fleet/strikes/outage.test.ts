// @module-tag postgres
/** A database that is away for longer than a lease: nothing is paid for twice. */
import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { proxyTo } from '../proxy.ts';
import { lives } from '../../processes.ts';
import { hasEnded, openStage, passesNow } from '../stage.ts';

const LEASE_MS = 10_000;

test.concurrent(
  'an outage of two leases: passes that end in it are counted, and passes that run go on',
  { timeout: 120_000 },
  async ({ onTestFinished: atEnd }) => {
    const stage = await openStage({ atEnd });
    const proxy = await proxyTo(stage.url, atEnd);
    const away = { DACAPO_FLEET: proxy.url };
    // Each begins while the database is there. Two end while it is away, and two when it is back.
    const submit = (file: string) =>
      stage.submit(
        `Add.\ndo: until test -e ${stage.root}/${file}; do sleep 0.1; done; echo x >> x.txt`,
        '--check',
        'test -e x.txt',
        '--commit',
      );
    const ids = await Promise.all(['away', 'away', 'back', 'back'].map(submit));
    await stage.worker('w1', ['--capacity', '4'], away);
    while (passesNow(stage.passes()).length < 4) await sleep(50);
    const count = (what: 'begins' | 'ends') => stage.passes().filter(({ is }) => is === what).length;
    // Another one, with free places, comes back at the same moment.
    await stage.worker('w2', ['--capacity', '4'], away);
    proxy.set('down');
    writeFileSync(`${stage.root}/away`, '');
    await sleep(LEASE_MS);
    expect(count('ends')).toBe(2);
    expect(passesNow(stage.passes())).toEqual([]);
    writeFileSync(`${stage.root}/back`, '');
    await sleep(LEASE_MS);
    expect(count('ends')).toBe(2);
    proxy.set('open');
    for (const id of ids)
      expect(await stage.until(id, hasEnded)).toMatchObject({ status: 'completed', iteration: 1 });
    expect([count('begins'), count('ends')]).toEqual([4, 4]);
    expect(await stage.sql('select max(epoch) as epoch from dacapo.loop')).toEqual([{ epoch: 1 }]);
  },
);

test.concurrent(
  'a pass that stands still ends with its worker, and when the loop is taken meanwhile',
  { timeout: 120_000 },
  async ({ onTestFinished: atEnd }) => {
    const stage = await openStage({ atEnd });
    const proxy = await proxyTo(stage.url, atEnd);
    const away = { DACAPO_FLEET: proxy.url };
    const submit = () => stage.submit('Add.\ndo: sleep 60; echo x >> x.txt', '--check', 'test -e x.txt');
    await Promise.all([submit(), submit()]);
    const dies = await stage.worker('w1', [], away);
    const loses = await stage.worker('w2', [], away);
    while (passesNow(stage.passes()).length < 2) await sleep(50);
    const hosts = passesNow(stage.passes());
    proxy.set('down');
    while (passesNow(stage.passes()).length > 0) await sleep(50);
    expect(hosts.every(lives)).toBe(true);
    dies.process.kill('SIGKILL');
    await stage.sql(`update dacapo.loop set epoch = epoch + 1, needs = '{nobody}', worker = null`);
    proxy.set('open');
    await loses.hear(({ is }) => is === 'ends-loop');
    for (let k = 0; k < 250 && hosts.some(lives); k++) await sleep(20);
    expect(hosts.filter(lives)).toEqual([]);
  },
);
