// @module-tag tmux
/** `dacapo prune` at a terminal: it asks before it removes more than one loop. */
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { dacapo } from '../dacapo.ts';
import { openScreen, type Screen } from '../host.ts';
import { makeWorld, type World } from '../world.ts';

const CLI = fileURLToPath(new URL('../../../dist/cli.cjs', import.meta.url));

/** Two loops that were prepared and cancelled. */
async function twoEnded(): Promise<World> {
  const world = await makeWorld(['never asked for']);
  for (const name of ['one', 'two']) {
    await dacapo(world, 'ready', `Task ${name}`, '--name', name);
    await dacapo(world, 'cancel', name);
  }
  return world;
}

async function type(world: World, ...words: string[]): Promise<Screen> {
  const line = [process.execPath, CLI, ...words].map((word) => `'${word}'`).join(' ');
  const screen = await openScreen(world.sandbox, [], {
    program: ['bash', '-c', `${line}; echo "exit $?"; exec cat`],
    ready: false,
  });
  onTestFinished(screen.kill);
  return screen;
}

test('more than one loop: it lists them and asks, and Enter alone removes nothing', async () => {
  const world = await twoEnded();
  const screen = await type(world, 'prune', '--older-than', '0s');
  const asked = await screen.waitFor(/Remove these 2 loops\? \[y\/N\]/);
  expect(asked).toMatch(/"two" .*cancelled[^]*"one" .*cancelled/);
  await screen.press('Enter');
  await screen.waitFor(/Nothing is removed\.[^]*exit 0/);
  expect(world.loops()).toHaveLength(2);
});

test('Ctrl-D is no yes; y removes them', async () => {
  const world = await twoEnded();
  const first = await type(world, 'prune', '--older-than', '0s');
  await first.waitFor(/\[y\/N\]/);
  await first.press('C-d');
  await first.waitFor(/Nothing is removed\./);
  const second = await type(world, 'prune', '--older-than', '0s');
  await second.waitFor(/\[y\/N\]/);
  await second.submit('y');
  await second.waitFor(/Removed 2 ended loops:[^]*exit 0/);
  expect(world.loops()).toEqual([]);
});

test('one loop, by name: nobody is asked', async () => {
  const world = await twoEnded();
  const screen = await type(world, 'prune', 'two');
  const seen = await screen.waitFor(/exit 0/);
  expect(seen).toMatch(/Removed 1 ended loop:\s+"two"/);
  expect(world.loops()).toHaveLength(1);
});
