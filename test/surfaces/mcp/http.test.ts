/** Over HTTP: both eras, and nobody without the token, from another host or from a page in a browser. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connectBy, ERAS, makePlace } from './server.ts';

const CLI = resolve(import.meta.dirname, '../../../dist/cli.cjs');

async function serve(): Promise<{ url: URL; token: string }> {
  const { project, home } = makePlace();
  const child = spawn(process.execPath, [CLI, 'mcp', '--http', '--json'], {
    cwd: project,
    env: { PATH: process.env['PATH'], HOME: home, DACAPO_HOME: home },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(async () => {
    child.kill('SIGTERM');
    if (child.exitCode === null) await once(child, 'exit');
  });
  let printed = '';
  for await (const chunk of child.stdout) {
    printed += String(chunk);
    if (printed.trimEnd().endsWith('}')) break;
  }
  const { url, token } = JSON.parse(printed) as { url: string; token: string };
  return { url: new URL(url), token };
}

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

describe('dacapo mcp --http', () => {
  it.each(ERAS)('serves the tools in %s', async (era) => {
    const { url, token } = await serve();
    const transport = new StreamableHTTPClientTransport(url, { requestInit: bearer(token) });
    const { client, call } = await connectBy(transport, era);
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('iteration_validate');
    const { taskId } = await call('task_create', { title: 'Add the login' });
    const { iterationId } = await call('iteration_start', { taskId, maxIterations: 3 });
    expect(await call('iteration_validate', { iterationId, agentOutput: 'Not yet.' })).toMatchObject({
      completionSignal: 'CONTINUE',
    });
  });

  it('refuses whoever has no token, another Host or another Origin, and other paths', async () => {
    const { url, token } = await serve();
    const status = async (headers: Record<string, string>, path = url.href) =>
      (await fetch(path, { method: 'POST', body: '{}', headers })).status;
    const { headers: own } = bearer(token);
    expect(await status({})).toBe(401);
    expect(await status({ authorization: 'Bearer wrong' })).toBe(401);
    expect(await status({ ...own, origin: 'https://evil.example' })).toBe(403);
    expect(await status(own, new URL('/other', url).href)).toBe(404);
    expect(await status({ ...own, origin: url.origin })).not.toBe(403);
    expect(await hostStatus(url, token, 'evil.example')).toBe(403);
  });
});

/** `fetch` does not let a caller choose the Host. */
async function hostStatus(url: URL, token: string, host: string): Promise<number> {
  const { request } = await import('node:http');
  const asked = request(url, { method: 'POST', headers: { host, authorization: `Bearer ${token}` } }).end(
    '{}',
  );
  const [response] = (await once(asked, 'response')) as [{ statusCode: number; resume: () => void }];
  response.resume();
  return response.statusCode;
}
