// @module-tag slow
/**
 * What goes wrong in an unattended run, in the real Claude Code: judged by structure, counted apart from
 * iterations.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { UNATTENDED, dacapo, ofKind, startDacapo, untilSaid } from '../dacapo.ts';
import type { ScriptedFailure } from '../model.ts';
import { DONE, makeWorld, type World } from '../world.ts';

const NO_RETRY = { CLAUDE_CODE_MAX_RETRIES: '0' };

function failure(status: number, type: string, headers: Record<string, string> = {}): ScriptedFailure {
  return { status, headers, body: { type: 'error', error: { type, message: 'as scripted' } } };
}

test('529 twice, then success: two faults, one iteration', async () => {
  const overloaded = failure(529, 'overloaded_error');
  const world = await makeWorld([overloaded, overloaded, DONE], NO_RETRY);
  const run = await dacapo(world, 'run', 'Do it.', '--pause', '0', '--json', ...UNATTENDED);
  expect(run.code).toBe(0);
  expect(ofKind(run, 'fault').map((one) => one.class)).toEqual(['transient', 'transient']);
  expect(ofKind(run, 'waits').map((one) => one.for)).toEqual(['retry', 'retry']);
  expect(world.status()).toMatchObject({ status: 'completed', iteration: 1 });
  expect(world.loops()[0]?.run.faults).toMatchObject({ total: 2, inARow: 0 });
});

test('a usage limit is waited for until the reset that the host names, and is not an iteration', async () => {
  const { world, reset } = await limitedFor(3);
  const run = await dacapo(world, 'run', 'Do it.', '--pause', '0', '--json', ...UNATTENDED);
  expect(run.code).toBe(0);
  expect(ofKind(run, 'waits')).toMatchObject([{ for: 'limit' }]);
  const [begun, again] = ofKind(run, 'iteration-begins');
  expect(Date.parse(again?.at ?? '')).toBeGreaterThanOrEqual(reset() * 1000);
  expect(again?.iteration).toBe(begun?.iteration);
  // Time at the limit is not working time.
  const [wait] = ofKind(run, 'waits');
  const waitedMs = Date.parse(again?.at ?? '') - Date.parse(wait?.at ?? '');
  const wholeMs = Date.parse(ofKind(run, 'ends')[0]?.at ?? '') - Date.parse(begun?.at ?? '');
  expect(world.status().worked_seconds * 1000).toBeLessThan(wholeMs - waitedMs + 1_500);
});

test('an auth error ends it at once, though the host would try ten times: exit 8, a request for a person, the details kept', async () => {
  const world = await makeWorld([failure(401, 'authentication_error')]);
  const began = Date.now();
  const run = await dacapo(world, 'run', 'Do it.', '--json', ...UNATTENDED);
  expect(run.code).toBe(8);
  // The host's own ten tries take some five minutes.
  expect(Date.now() - began).toBeLessThan(40_000);
  expect(ofKind(run, 'fault')).toMatchObject([{ class: 'fatal', why: expect.stringContaining('auth: 401') }]);
  expect(ofKind(run, 'ends')).toMatchObject([{ status: 'escalated' }]);
  const [loop] = world.loops();
  const folder = join(world.sandbox.dacapoHome, 'loops', loop?.id ?? '', 'requests');
  const [name = ''] = readdirSync(folder);
  const request: unknown = JSON.parse(readFileSync(join(folder, name), 'utf8'));
  expect(request).toMatchObject({ kind: 'review', loop_id: loop?.id, error: { class: 'auth' } });
  expect(world.sandbox.processes()).toEqual([]);
});

test('without a login it does not begin, and nothing is made', async () => {
  const world = await makeWorld([DONE], { ANTHROPIC_API_KEY: '' });
  const run = await dacapo(world, 'run', 'Do it.', ...UNATTENDED);
  expect(run.code).toBe(8);
  expect(run.stderr).toContain('error: Claude Code is not logged in');
  expect(world.loops()).toEqual([]);
  expect(world.sandbox.has('.claude/ralph-loop.local.md')).toBe(false);
});

test('a file that speaks of rate limits is only a file', async () => {
  const world = await makeWorld([
    [{ tool: 'Bash', input: { command: 'echo "429 rate limit reached, usage limit, overloaded"' } }],
    `I have read about the rate limit, error 529 and "usage limit reached".\n\n${DONE}`,
  ]);
  const run = await dacapo(world, 'run', 'Read it.', '--json', ...UNATTENDED);
  expect(run.code).toBe(0);
  expect(ofKind(run, 'fault')).toEqual([]);
});

test('a hanging agent is ended by the silence timeout, with no process left; its iteration is spent', async () => {
  const world = await makeWorld(({ n }) => (n === 0 ? { blocks: [{ text: 'late' }], delay: 120_000 } : DONE));
  const run = await dacapo(
    world,
    'run',
    'Do it.',
    '--silence-timeout',
    '3s',
    '--pause',
    '0',
    '--json',
    ...UNATTENDED,
  );
  expect(run.code).toBe(0);
  expect(ofKind(run, 'fault').map((one) => one.class)).toEqual(['silent']);
  expect(world.status()).toMatchObject({ status: 'completed', iteration: 2 });
  expect(world.sandbox.processes()).toEqual([]);
});

test('a host that does not end after its result is ended, and has stopped', async () => {
  const world = await makeWorld([
    [{ tool: 'Bash', input: { command: 'sleep 300', run_in_background: true } }],
    DONE,
  ]);
  const run = await dacapo(world, 'run', 'Do it.', '--json', ...UNATTENDED);
  expect(run.code).toBe(0);
  expect(world.sandbox.processes()).toEqual([]);
});

test('the budget of the loop ends it, each pass is given only what is left, and a person can give more', async () => {
  const world = await makeWorld(['Thinking.']);
  const run = await dacapo(
    world,
    'run',
    'Do it.',
    '--max-cost',
    '0.05',
    '--pause',
    '0',
    '--json',
    ...UNATTENDED,
  );
  expect(run.code).toBe(3);
  expect(ofKind(run, 'ends')[0]?.reason).toMatch(/budget|cost|\$/i);
  expect(world.loops()[0]?.status).toMatchObject({ is: 'exhausted', limit: 'cost' });

  const { iteration } = world.status();
  const more = ['--max-cost', '10', '--max-iterations', String(iteration + 1)];
  expect((await dacapo(world, 'resume', ...more, '--json')).code).toBe(3);
  expect(world.loops()[0]).toMatchObject({
    limits: { costUsd: 10 },
    status: { is: 'exhausted', limit: 'iterations' },
  });
  expect(world.status().iteration).toBe(iteration + 1);
});

test('what the host denies because nobody can be asked is said, and the loop goes on', async () => {
  const world = await makeWorld([
    [{ tool: 'Bash', input: { command: 'curl -s -o forbidden.txt http://127.0.0.1:1/' } }],
    DONE,
  ]);
  const run = await dacapo(world, 'run', 'Do it.', '--json');
  expect(run.code).toBe(0);
  expect(
    ofKind(run, 'warning')
      .map(({ text }) => text)
      .join('\n'),
  ).toMatch(/denied Bash/);
  expect(world.sandbox.has('forbidden.txt')).toBe(false);
});

/**
 * A host whose usage limit is reached for so many seconds from its first request, and which works at the next
 * try.
 */
