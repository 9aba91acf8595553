// @module-tag tmux
/**
 * `dacapo start` and `dacapo resume` at a terminal: the session is opened again with its loop, whatever ended
 * it.
 */
import { readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { claudeCodeAdapter } from '#hosts/claude-code/adapter.ts';
import { dacapo } from '../dacapo.ts';
import { CLAUDE, flat, openScreen, type Screen } from '../host.ts';
import { DONE, makeWorld, until, type World } from '../world.ts';

const CLI = fileURLToPath(new URL('../../../dist/cli.cjs', import.meta.url));
const HANGS = { blocks: [{ text: 'never seen' }], delay: 60_000 };

/** In a shell, as for a person. */
async function type(world: World, ...words: string[]): Promise<Screen> {
  const line = [process.execPath, CLI, ...words].map((word) => `'${word}'`).join(' ');
  const screen = await openScreen(world.sandbox, [], {
    program: ['bash', '-c', `${line}; echo "exit $?"; exec cat`],
    env: { DACAPO_CLAUDE: CLAUDE },
    ready: false,
  });
  onTestFinished(screen.kill);
  return screen;
}

async function quit(screen: Screen): Promise<void> {
  await screen.press('C-c');
  await screen.press('C-c');
  await screen.waitFor(/exit \d/);
}

/** The host ignores keys for a moment after it has drawn a question. */
const DEAF_MS = 1_500;

/** Answers the question whether the folder can be trusted. "No" is the default. */
async function answerTrust(screen: Screen, trusts: boolean): Promise<void> {
  await screen.waitFor(/❯ No, exit/, 30_000);
  await sleep(DEAF_MS);
  if (trusts) await screen.press('Down');
  await screen.waitFor(trusts ? /❯ Yes, I trust/ : /❯ No, exit/);
  await screen.press('Enter');
}

test('Ctrl-C twice in the middle; dacapo resume opens the session again, with the hook, and the loop completes', async () => {
  const world = await makeWorld(({ n }) => (n === 1 ? HANGS : n < 3 ? 'Not yet.' : DONE));
  const first = await type(world, 'start', 'Write a poem about the sea', '--max-iterations', '9');
  await until(() => world.model.requests.length === 2, 'the second pass', 30_000);
  await first.press('C-c');
  await first.waitFor(/Interrupted|Press Ctrl-C again/);
  await quit(first);
  const farewell = flat(await first.screen());
  expect(farewell).toMatch(/dacapo resume RALPH_\w+ opens its session again/);
  expect(farewell).toMatch(/claude --resume [\w-]+ alone would go on without the loop\. dacapo init/);

  const second = await type(world, 'resume');
  await second.waitFor(/completed after 3 iterations/, 30_000);
  expect(world.status()).toMatchObject({ status: 'completed', iteration: 3 });
});

test('"No" at the question of trust: doctor names it, and dacapo resume begins the session that never began', async () => {
  const world = await makeWorld([DONE]);
  const config = join(world.sandbox.home, '.claude.json');
  writeFileSync(config, JSON.stringify({ ...JSON.parse(readFileSync(config, 'utf8')), projects: {} }));
  const first = await type(world, 'start', 'Write a poem about the sea', '--max-iterations', '9');
  await answerTrust(first, false);
  await first.waitFor(/ended without ever calling the hook of Da Capo[^]*exit \d/);
  expect(world.model.requests).toHaveLength(0);
  const told = await dacapo(world, 'doctor');
  expect(told.stdout).toMatch(/first asks whether you trust the folder/);

  const second = await type(world, 'resume');
  await answerTrust(second, true);
  await second.waitFor(/completed after 1 iteration/, 30_000);
  expect(world.status()).toMatchObject({ status: 'completed', iteration: 1 });
});

test('claude --resume without the hook: dacapo status says that the session went on without its loop', async () => {
  const world = await makeWorld(['Not yet.', HANGS]);
  const first = await type(world, 'start', 'Write a poem about the sea', '--max-iterations', '9');
  await until(() => world.model.requests.length === 2, 'the second pass', 30_000);
  await first.press('C-c');
  await first.waitFor(/Interrupted|Press Ctrl-C again/);
  await quit(first);
  expect((await dacapo(world, 'status')).stdout).not.toContain('without the loop');
  const file = claudeCodeAdapter.transcripts.fileOf(world.status().session_id ?? '', world.sandbox.env);
  const later = new Date(Date.now() + 20_000);
  utimesSync(file ?? '', later, later);
  const { stdout } = await dacapo(world, 'status');
  expect(flat(stdout)).toMatch(/its session went on .* without the loop[^]*dacapo resume RALPH_\w+ opens it/);
});
