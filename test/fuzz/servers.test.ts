/**
 * The servers with garbage: the page's over HTTP, and MCP on its standard input. Each goes on answering, no
 * answer is an error of the server, and nobody without its key sees anything.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { openConnection } from '#hosts/acp/connection.ts';
import { isRecord } from '#base/shape.ts';
import { makePlace, SERVER } from '../surfaces/mcp/server.ts';
import { seed } from '../surfaces/page/seed.ts';
import { makeHome, servedIn } from '../surfaces/page/served.ts';
import { chance, mutated } from './mutate.ts';
import { JSON_WORDS, parsed } from './target.ts';

const INPUTS = Number(process.env['DACAPO_FUZZ_INPUTS'] ?? 20_000);
const SEED = Number(process.env['DACAPO_FUZZ_SEED'] ?? 1);
/** A connection costs a hundred times what a call costs. */
const EACH = Math.ceil(INPUTS / 100);

/** All that comes back on a connection of its own. */
function sendRaw(port: number, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    let back = '';
    const socket = connect(port, '127.0.0.1', () => socket.end(bytes));
    socket.setEncoding('latin1').on('data', (chunk: string) => (back += chunk));
    socket.on('error', () => resolve(back));
    socket.on('close', () => resolve(back));
    // One that never ends its headers is ended by the server, in five seconds.
    socket.setTimeout(300, () => socket.destroy());
  });
}

test(`the page's server: ${EACH} requests of seed ${SEED}`, { timeout: 60_000 + EACH * 400 }, async () => {
  const place = makeHome();
  const id = 'RALPH_20260101_abc123';
  const secret = 'Fix the secret thing.';
  seed(place.home, { id, project: place.project, prompt: secret, checks: [], startedAt: 0 }).close();
  const { served, origin, get } = await servedIn(place);
  const by = chance(SEED);
  const host = origin.replace('http://', '');
  const head = (start: string) => `${start} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n`;
  const samples: [string, ...string[]] = [
    `${head('GET /api/loops')}\r\n`,
    `${head(`GET /api/loops/${id}/story?since=1`)}cookie: dacapo=x\r\n\r\n`,
    `${head(`GET /api/loops/${id}/evidence/../journal.jsonl`)}\r\n`,
    `${head('POST /session')}origin: ${origin}\r\ncontent-type: application/json\r\ncontent-length: 11\r\n\r\n{"key":"x"}`,
    `${head(`POST /api/loops/${id}/cancel`)}origin: ${origin}\r\ncontent-length: 2\r\n\r\n{}`,
    `${head('POST /api/answer')}content-length: 20\r\n\r\n{"token":"x","as":1}`,
  ];
  const words = [
    '\r\n',
    '%2e%2e/',
    '?',
    '/api/',
    'host: x\r\n',
    'transfer-encoding: chunked\r\n',
    'OPTIONS ',
  ];
  for (let n = 0; n < EACH; n++) {
    const request = mutated(samples, words, by);
    const back = await sendRaw(served.port, request);
    expect({ request, status: /^HTTP\/1\.1 5\d\d/.exec(back)?.[0] }).toEqual({ request, status: undefined });
    expect(back).not.toContain(secret);
  }
  const { status, text } = await get('/api/loops');
  expect(status).toBe(200);
  expect(text).toContain(id);
});

test(`MCP on standard input: ${EACH} lines of seed ${SEED}`, { timeout: 60_000 + EACH * 100 }, async () => {
  const { project, home } = makePlace();
  const child = spawn(process.execPath, [SERVER], {
    cwd: project,
    env: { PATH: process.env['PATH'], HOME: home, DACAPO_HOME: home },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (said += chunk));
  const call = (name: string, args: object) => ({
    jsonrpc: '2.0',
    id: 5,
    method: 'tools/call',
    params: {
      name,
      arguments: args,
    },
  });
  const samples: [string, ...string[]] = [
    JSON.stringify(call('task_create', { title: 'Add the login' })),
    JSON.stringify(call('iteration_start', { taskId: 'TASK-1', maxIterations: 3 })),
    JSON.stringify(call('loop_status', { loopId: 'RALPH_20260101_abc123' })),
    JSON.stringify(call('hook_register', { taskId: 'x', hookType: 'max-files', options: { files: 1 } })),
    JSON.stringify({ jsonrpc: '2.0', id: 6, method: 'resources/read', params: { uri: 'dacapo://loops' } }),
    JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }),
  ];
  const by = chance(SEED);
  const clientInfo = { name: 'fuzz', version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 'first', method: 'initialize', params })}\n`);
  for (let n = 0; n < EACH; n++)
    if (
      !child.stdin.write(
        `${mutated(samples, [...JSON_WORDS, '"id":', '"method":'], by).replaceAll('\n', ' ')}\n`,
      )
    )
      await once(child.stdin, 'drain');
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 'last', method: 'ping' })}\n`);
  await expect.poll(() => said.includes('"id":"last"'), { timeout: 50_000 + EACH * 50 }).toBe(true);
  expect(child.exitCode).toBeNull();
  const answers = said.split('\n').filter((line) => line !== '');
  expect(answers.filter((line) => !isRecord(parsed(line)))).toEqual([]);
});

test(
  `an agent that speaks ACP: ${EACH * 10} lines of seed ${SEED}`,
  { timeout: 60_000 + EACH * 20 },
  async () => {
    const by = chance(SEED);
    const samples: [string, ...string[]] = [
      '{"jsonrpc":"2.0","id":1,"result":{"sessionId":"s","modes":{"availableModes":[{"id":"plan"}]}}}',
      '{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"no","data":{"status":429}}}',
      '{"jsonrpc":"2.0","method":"session/update","params":{"update":{"sessionUpdate":"agent_message_chunk"}}}',
      '{"jsonrpc":"2.0","id":9,"method":"session/request_permission","params":{"toolCall":{},"options":[]}}',
    ];
    for (let n = 0; n < EACH * 10; n++) {
      const [input, output] = [new PassThrough(), new PassThrough()];
      const listener = {
        asked: (method: string) => (method === '' ? null : Promise.resolve({ outcome: method })),
        told: () => undefined,
        noise: () => undefined,
      };
      const agent = openConnection(input, output, listener);
      const reply = agent.request('session/prompt', {}, null);
      output.end(`${mutated(samples, JSON_WORDS, by)}\n`);
      // It answered, or it is gone: nobody waits for good.
      expect(typeof (await reply).ok).toBe('boolean');
      for (const line of String(input.read() ?? '')
        .split('\n')
        .filter(Boolean))
        expect(isRecord(parsed(line))).toBe(true);
    }
  },
);