async function limitedFor(seconds: number): Promise<{ world: World; reset: () => number }> {
  let reset = 0;
  const limited = (): ScriptedFailure => {
    reset = Math.ceil(Date.now() / 1000) + seconds;
    return failure(429, 'rate_limit_error', {
      'anthropic-ratelimit-unified-status': 'rejected',
      'anthropic-ratelimit-unified-reset': String(reset),
      'anthropic-ratelimit-unified-representative-claim': 'five_hour',
    });
  };
  const subscriber = { ...NO_RETRY, ANTHROPIC_API_KEY: '', CLAUDE_CODE_OAUTH_TOKEN: 'sk-ant-oat01-nobody' };
  const world = await makeWorld(({ n }) => (n === 0 ? limited() : DONE), subscriber);
  return { world, reset: () => reset };
}

test('a limit that is waited for outlives dacapo run itself', async () => {
  const { world, reset } = await limitedFor(8);
  const first = startDacapo(world, ['run', 'Do it.', '--json', ...UNATTENDED]);
  await untilSaid(first, '"waits"');
  first.signal('SIGKILL');
  await first.ended;
  const again = await dacapo(world, 'run', '--json');
  expect(again.code).toBe(0);
  expect(ofKind(again, 'waits')).toMatchObject([{ for: 'limit' }]);
  expect(Date.parse(ofKind(again, 'iteration-begins')[0]?.at ?? '')).toBeGreaterThanOrEqual(reset() * 1000);
});

