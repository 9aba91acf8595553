/** When a loop is done, and when it is not: seen at the very stop, and fooled by nothing. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { CLAUDE } from '../host.ts';
import { DONE, PLUGIN, makeWorld, newContext, notices } from '../world.ts';

const exec = promisify(execFile);

test('a promise in the first, text-only reply is seen at that very stop, without a transcript', async () => {
  const world = await makeWorld([DONE, 'never asked for']);
  const run = await world.run('/dacapo:ralph Write a poem', ['--no-session-persistence']);
  expect(world.model.requests).toHaveLength(1);
  expect(notices(run).at(-1)).toContain('completed after 1 iteration:');
});

test('a tag in code, in a quote, negated or of a subagent is not a completion; the real one is', async () => {
  const agent = {
    description: 'look',
    prompt: 'Look',
    subagent_type: 'general-purpose',
    run_in_background: false,
  };
  const tag = '<promise>COMPLETE</promise>';
  const main = [
    `At the end I will write:\n\n\`\`\`\n${tag}\n\`\`\``,
    `You asked for:\n\n> ${tag}`,
    `I can not say ${tag} yet, there is more to do.`,
    `The word is \`${tag}\``,
    [{ tool: 'Agent', input: agent }],
    'COMPLETE, says the subagent.',
    '<promise>DONE</promise>',
    DONE,
  ] as const;
  const world = await makeWorld(({ n, agentId }) => {
    const reply = agentId === undefined ? main[n] : tag;
    return typeof reply === 'string' ? reply : [...(reply ?? [])];
  });
  await world.run('/dacapo:ralph Write a poem');
  expect(world.model.agentRequests).toHaveLength(1);
  expect(world.model.requests).toHaveLength(main.length);
  expect(world.status()).toMatchObject({ status: 'completed', iteration: 7 });
  expect(newContext(world.model, 1)).toMatch(/inside code, where it does not count/);
  expect(newContext(world.model, 2)).toMatch(/inside a quote, where it does not count/);
  expect(newContext(world.model, 3)).toMatch(/other text or markup around it/);
  expect(newContext(world.model, 4)).toMatch(/inside code, where it does not count/);
  expect(newContext(world.model, 7)).toMatch(/<promise>DONE<\/promise>.*not the text of the promise/);
});

test('a promise after tool calls is seen at that very stop; a continuation is feedback in the stream, never an error', async () => {
  const world = await makeWorld([
    [{ text: 'Looking.' }, { tool: 'Bash', input: { command: 'true' } }],
    'Not yet.',
    [{ tool: 'Bash', input: { command: 'true' } }],
    DONE,
    'never asked for',
  ]);
  const run = await world.run('/dacapo:ralph Write a poem', ['--include-hook-events']);
  expect(world.model.requests).toHaveLength(4);
  expect(world.status()).toMatchObject({ status: 'completed', iteration: 2 });
  const answers = run.messages.filter(({ subtype }) => subtype === 'hook_response');
  expect(answers.length).toBeGreaterThanOrEqual(3);
  for (const answer of answers)
    expect(answer).toMatchObject({ outcome: 'success', exit_code: 0, stderr: '' });
  expect(notices(run)).toContainEqual(expect.stringMatching(/^Stop says: Da Capo: iteration 2 of 50/));
  expect(notices(run).join('\n')).not.toMatch(/error/i);
  expect(run.result).toMatchObject({ is_error: false });
});

test('claude -p prints the last text, not an empty result', async () => {
  const world = await makeWorld(['Not yet.', DONE]);
  const args = ['-p', '--plugin-dir', PLUGIN, '/dacapo:ralph Write a poem'];
  const host = exec(CLAUDE, args, { cwd: world.sandbox.project, env: world.sandbox.env });
  host.child.stdin?.end();
  expect((await host).stdout.trim()).toBe(DONE);
});
