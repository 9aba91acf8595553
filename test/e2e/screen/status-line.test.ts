// @module-tag tmux
/** The status bar of the host shows the loop of its session, in front of the line that the person has. */
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { DONE, makeGate, makeWorld } from '../world.ts';

const CLI = resolve(import.meta.dirname, '../../../dist/cli.cjs');

test('the loop is in the status bar while it runs, and the own line stays', async () => {
  const gate = makeGate();
  const world = await makeWorld(async ({ n }) => {
    if (n === 1) await gate.opened;
    return n === 0 ? 'I have begun.' : DONE;
  });
  const { sandbox } = world;
  sandbox.write(
    '.claude/settings.local.json',
    JSON.stringify({ statusLine: { type: 'command', command: 'echo my own line' } }),
  );
  const init = spawnSync(process.execPath, [CLI, 'init', '--statusline', '--no-cap'], {
    cwd: sandbox.project,
    env: sandbox.env,
    encoding: 'utf8',
  });
  expect([init.status, init.stderr]).toEqual([0, '']);
  const screen = await world.open();
  await screen.waitFor(/^\s*my own line/m);
  await screen.submit('/dacapo:ralph Write a poem about the sea --max-iterations 5');
  await screen.waitFor(/2\/5 · promise ✗ · 0 min.* {2}my own line/);
  gate.open();
  await screen.waitFor(/completed after 2 iterations/);
  // The conversation does not move any more, and the bar must not go on showing a loop that has ended.
  await screen.waitFor((shown) => /^\s*my own line/m.test(shown) && !/2\/5 · promise/.test(shown));
});