test('a limit is still waited for after Ctrl-C and resume, until a resume in another terminal says now', async () => {
  const { world } = await limitedFor(3_600);
  const first = startDacapo(world, ['run', 'Do it.', '--json', ...UNATTENDED]);
  await untilSaid(first, '"waits"');
  first.signal('SIGINT');
  expect((await first.ended).code).toBe(7);
  const again = startDacapo(world, ['resume', '--json']);
  await untilSaid(again, '"waits"');
  expect(world.model.requests).toHaveLength(1);
  const id = world.loops()[0]?.id ?? '';
  expect((await dacapo(world, 'status', id)).stdout).toContain("waiting for the host's usage limit");
  const now = await dacapo(world, 'resume', id);
  expect(now.code).toBe(0);
  expect(now.stdout).toContain(`loop ${id} no longer waits`);
  const ended = await again.ended;
  expect(ended.code).toBe(0);
  expect(ofKind(ended, 'waits')).toMatchObject([
    { for: 'limit', why: expect.stringContaining(`dacapo resume ${id}`) },
  ]);
  expect(world.status()).toMatchObject({ status: 'completed', iteration: 1 });
});

test('a reserve is waited for, by what the host tells of the windows of its subscription', async () => {
  let reset = 0;
  const above = () => {
    reset = Math.ceil(Date.now() / 1000) + 6;
    const headers = {
      'anthropic-ratelimit-unified-status': 'allowed',
      'anthropic-ratelimit-unified-reset': String(reset),
      'anthropic-ratelimit-unified-representative-claim': 'five_hour',
      'anthropic-ratelimit-unified-5h-utilization': '0.83',
      'anthropic-ratelimit-unified-5h-reset': String(reset),
      'anthropic-ratelimit-unified-7d-utilization': '0.42',
      'anthropic-ratelimit-unified-7d-reset': String(reset + 300_000),
    };
    return { blocks: [{ text: 'Not yet.' }], headers };
  };
  const subscriber = { ...NO_RETRY, ANTHROPIC_API_KEY: '', CLAUDE_CODE_OAUTH_TOKEN: 'sk-ant-oat01-nobody' };
  const world = await makeWorld(({ n }) => (n === 0 ? above() : DONE), subscriber);
  const run = await dacapo(
    world,
    'run',
    'Do it.',
    '--reserve',
    '20%',
    '--pause',
    '0',
    '--json',
    ...UNATTENDED,
  );
  expect(run.code).toBe(0);
  expect(ofKind(run, 'waits')).toMatchObject([
    {
      for: 'limit',
      why: expect.stringMatching(/^83 % of the five-hour window is used, and 20 % is reserved/),
    },
  ]);
  const [, second] = ofKind(run, 'iteration-begins');
  expect(Date.parse(second?.at ?? '')).toBeGreaterThanOrEqual(reset * 1000);
});
