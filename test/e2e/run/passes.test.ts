/** `dacapo run`: a new agent for each pass, judged by the same law, in the real Claude Code. */
import { expect, test } from 'vitest';
import { UNATTENDED, dacapo, ofKind } from '../dacapo.ts';
import type { Reply } from '../host.ts';
import { context, makeWorld } from '../world.ts';

const APPEND: Reply = [{ tool: 'Bash', input: { command: 'echo line >> poem.txt' } }];

/** A pass is two requests: the tool call, and the words after its result. */
const passes = (count: number): [Reply, ...Reply[]] => {
  const all = Array.from({ length: count }, (): Reply[] => [APPEND, 'One more line is there.']).flat();
  return [all[0] ?? '', ...all.slice(1)];
};

test('a fresh agent for each iteration, which reads the notes of the one before, with the proof at the end', async () => {
  const world = await makeWorld(({ n, text }) => {
    if (n % 2 === 1) return 'One more line is there.';
    const [notes = ''] = /\.claude\/ralph-notes\.\w+\.local\.md/.exec(text) ?? [];
    const command = `echo line >> poem.txt; echo "It rhymes with ${n}" >> ${notes}`;
    return [{ tool: 'Bash', input: { command } }];
  });
  const run = await dacapo(
    world,
    'run',
    'Write a poem of two lines.',
    '--check',
    'test "$(wc -l < poem.txt)" -ge 2',
    '--pause',
    '0',
    '--json',
    ...UNATTENDED,
  );
  expect(run.code).toBe(0);
  expect(world.sandbox.read('poem.txt')).toBe('line\nline\n');
  expect(world.status()).toMatchObject({ status: 'completed', iteration: 2, driver: 'fresh' });
  const sessions = ofKind(run, 'iteration-begins').map(({ session }) => session);
  expect(new Set(sessions).size).toBe(2);
  expect(ofKind(run, 'judged').map(({ verdict }) => verdict)).toEqual(['continue', 'complete']);
  expect(ofKind(run, 'ends')).toMatchObject([{ status: 'completed' }]);
  // Each agent begins without the conversation of the one before it, and is told what that one left open.
  const [, , second] = world.model.requests;
  expect(second?.body.messages.filter(({ role }) => role === 'assistant')).toEqual([]);
  expect(context(second)).toContain('Write a poem of two lines.');
  expect(context(second)).toContain('It rhymes with 0');
  expect(context(second)).toContain('failed with exit code 1');
  expect(world.sandbox.processes()).toEqual([]);
});

test('a model for a feature, with a default for the others', async () => {
  const list = (passing: number) =>
    JSON.stringify({
      features: [
        { id: 1, description: 'Small', passes: passing > 0, model: 'claude-haiku-4-5' },
        { id: 2, description: 'Other', passes: passing > 1 },
      ],
    });
  let done = 0;
  const world = await makeWorld(({ text }) => {
    if (text.includes('closed')) return 'Feature done.';
    world.sandbox.write('feature_list.json', list(++done));
    return [{ tool: 'Bash', input: { command: 'echo closed' } }];
  });
  world.sandbox.write('feature_list.json', list(0));
  const args = ['--features', 'feature_list.json', '--model', 'claude-sonnet-4-5', '--pause', '0'];
  const run = await dacapo(world, 'run', 'Build it.', ...args, '--json', ...UNATTENDED);
  expect(run.code).toBe(0);
  const models = world.model.requests.filter((_turn, k) => k % 2 === 0).map(({ body }) => body.model);
  expect(models).toEqual(['claude-haiku-4-5', 'claude-sonnet-4-5']);
  expect(ofKind(run, 'iteration-begins').map(({ feature }) => feature)).toEqual(['Small', 'Other']);
});

test('a list of items: each pass says which item it is for, and the ending that one is not done', async () => {
  const world = await makeWorld(({ text }) => {
    if (text.includes('Fix the logout')) return '<loop-done>STUCK</loop-done>';
    return text.includes('Fix the login')
      ? [{ tool: 'Bash', input: { command: 'echo fixed > login.txt' } }]
      : '<issue-complete>DONE</issue-complete>';
  });
  world.sandbox.write('todo.txt', 'Fix the login\nFix the logout\n');
  const run = await dacapo(
    world,
    'run',
    'Fix it.',
    '--items',
    'todo.txt',
    '--pause',
    '0',
    '--json',
    ...UNATTENDED,
  );
  expect(ofKind(run, 'iteration-begins').map(({ item }) => item)).toEqual([
    'item 1 of 2: Fix the login',
    'item 2 of 2: Fix the logout',
  ]);
  expect(ofKind(run, 'judged').map(({ words }) => words)).toEqual([
    'Item 1 of 2 (Fix the login) is done after 1 iteration. Item 2 of 2 begins: Fix the logout.',
    'a person is needed',
  ]);
  expect(ofKind(run, 'ends')[0]?.reason).toContain('every item had its turn, and 1 of them is not done');
  expect(run.code).toBe(4);
});

test('--fresh-every 2: two iterations share a session, the third has a new one', async () => {
  const world = await makeWorld(passes(3));
  const check = ['--check', 'test "$(wc -l < poem.txt)" -ge 3'];
  const run = await dacapo(
    world,
    'run',
    'Write.',
    ...check,
    '--fresh-every',
    '2',
    '--pause',
    '0',
    '--json',
    ...UNATTENDED,
  );
  expect(run.code).toBe(0);
  const [first, second, third] = ofKind(run, 'iteration-begins').map(({ session }) => session);
  expect(second).toBe(first);
  expect(third).not.toBe(first);
  // The second pass of the session has the conversation of the first.
  expect(world.model.requests[2]?.body.messages.some(({ role }) => role === 'assistant')).toBe(true);
  expect(world.model.requests[4]?.body.messages.some(({ role }) => role === 'assistant')).toBe(false);
});

test('--continue with --compact-every: one session, made smaller in between', async () => {
  const world = await makeWorld(passes(2));
  const check = ['--check', 'test "$(wc -l < poem.txt)" -ge 2'];
  const flags = ['--continue', '--compact-every', '1', '--pause', '0', '--json'];
  const run = await dacapo(world, 'run', 'Write.', ...check, ...flags, ...UNATTENDED);
  expect(run.code).toBe(0);
  expect(new Set(ofKind(run, 'iteration-begins').map(({ session }) => session)).size).toBe(1);
  expect(context(world.model.requests.at(-1))).toContain('The conversation so far, in short.');
});
