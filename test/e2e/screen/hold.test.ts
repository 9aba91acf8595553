// @module-tag tmux
/**
 * A background shell that never ends, with a person at the screen: the loop waits for it once, then goes on
 * by itself.
 */
import { expect, test } from 'vitest';
import { DONE, makeGate, makeWorld, until, written } from '../world.ts';

test('a development server holds the loop once, is then named to the agent, and the loop completes', async () => {
  const serve = { command: 'sleep 600', run_in_background: true, description: 'serve' };
  const world = await makeWorld(
    [[{ tool: 'Bash', input: serve }], 'The server runs.', 'Woken, working on.', DONE],
    { DACAPO_HOLD_SECONDS: '2' },
  );
  const screen = await world.open();
  await screen.submit('/dacapo:ralph Start the server and test it --max-iterations 5');
  await screen.waitFor(/waiting for background work/);
  await screen.waitFor(/completed after 2 iterations/, 30_000);
  expect(JSON.stringify(world.model.requests)).toContain('Still running in the background: `sleep 600`');
});

test.each([
  ['a command that starts no turn', '/dacapo:ralph-status', /is running, iteration 1 of 5/],
  ['a command of the host', '/compact', /what you typed comes first/],
])('%s, typed during a loop, runs, and the loop continues after it', async (_, command, seen) => {
  const typed = makeGate();
  const world = await makeWorld(async ({ n }) => {
    await typed.opened;
    return ['one', 'two'][n] ?? DONE;
  });
  const screen = await world.open();
  await screen.submit('/dacapo:ralph Count --max-iterations 5');
  await until(() => world.model.requests.length === 1, 'the first pass');
  await screen.submit(command);
  await written(world, '"enqueue"', command);
  typed.open();
  await screen.waitFor(seen, 30_000);
  await screen.waitFor(/completed after \d iterations/, 40_000);
});
