// @module-tag postgres
/** What a worker tells whoever watches its process. */
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { proxyTo } from '../proxy.ts';
import { openStage } from '../stage.ts';

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test('a worker tells its health, and that its database is away', { timeout: 90_000 }, async () => {
  const stage = await openStage();
  const proxy = await proxyTo(stage.url);
  const port = await freePort();
  const ask = (path = '/health') => fetch(`http://127.0.0.1:${port}${path}`);
  const until = async (is: (answer: Response) => boolean) => {
    let answer = await ask();
    for (; !is(answer); answer = await ask()) await sleep(100);
    return answer.json();
  };
  const worker = await stage.worker('w1', ['--health', String(port)], { DACAPO_FLEET: proxy.url });
  const database = { ok: true, since: expect.any(String) };
  expect(await (await ask()).json()).toEqual({
    worker: 'w1',
    loops: [],
    database,
    draining: false,
    taken: 0,
    lost: 0,
  });
  expect((await ask('/')).status).toBe(404);
  proxy.set('down');
  expect(await until(({ status }) => status === 503)).toMatchObject({ database: { ok: false } });
  proxy.set('open');
  await until(({ status }) => status === 200);
  const id = await stage.submit('Work.\ndo: sleep 30', '--check', 'true');
  await stage.until(id, ({ worker: at }) => at === 'w1');
  await worker.hear(({ is }) => is === 'takes');
  expect(await (await ask()).json()).toMatchObject({ loops: [id], database, taken: 1 });
  worker.process.kill('SIGTERM');
  await worker.hear(({ is }) => is === 'drains');
  expect(await (await ask()).json()).toMatchObject({ draining: true });
  await stage.fleet('cancel', id);
  expect(await worker.ended).toBe(0);
});

test('an address that is none is refused', async () => {
  const stage = await openStage();
  for (const health of ['x', '70000', '127.0.0.1:']) {
    const ran = await stage.run('worker', '--health', health, '--json');
    expect({ health, ...ran }).toMatchObject({ code: 2 });
    expect(JSON.parse(ran.stdout)).toMatchObject({ error: expect.stringContaining('--health') });
  }
  const taken = await stage.run('worker', '--health', '192.0.2.1:80', '--json');
  expect(taken.code).toBe(1);
});
