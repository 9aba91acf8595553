/** examples/key-proxy.mjs: the agent works with a key that it never holds. With the real Claude Code. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startClaude } from './host.ts';
import { makeWorld } from './world.ts';

const PROXY = resolve(import.meta.dirname, '../../examples/key-proxy.mjs');
const KEY = 'sk-real-key-that-nobody-sees';

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A service that knows the key alone, and hands everything to the model behind it. */
async function openService(model: string) {
  const seen: IncomingHttpHeaders[] = [];
  const url = await listen(
    createServer((asked, answer) => {
      seen.push(asked.headers);
      if (asked.headers['x-api-key'] !== KEY) return void answer.writeHead(401).end();
      const on = request(new URL(asked.url ?? '/', model), { method: asked.method, headers: asked.headers });
      on.on('response', (came) => came.pipe(answer.writeHead(came.statusCode ?? 500, came.headers)));
      asked.pipe(on);
    }),
  );
  return { url, seen };
}

async function startProxy(to: string, ...more: string[]): Promise<string> {
  const child = spawn(process.execPath, [PROXY, to, '0', ...more], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  child.stdin.end(`${KEY}\n`);
  const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
  return line.trim();
}

test('an agent works through the proxy, and finds the key nowhere', async () => {
  const world = await makeWorld(({ text }) =>
    text.includes('told') ? 'Done.' : [{ tool: 'Bash', input: { command: 'env > env.txt; echo told' } }],
  );
  const service = await openService(world.model.url);
  const proxy = await startProxy(service.url);
  const env = { ...world.sandbox.env, ANTHROPIC_BASE_URL: proxy, ANTHROPIC_API_KEY: 'held-by-the-proxy' };
  const sandbox = { ...world.sandbox, env };
  const ran = await startClaude(sandbox, ['-p', '--allowed-tools', 'Bash', '--', 'Look around.'], {}).done;
  expect(ran.stdout).toContain('Done.');
  expect(service.seen.length).toBeGreaterThan(1);
  expect(world.sandbox.read('env.txt')).toContain('held-by-the-proxy');
  expect(world.sandbox.read('env.txt')).not.toContain(KEY);
  expect(ran.stdout + ran.stderr).not.toContain(KEY);
});

test('it allows what an agent needs, by its own name alone', async () => {
  const { url, seen } = await openService('http://127.0.0.1:9');
  const [proxy, bearer] = [await startProxy(url), await startProxy(url, 'bearer')];
  const ask = async (path: string, headers: Record<string, string> = {}, at = proxy): Promise<number> => {
    const sent = request(new URL(path, at), { headers, path });
    sent.end();
    const [came] = (await once(sent, 'response')) as [{ statusCode: number; resume: () => void }];
    came.resume();
    return came.statusCode;
  };
  for (const path of [
    '/v1/files',
    '/v1/organizations/api_keys',
    '/',
    '/v1/messages/../files',
    '/v1/messagesx',
  ])
    expect([path, await ask(path)]).toEqual([path, 403]);
  expect(await ask('/v1/messages', { host: 'evil.example' })).toBe(421);
  expect(seen).toEqual([]);
  // This service wants another header.
  expect(await ask('/v1/models', { authorization: 'Bearer mine', 'x-api-key': 'mine' }, bearer)).toBe(401);
  expect(seen[0]).toMatchObject({ authorization: `Bearer ${KEY}`, host: new URL(url).host });
  expect(seen[0]?.['x-api-key']).toBeUndefined();
});
