/** Work in the background: a subagent's report is waited for, a server that never ends is not. */
import { expect, test } from 'vitest';
import { DONE, context, makeWorld, newContext, notices, until } from '../world.ts';

const AGENT = { description: 'look', prompt: 'Look at it', subagent_type: 'general-purpose' };
const SERVER = { command: 'sleep 600', description: 'the development server', run_in_background: true };

test('a pending subagent spends no iteration, and its report reaches the agent', async () => {
  const world = await makeWorld(({ n, agentId }) => {
    if (agentId !== undefined) return { blocks: [{ text: 'The report of the subagent.' }], delay: 1_000 };
    return [[{ tool: 'Agent', input: AGENT }], 'I wait for the subagent.', 'Not yet.', DONE][n] ?? 'too many';
  });
  const run = await world.run('/dacapo:ralph Write a poem');
  expect(notices(run)).toContainEqual(expect.stringContaining('waiting for background work'));
  expect(newContext(world.model, 2)).toContain('The report of the subagent.');
  expect(newContext(world.model, 3)).toContain('iteration 2 of 50');
  expect(world.model.requests).toHaveLength(4);
  expect(world.status()).toMatchObject({ status: 'completed', iteration: 2 });
});

test('a report that came before the stop reaches the agent too, at no cost', async () => {
  const world = await makeWorld(({ n, agentId }) => {
    if (agentId !== undefined) return 'The report of the subagent.';
    const waited = { blocks: [{ text: 'I wait.' }], delay: 1_000 };
    return [[{ tool: 'Agent', input: AGENT }], waited, DONE][n] ?? 'too many';
  });
  await world.run('/dacapo:ralph Write a poem');
  expect(newContext(world.model, 2)).toContain('The report of the subagent.');
  expect(world.status()).toMatchObject({ status: 'completed', iteration: 1 });
});

test('a development server that never ends does not hold a headless loop, and is named to the agent', async () => {
  const world = await makeWorld([[{ tool: 'Bash', input: SERVER }], 'The server is up.', DONE]);
  const host = world.start('/dacapo:ralph Write a poem');
  await until(() => world.loops()[0]?.status.is === 'completed', 'the completion');
  // The host itself waits for its shells; that is not a concern of the loop.
  host.kill('SIGTERM');
  await host.done;
  expect(context(world.model.requests[2])).toMatch(/Still running in the background: `sleep 600`/);
  expect(world.status()).toMatchObject({ status: 'completed', iteration: 2 });
});
