// @module-tag tmux
/** Typing while a loop works: with tools in between, taken back, and in the middle of a proof. */
import { expect, test } from 'vitest';
import { DONE, context, makeGate, makeWorld, until, written } from '../world.ts';

const SLOW = [{ tool: 'Bash', input: { command: 'touch began; while ! test -f end; do sleep 0.1; done' } }];

test('text that reaches the agent with a tool result holds nothing up afterwards, nor does text that is taken back from the queue', async () => {
  const gate = makeGate();
  const world = await makeWorld(async ({ n }) => {
    if (n === 3) await gate.opened;
    return [SLOW, 'I have read your words.', DONE, 'Not yet.', 'Still not.', DONE][n] ?? 'Too far.';
  });
  const screen = await world.open();
  await screen.submit('/dacapo:ralph Write a poem about the sea');
  await until(() => world.sandbox.has('began'), 'the tool');
  await screen.submit('Please let it rhyme.');
  await written(world, '"enqueue"', 'Please let it rhyme.');
  world.sandbox.write('end', '');
  await screen.waitFor(/completed after 2 iterations/);
  expect(context(world.model.requests[1])).toContain('Please let it rhyme.');
  expect(world.model.requests).toHaveLength(3);

  await screen.submit('/dacapo:ralph Write a poem about the land');
  await until(() => world.model.requests.length === 4, 'the first pass');
  await screen.submit('words that I regret');
  await written(world, '"enqueue"', 'words that I regret');
  await screen.press('Up');
  await screen.waitFor((now) => !now.includes('Press up to edit'));
  await written(world, '"popAll"');
  gate.open();
  const end = await screen.waitFor(/completed after 3 iterations/);
  expect(end).not.toContain('comes first');
});

test('Esc while a check runs: the check ends, nothing is spent, and the person has the session', async () => {
  const world = await makeWorld(({ text }) => (text.includes('my own question') ? 'The answer.' : DONE));
  const screen = await world.open();
  await screen.submit(
    '/dacapo:ralph Write a poem --completion-promise COMPLETE --check "test -f .claude/ralph-loop.local.md || exit 1; touch began; sleep 600"',
  );
  await until(() => world.sandbox.has('began'), 'the check');
  await screen.waitFor(/Da Capo is judging this stop/);
  await screen.press('Escape');
  await until(() => world.loops()[0]?.open === null, 'the end of the hearing');
  await screen.submit('my own question');
  await screen.waitFor(/is paused after 0 iterations: you typed a prompt of your own/);
  await screen.waitFor(/The answer\./);
  expect(world.status()).toMatchObject({ status: 'paused', iteration: 1 });
});
