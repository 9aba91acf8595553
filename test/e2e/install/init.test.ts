// @module-tag slow
/**
 * `dacapo init` in the real Claude Code: the plain commands, alone and beside the plugin, in both forms of
 * the hook.
 */
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CLI } from '../../surfaces/cli/box.ts';
import { runClaude, type Reply } from '../host.ts';
import { DONE, PLUGIN, context, makeWorld, notices, type World } from '../world.ts';

function dacapo({ sandbox }: World, ...args: string[]): string {
  const ran = spawnSync(process.execPath, [CLI, ...args], {
    cwd: sandbox.project,
    env: sandbox.env,
    encoding: 'utf8',
  });
  expect(ran.stderr).toBe('');
  return ran.stdout;
}

async function initialised(script: readonly [Reply, ...Reply[]]): Promise<World> {
  const world = await makeWorld(script);
  dacapo(world, 'init', '--scope', 'local');
  return world;
}

/** As a person's own `claude -p` would run: without the plugin on the command line. */
const plain = (world: World, ...args: string[]) => runClaude(world.sandbox, args);

const times = (text: string, word: string): number => text.split(word).length - 1;

test('/ralph runs a loop, the cap is lifted, uninstall takes it back', async () => {
  // With the host's cap, the ninth was the last.
  const words = Array.from({ length: 8 }, (_unused, at) => `Words ${at + 1}.`);
  const world = await initialised(['Words 0.', ...words, DONE]);
  const run = await plain(world, '/ralph Write a poem --max-iterations 20 --max-stalls off');
  expect(notices(run).at(-1)).toContain('completed after 10 iterations');
  expect(notices(run)[0]).not.toContain('ends a turn after');
  expect(world.model.requests).toHaveLength(10);
  expect(world.status()).toMatchObject({ status: 'completed', iteration: 10 });

  dacapo(world, 'uninstall', '--scope', 'local');
  await plain(world, '/ralph Write another poem');
  expect(world.loops()).toHaveLength(1);
  expect(world.sandbox.has('.claude/settings.local.json')).toBe(false);
});

test('/cancel-ralph, /ralph-status and /resume-ralph are plain commands too', async () => {
  const world = await initialised(['Not yet.', { status: 400 }, 'Again.', { status: 400 }]);
  const session = randomUUID();
  await plain(world, '--session-id', session, '/ralph Write a poem');
  const status = await plain(world, '--resume', session, '/ralph-status');
  expect(JSON.stringify(status.messages)).toContain('/cancel-ralph');
  await plain(world, '--resume', session, '/resume-ralph');
  const asked = world.model.requests.length;
  const cancel = await plain(world, '--resume', session, '/cancel-ralph');
  expect(String(cancel.result?.['result'])).toMatch(/cancelled after \d iterations? \(from the session\)/);
  expect(world.model.requests).toHaveLength(asked);
  expect(world.status().status).toBe('cancelled');
  expect(world.sandbox.has('.claude/ralph-loop.local.md')).toBe(false);
});

test('plugin and init at once: a start, a stop and a cancel act once', async () => {
  const world = await initialised(['Not yet.', DONE, 'Not yet.', { status: 400 }]);
  const plugin = ['--plugin-dir', PLUGIN];
  const run = await plain(world, ...plugin, '--', '/ralph Write a poem');
  expect(world.loops()).toHaveLength(1);
  expect(world.status()).toMatchObject({ status: 'completed', iteration: 2 });
  expect(world.model.requests).toHaveLength(2);
  expect(times(context(world.model.requests[1]), 'in a loop (RALPH_')).toBe(1);
  expect(times(context(world.model.requests[1]), 'iteration 2 of 50 begins')).toBe(1);
  expect(notices(run).filter((notice) => notice.includes('completed'))).toHaveLength(1);

  const session = randomUUID();
  await plain(world, ...plugin, '--session-id', session, '--', '/dacapo:ralph Write more');
  const cancel = await plain(world, ...plugin, '--resume', session, '--', '/dacapo:cancel-ralph');
  const told = String(cancel.result?.['result']);
  expect(times(told, 'cancelled after')).toBe(1);
  expect(told).not.toContain('No active Ralph loop');
  expect(
    world
      .loops()
      .map(({ status }) => status.is)
      .sort(),
  ).toEqual(['cancelled', 'completed']);
});

test('a session without a loop leaves no trace; a ready loop is bound by its prompt', async () => {
  const world = await initialised(['Hello.', DONE]);
  await plain(world, 'hello');
  expect(world.model.requests).toHaveLength(1);
  expect(existsSync(join(world.sandbox.dacapoHome, 'hook.log'))).toBe(false);
  dacapo(world, 'ready', 'Write a poem', '--max-iterations', '3');
  await plain(world, 'Write a poem');
  expect(world.status()).toMatchObject({ status: 'completed', iteration: 1 });
});

test(
  'in a terminal init asks about the status bar, and again where it does not understand',
  { tags: ['tmux'] },
  async () => {
    const world = await makeWorld([DONE]);
    const screen = await world.open([], { program: [process.execPath, CLI, 'init'], ready: /\[Y\/n\]/ });
    await screen.submit('dacapo doctor');
    await screen.waitFor(/Please answer y or n/);
    await screen.submit('n');
    await screen.waitFor(/Da Capo is installed/);
    expect(world.sandbox.read('.claude/settings.local.json')).not.toContain('statusLine');
  },
);
