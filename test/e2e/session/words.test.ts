/** Whatever a person writes reaches the model to the letter; nothing of it is run by a shell. */
import { expect, test } from 'vitest';
import { DONE, context, makeWorld, type World } from '../world.ts';

const VIEW = '.claude/ralph-loop.local.md';
const ORDINARY = [
  `Fix the parser's "edge" cases (all of them), don't touch *.md or src/**/[a-z]?.ts;`,
  '',
  '  - $(touch pwned1) and `touch pwned2` && touch pwned3 | cat > pwned4',
  '  - $HOME, ${PATH}, %PATH%, \\n, \\\\, !important, ~, #hash, <b>&amp;</b>',
  '---',
  'iteration: 3',
  '$ARGUMENTS $1 @file.txt — “naïve” 日本語 🎵',
].join('\n');

async function start(prompt: string): Promise<{ world: World; body: string }> {
  let body = '';
  const world: World = await makeWorld(({ n }) => {
    body ||= world.sandbox.read(VIEW).replace(/^---\n[^]*?\n---\n/, '');
    return n < 1 ? 'Not yet.' : DONE;
  });
  await world.run(`/dacapo:ralph ${prompt} --max-iterations 4`);
  return { world, body };
}

test('quotes, apostrophes, parentheses, newlines, globs, $() and backticks', async () => {
  const { world, body } = await start(ORDINARY);
  expect(body).toBe(ORDINARY);
  for (const turn of world.model.requests) expect(context(turn)).toContain(ORDINARY);
  expect(world.model.requests).toHaveLength(2);
  expect(world.status()).toMatchObject({ status: 'completed', max_iterations: 4 });
  for (const name of ['pwned1', 'pwned2', 'pwned3', 'pwned4']) expect(world.sandbox.has(name)).toBe(false);
});

test('a prompt of 20 KB', async () => {
  const long = Array.from({ length: 400 }, (_, line) =>
    `Line ${line}: don't drop "this" $(line).`.padEnd(50, '.'),
  ).join('\n');
  expect(long.length).toBeGreaterThan(20_000);
  const { world, body } = await start(long);
  expect(body).toBe(long);
  expect(context(world.model.requests[0])).toContain(long.slice(0, 5_000));
  for (const turn of world.model.requests) expect(context(turn)).toContain(VIEW);
  expect(world.status()).toMatchObject({ status: 'completed', max_iterations: 4 });
});
