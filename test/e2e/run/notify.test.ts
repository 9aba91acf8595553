/**
 * Notifications of a run with the real Claude Code: a signed webhook hears of the usage limit and of the
 * ending.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { deadUrl, isSignedWith, receiver, until } from '../../engine/notices/receiver.ts';
import { UNATTENDED, dacapo } from '../dacapo.ts';
import { DONE, makeWorld } from '../world.ts';

const SECRET = 'a secret that both sides know';

test('a run tells of its usage limit and its ending, whatever a dead receiver does', async () => {
  const { url, got } = await receiver();
  const reset = String(Math.ceil(Date.now() / 1000) + 4);
  const world = await makeWorld(
    [
      {
        status: 429,
        headers: {
          'anthropic-ratelimit-unified-status': 'rejected',
          'anthropic-ratelimit-unified-reset': reset,
          'anthropic-ratelimit-unified-representative-claim': 'five_hour',
        },
        body: { type: 'error', error: { type: 'rate_limit_error', message: 'as scripted' } },
      },
      DONE,
    ],
    {
      CLAUDE_CODE_MAX_RETRIES: '0',
      ANTHROPIC_API_KEY: '',
      CLAUDE_CODE_OAUTH_TOKEN: 'sk-ant-oat01-nobody',
    },
  );
  const { dacapoHome } = world.sandbox;
  mkdirSync(dacapoHome, { recursive: true, mode: 0o700 });
  const config = { notify: [url, await deadUrl()], notifySecret: SECRET };
  writeFileSync(join(dacapoHome, 'config.json'), JSON.stringify(config));
  const run = await dacapo(world, 'run', 'Do it.', '--pause', '0', '--json', ...UNATTENDED);
  expect(run.code).toBe(0);
  await until(() => got.length === 2);
  const bodies = got.map(({ body }) => JSON.parse(body));
  expect(bodies.map(({ event }) => event)).toEqual(['limit', 'completed']);
  expect(bodies[1]).toMatchObject({ loop: world.loops()[0]?.id, iterations: 1 });
  expect(got.every((one) => isSignedWith(SECRET, one))).toBe(true);
});
