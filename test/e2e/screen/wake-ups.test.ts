// @module-tag tmux
/** A wake-up that the session sets itself: the loop waits for it instead of spending iterations. */
import { expect, test } from 'vitest';
import { DONE, makeWorld, until } from '../world.ts';

test('a one-time wake-up (CronCreate) holds the loop, until the moment that the host names', async () => {
  const soon = new Date(Date.now() + 20 * 60_000);
  const cron = `${soon.getMinutes()} ${soon.getHours()} ${soon.getDate()} ${soon.getMonth() + 1} *`;
  const input = { cron, prompt: 'Look at the build.', recurring: false };
  const world = await makeWorld(({ n }) => {
    if (n === 0) return { blocks: [{ tool: 'CronCreate', input }] };
    return n === 1 ? 'I wait for the build.' : DONE;
  });
  const screen = await world.open();
  await screen.submit('/dacapo:ralph Wait for the build --max-iterations 9');
  await screen.waitFor(/waiting for background work; no iteration is spent/);
  await until(() => world.status().status === 'waiting', 'the wait');
  const [loop] = world.loops();
  const wait = Date.parse(loop?.session.hold?.until ?? '') - Date.now();
  expect(wait).toBeGreaterThan(18 * 60_000);
  expect(wait).toBeLessThan(23 * 60_000);
  expect(world.status().iteration).toBe(1);
});
