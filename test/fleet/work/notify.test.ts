// @module-tag postgres
/** People hear once of what became true, whichever worker brought it about. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { receiver, until } from '../../engine/notices/receiver.ts';
import { proxyTo } from '../proxy.ts';
import { hasEnded, openStage } from '../stage.ts';

interface Told {
  readonly event: string;
  readonly loop: string;
  readonly text: string;
}

async function hearing() {
  const { url, got } = await receiver();
  return { url, told: () => got.map(({ body }) => JSON.parse(body) as Told) };
}

test(
  'a completion that was not shipped is told by nobody, and the repeated one once',
  { timeout: 90_000 },
  async () => {
    const stage = await openStage();
    const { url, told } = await hearing();
    const proxy = await proxyTo(stage.url);
    const [begun, gate] = [join(stage.root, 'begun'), join(stage.root, 'gate')];
    const id = await stage.submit(
      `Work.\ndo: touch ${begun}; while ! test -e ${gate}; do sleep 0.1; done; echo x > x.txt`,
      '--check',
      'test -e x.txt',
      '--notify',
      url,
    );
    const first = await stage.worker('w1', [], { DACAPO_FLEET: proxy.url });
    while (!existsSync(begun)) await sleep(50);
    proxy.set('down');
    writeFileSync(gate, '');
    while (!stage.passes().some(({ is }) => is === 'ends')) await sleep(50);
    const second = await stage.worker('w2');
    await stage.until(id, hasEnded);
    proxy.set('open');
    expect(await first.hear(({ is }) => is === 'ends-loop')).toMatchObject({ loop: id, how: { is: 'lost' } });
    for (const worker of [first, second]) worker.process.kill('SIGTERM');
    await Promise.all([first.ended, second.ended]);
    await until(() => told().length > 0);
    expect(told()).toMatchObject([{ event: 'completed', loop: id }]);
  },
);

test(
  'a question and a cancel are told once, with the commands of the fleet',
  { timeout: 60_000 },
  async () => {
    const stage = await openStage();
    const { url, told } = await hearing();
    const asks = await stage.submit(
      'Work.\ndo: echo x > x.txt',
      '--check',
      'test -e x.txt',
      '--approve-done',
      '--notify',
      url,
    );
    const rests = await stage.submit('Work.', '--check', 'false', '--pause', '1h', '--notify', url);
    await stage.worker('w1', ['--capacity', '2']);
    await stage.until(rests, ({ waits }) => waits?.for === 'pause');
    await stage.until(asks, ({ requests }) => requests.length > 0);
    await stage.fleet('cancel', rests);
    await stage.fleet('cancel', rests);
    await until(() => told().length === 2);
    const [asked, ended] = told().toSorted((a, b) => a.event.localeCompare(b.event));
    expect(asked).toMatchObject({ event: 'approval', loop: asks });
    expect(asked?.text).toMatch(/dacapo fleet answer \S+ --approve, or dacapo fleet answer \S+ --reject\./);
    expect(ended).toMatchObject({ event: 'ended', loop: rests });
  },
);
