/** Limits: those of the loop, and the host's own cap on stops in a row. */
import { expect, test } from 'vitest';
import { DONE, makeWorld, notices } from '../world.ts';

const TOOL = [{ tool: 'Bash', input: { command: 'true' } }];

test('--max-iterations=3 means exactly three passes', async () => {
  const world = await makeWorld(['Not yet.']);
  const run = await world.run('/dacapo:ralph Write a poem --max-iterations=3');
  expect(world.model.requests).toHaveLength(3);
  expect(notices(run).filter((notice) => notice.includes('Stop says'))).toEqual([
    expect.stringContaining('iteration 2 of 3'),
    expect.stringContaining('iteration 3 of 3'),
    expect.stringContaining('max iterations reached (3 iterations)'),
  ]);
  expect(world.status()).toMatchObject({ status: 'exhausted', iteration: 3, max_iterations: 3 });
});

test('a promise given in the last allowed pass completes', async () => {
  const world = await makeWorld(['Not yet.', DONE]);
  await world.run('/dacapo:ralph Write a poem --max-iterations=2');
  expect(world.status()).toMatchObject({ status: 'completed', iteration: 2 });
});

test('a flag that is not known is refused, and no loop starts', async () => {
  const world = await makeWorld(['never asked for']);
  const run = await world.run('/dacapo:ralph Write a poem --max-iteration 3');
  expect(run.result?.['result']).toContain('--max-iterations');
  expect(world.model.requests).toHaveLength(0);
  expect(world.loops()).toHaveLength(0);
});

test("the host's cap is said at the start; when it strikes, the loop does not claim to run", async () => {
  const world = await makeWorld(['Not yet.']);
  const run = await world.run('/dacapo:ralph Write a poem');
  expect(notices(run)[0]).toContain('ends a turn after 8 stops in a row without a tool call');
  expect(world.model.requests).toHaveLength(9);
  expect(world.status()).toMatchObject({
    status: 'interrupted',
    reason: expect.stringContaining('cap of 8 stops in a row'),
  });
});

test('with the cap lifted in the settings nothing is said and more text-only passes go through', async () => {
  const world = await makeWorld(['Not yet.']);
  world.sandbox.settings({ env: { CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: '0' } });
  const run = await world.run('/dacapo:ralph Write a poem --max-iterations 10 --max-stalls off');
  expect(notices(run)[0]).not.toContain('without a tool call');
  // With the cap, the ninth was the last.
  expect(world.model.requests).toHaveLength(10);
  expect(world.status()).toMatchObject({ status: 'exhausted', iteration: 10 });
});

test('a pass with a tool call does not count towards the cap', async () => {
  const world = await makeWorld(({ n }) => (n % 2 === 0 ? TOOL : 'Not yet.'), {
    CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: '2',
  });
  await world.run('/dacapo:ralph Write a poem --max-iterations 4');
  expect(world.status()).toMatchObject({ status: 'exhausted', iteration: 4 });
});
