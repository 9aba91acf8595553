// @module-tag slow
/** Limits that are counted, in the real host: money, tokens, no progress, a full context. */
import { expect, test } from 'vitest';
import type { Reply } from '../host.ts';
import { DONE, context, makeWorld, notices } from '../world.ts';

/**
 * As text of a pass that used so much. The host reckons $4 and $20 for a million tokens of its default model.
 */
const using = (text: string, usage: object): Reply => ({ blocks: [{ text }], usage });
const COSTS_A_DOLLAR = { input_tokens: 200_000, output_tokens: 10_000 };
const BASH = (command: string): Reply => [{ tool: 'Bash', input: { command, description: 'work' } }];
const messagesTo = (run: Parameters<typeof notices>[0]): string => notices(run).join('\n');

test('--max-cost ends the loop, and what was counted is what the host itself reckons', async () => {
  const world = await makeWorld(() => using('Not yet.', COSTS_A_DOLLAR));
  const run = await world.run('/dacapo:ralph Write a poem --max-cost 2.50 --max-stalls off');
  expect(notices(run)[0]).toContain('$2.50 (estimated from tokens)');
  expect(notices(run)[0]).not.toContain('no limit on cost');
  expect(messagesTo(run)).toContain('budget of $2.50 used up');
  const status = world.status();
  expect(status).toMatchObject({ status: 'exhausted', max_cost_usd: 2.5 });
  // The last row may lag behind the stop: then the limit strikes one message late.
  expect([3, 4]).toContain(status.iteration);
  const passes = Math.round(status.cost_usd);
  expect([status.iteration - 1, status.iteration]).toContain(passes);
  const perPass = Number(run.result?.['total_cost_usd']) / world.model.requests.length;
  expect(status.cost_usd).toBeCloseTo(passes * perPass, 6);
});

test('--max-tokens ends the loop; a subagent is counted too', async () => {
  const agent = { description: 'a', prompt: 'b', subagent_type: 'general-purpose', run_in_background: false };
  const world = await makeWorld(({ n, agentId }): Reply => {
    if (agentId !== undefined) return using('Done.', { input_tokens: 40_000, output_tokens: 0 });
    const blocks = n === 0 ? [{ tool: 'Agent', input: agent }] : [{ text: 'Not yet.' }];
    return { blocks, usage: { input_tokens: 1_000, output_tokens: 0 } };
  });
  const run = await world.run('/dacapo:ralph Write a poem --max-tokens 41k');
  expect(messagesTo(run)).toContain('budget of 41k tokens used up');
  expect(world.status().status).toBe('exhausted');
  expect(world.status().tokens).toBeGreaterThanOrEqual(41_000);
  expect(world.status().tokens).toBeLessThanOrEqual(43_000);
});

test('an agent that only asks opens the circuit, /resume-ralph half-opens it, and work closes it', async () => {
  const script = ({ n }: { n: number }): Reply => {
    if (n === 4) return BASH('echo a line >> poem.txt');
    return n === 6 ? DONE : 'Shall I begin?';
  };
  const world = await makeWorld(script);
  const run = await world.run('/dacapo:ralph Write a poem --max-stalls 3');
  expect(world.model.requests).toHaveLength(3);
  expect(world.status()).toMatchObject({ status: 'stuck', stalls: 3, max_stalls: 3 });
  expect(messagesTo(run)).toContain('the same at 3 stops in a row, and no tool was called');
  expect(messagesTo(run)).toContain('It may be waiting for you');

  const session = ['--resume', String(run.result?.['session_id'])];
  const again = await world.run('/dacapo:resume-ralph', session);
  expect(world.model.requests).toHaveLength(4);
  expect(context(world.model.requests[3])).toContain('Write a poem');
  expect(messagesTo(again)).toContain('the same at 4 stops in a row');
  expect(world.status().status).toBe('stuck');

  await world.run('/dacapo:resume-ralph', session);
  expect(world.status()).toMatchObject({ status: 'completed', iteration: 6 });
});

test('a check that fails the same way is no reason to end, as long as the work changes', async () => {
  const world = await makeWorld(({ n }) =>
    n % 2 === 0 ? BASH(`echo ${n} >> poem.txt`) : n === 9 ? DONE : 'One more line.',
  );
  await world.run('/dacapo:ralph Write a poem --check "test $(wc -l < poem.txt) -ge 5" --max-stalls 2');
  expect(world.status()).toMatchObject({ status: 'completed', iteration: 5 });
});

test('calls that change nothing, and the same failing check, open the circuit', async () => {
  const world = await makeWorld(({ n }) => (n % 2 === 0 ? BASH('true') : `Try ${n}.`));
  const run = await world.run('/dacapo:ralph Write a poem --check "echo no; exit 1" --max-stalls 3');
  expect(world.status().status).toBe('stuck');
  expect(world.status().iteration).toBeLessThanOrEqual(5);
  expect(messagesTo(run)).toContain('check `echo no; exit 1` failed with exit code 1');
});

test('a context at 82 % is told to the agent and to the person, once', async () => {
  const full = { input_tokens: 20_000, cache_read_input_tokens: 800_000, output_tokens: 0 };
  const world = await makeWorld(({ n }) => ({
    blocks: n % 2 === 0 ? [{ tool: 'Bash', input: { command: 'true' } }] : [{ text: n === 7 ? DONE : 'On.' }],
    usage: full,
  }));
  const run = await world.run('/dacapo:ralph Write a poem', [], { timeout: 60_000 });
  const told = world.model.requests
    .map((turn) => context(turn))
    .filter((text) => text.includes('Your context is at 82 %'));
  expect(told.length).toBeGreaterThan(0);
  expect(told.at(-1)?.split('Your context is at 82 %')).toHaveLength(2);
  expect(messagesTo(run).split('The context is at 82 % of 1M')).toHaveLength(2);
  expect(world.status()).toMatchObject({ status: 'completed', context_window: 1_000_000 });
});
