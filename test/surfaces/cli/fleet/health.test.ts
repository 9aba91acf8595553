/** Who may ask a worker for its health, and what an idle connection costs it. */
import { request } from 'node:http';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openHealth } from '#surfaces/cli/fleet/health.ts';

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function serve(): Promise<number> {
  const port = await freePort();
  const health = await openHealth(String(port), 'w1');
  if (typeof health === 'number') throw new Error('it does not listen');
  onTestFinished(health.close);
  return port;
}

function ask(port: number, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const asked = request({ port, host: '127.0.0.1', path: '/health', headers: { host }, agent: false });
    asked.on('error', reject).on('response', (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    asked.end();
  });
}

test('it answers to an address and its own name, not to a name that somebody points here', async () => {
  const port = await serve();
  for (const host of [
    `127.0.0.1:${port}`,
    `localhost:${port}`,
    `[::1]:${port}`,
    '10.0.0.7',
    'LOCALHOST:9000',
  ])
    expect(await ask(port, host)).toBe(200);
  for (const host of [`evil.example:${port}`, 'localhost.evil.example', '127.0.0.1.evil.example', '.'])
    expect(await ask(port, host)).toBe(421);
});

test('400 connections that say nothing do not stay, and then it answers', { timeout: 30_000 }, async () => {
  const port = await serve();
  const sockets: Socket[] = [];
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  let open = 0;
  for (let n = 0; n < 400; n++) {
    const socket = connect(port, '127.0.0.1', () => socket.write('GET /health HTTP/1.1\r\nHost: 127'));
    open += 1;
    socket
      .resume()
      .on('error', () => undefined)
      .on('close', () => (open -= 1));
    sockets.push(socket);
  }
  await expect.poll(() => open, { timeout: 10_000 }).toBeLessThanOrEqual(32);
  await expect.poll(() => open, { timeout: 10_000 }).toBe(0);
  expect(await ask(port, '127.0.0.1')).toBe(200);
});
