// @module-tag slow
/**
 * How the real Claude Code ends a pass when its model can't be asked: the table of
 * docs/internals/decisions/004.
 */
import { afterEach, describe, expect, test } from 'vitest';
import type { Outcome } from '#hosts/port/headless.ts';
import { realPass } from './stage.ts';
import { cutOff, garbled, startBadServer, type Answer } from './server.ts';
import { makeSandbox } from '../host.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function outcomeOf(answer: Answer | string, env: Record<string, string> = {}): Promise<Outcome> {
  const server =
    typeof answer === 'string' ? { url: answer, close: () => undefined } : await startBadServer(answer);
  closers.push(server.close);
  const sandbox = makeSandbox(server, { CLAUDE_CODE_MAX_RETRIES: '0', ...env });
  closers.push(sandbox.close);
  const { outcome, record } = await realPass(sandbox);
  // Whatever went wrong, nothing was said by the agent.
  expect(record.message).toBe('');
  return outcome;
}

const CASES: readonly [string, Answer | string, Partial<Outcome>][] = [
  ['401', { status: 401, type: 'authentication_error' }, { is: 'fatal', kind: 'auth' }],
  ['402', { status: 402, type: 'billing_error' }, { is: 'fatal', kind: 'billing' }],
  ['403', { status: 403, type: 'permission_error' }, { is: 'fatal', kind: 'permission' }],
  ['404', { status: 404, type: 'not_found_error' }, { is: 'fatal', kind: 'model' }],
  ['400', { status: 400, type: 'invalid_request_error' }, { is: 'fatal', kind: 'config' }],
  [
    '429',
    { status: 429, type: 'rate_limit_error', headers: { 'retry-after': '7200' } },
    { is: 'transient', status: 429 },
  ],
  ['500', { status: 500 }, { is: 'transient', status: 500 }],
  ['529', { status: 529, type: 'overloaded_error' }, { is: 'transient', status: 529 }],
  ['nobody listens', 'http://127.0.0.1:1', { is: 'transient', status: null }],
  ['the answer is cut off', cutOff, { is: 'transient', status: null }],
  ['the answer is garbled', garbled, { is: 'transient', status: null }],
];

test.each(CASES)('%s', async (_name, answer, outcome) => {
  expect(await outcomeOf(answer)).toMatchObject(outcome);
});

test('no account', async () => {
  const outcome = await outcomeOf({ status: 500 }, { ANTHROPIC_API_KEY: '' });
  expect(outcome).toMatchObject({ is: 'fatal', kind: 'auth' });
});

describe('a subscription', () => {
  const subscriber = { ANTHROPIC_API_KEY: '', CLAUDE_CODE_OAUTH_TOKEN: 'sk-ant-oat01-nobody' };
  const reset = 1_900_000_000;
  const unified = (more: Record<string, string>): Answer => ({
    status: 429,
    type: 'rate_limit_error',
    headers: Object.fromEntries(
      Object.entries(more).map(([name, value]) => [`anthropic-ratelimit-unified-${name}`, value]),
    ),
  });

  test('at its limit: wait for the reset that the host names', async () => {
    const answer = unified({ status: 'rejected', reset: String(reset), 'representative-claim': 'five_hour' });
    expect(await outcomeOf(answer, subscriber)).toMatchObject({
      is: 'limit',
      resetsAt: new Date(reset * 1000).toISOString(),
    });
  });

  test('at its limit, with no reset named', async () => {
    const answer = unified({ status: 'rejected', 'representative-claim': 'seven_day' });
    expect(await outcomeOf(answer, subscriber)).toMatchObject({ is: 'limit', resetsAt: null });
  });

  test('a busy server is not a limit, although the host calls it rejected and names a reset', async () => {
    const answer = unified({ status: 'allowed_warning', reset: String(reset) });
    expect(await outcomeOf(answer, subscriber)).toMatchObject({ is: 'transient', status: 429 });
  });
});
