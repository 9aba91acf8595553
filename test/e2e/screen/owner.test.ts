// @module-tag tmux
/** Who owns a loop, with a person at the screen. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { DONE, context, makeGate, makeWorld, notices, until } from '../world.ts';

test('a second process with the same session is let through and told; the loop stays with the first', async () => {
  const session = randomUUID();
  const gate = makeGate();
  const world = await makeWorld(async ({ n, text }) => {
    if (text.includes('a question from elsewhere')) return 'The answer.';
    await gate.opened;
    return n < 3 ? 'Not yet.' : DONE;
  });
  const screen = await world.open(['--session-id', session]);
  await screen.submit('/dacapo:ralph Write a poem --max-iterations 9');
  await until(() => world.model.requests.length === 1, 'the first pass');
  const other = await world.run('a question from elsewhere', ['--resume', session]);
  expect(other.result).toMatchObject({ result: 'The answer.' });
  expect(notices(other)).toEqual([expect.stringMatching(/is held by process \d+ with this same session/)]);
  expect(world.status()).toMatchObject({ status: 'running', iteration: 1 });
  gate.open();
  await screen.waitFor(/completed after \d iterations/);
});

test('a state file written by hand is announced at a stop, and runs when its person says so', async () => {
  const world = await makeWorld(({ n }) => (n < 1 ? 'Hello.' : DONE));
  const screen = await world.open();
  world.sandbox.write(
    '.claude/ralph-loop.local.md',
    '---\niteration: 1\nmax_iterations: 5\ncompletion_promise: "COMPLETE"\n---\nWrite a poem by hand\n',
  );
  // A file is believed when it has lain still for a second.
  await sleep(1_100);
  await screen.submit('hello');
  await screen.waitFor(/ralph-loop\.local\.md is here and waits for you/);
  expect(world.model.requests).toHaveLength(1);
  await screen.submit('/resume-ralph');
  await screen.waitFor(/completed after 1 iteration/);
  expect(context(world.model.requests[1])).toContain('Write a poem by hand');
});
