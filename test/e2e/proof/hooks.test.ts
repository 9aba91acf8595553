/** The project's config in the real host: named checks, and stop hooks that speak to the agent. */
import { expect, test } from 'vitest';
import { fileStore } from '#store/file/store.ts';
import { homeAt } from '#store/file/home.ts';
import { pinConfig } from '#evidence/proofs/stop-hooks/config-file.ts';
import { DONE, makeWorld, newContext, notices, type World } from '../world.ts';

const CONFIG = 'dacapo.config.json';

/** As `dacapo trust` does it, which is a story of its own. */
function configure({ sandbox }: World, config: object, files: Record<string, string> = {}): void {
  sandbox.write(CONFIG, JSON.stringify(config));
  for (const [path, content] of Object.entries(files)) sandbox.write(path, content);
  const pinned = pinConfig(sandbox.project, CONFIG, { files: Object.keys(files), fields: [] });
  if (!pinned.ok) throw new Error(pinned.message);
  fileStore(homeAt(sandbox.dacapoHome)).trust.keep({
    ...pinned,
    project: sandbox.project,
    file: CONFIG,
    at: new Date().toISOString(),
  });
}

test('a claim with a failing named check goes on, and the agent sees the part that failed', async () => {
  const world = await makeWorld([DONE, [{ tool: 'Bash', input: { command: 'touch fixed' } }], DONE]);
  const runner = `
    const pass = (n) => Array.from({ length: n }, (_, k) => '  ✓ test ' + k).join('\\n');
    if (require('node:fs').existsSync('fixed')) process.exit(0);
    console.log(pass(400) + '\\nFAIL auth.test.js > logs in\\n  expected 1 to be 2\\n' + pass(400) + '\\n1 failed, 800 passed');
    process.exit(1);`;
  configure(world, { checks: { tests: 'node run-tests.cjs' } }, { 'run-tests.cjs': runner });
  const run = await world.run('/dacapo:ralph Fix it --completion-promise COMPLETE');
  const told = newContext(world.model, 1);
  expect(told).toContain('check tests `node run-tests.cjs` failed with exit code 1');
  expect(told).toMatch(/FAIL auth\.test\.js > logs in\n[ |]*expected 1 to be 2/);
  expect(told).toContain('1 failed, 800 passed');
  expect(notices(run).at(-1)).toContain('completed after 2 iterations: ');
  expect(world.status().gates).toMatchObject([
    { gate: 'promise' },
    { gate: 'check', name: 'tests', holds: true },
  ]);
});

test('the nextPrompt of a stop hook reaches the model', async () => {
  const world = await makeWorld([DONE, DONE]);
  const hook = `module.exports = ({ iteration }) => iteration === 1
    ? { action: 'continue', reason: 'not reviewed', nextPrompt: 'Read src/auth.ts once more, line by line.' }
    : { action: 'complete', reason: 'reviewed' };`;
  configure(world, { hooks: ['./review.cjs'] }, { 'review.cjs': hook });
  const run = await world.run('/dacapo:ralph Fix it --completion-promise COMPLETE');
  expect(newContext(world.model, 1)).toContain('stop hook review.cjs says continue: not reviewed');
  expect(newContext(world.model, 1)).toContain(
    'A stop hook of this loop says:\n\nRead src/auth.ts once more, line by line.',
  );
  expect(notices(run).at(-1)).toContain('completed after 2 iterations');
});

test('a stop hook escalates: the session ends, and the person reads why', async () => {
  const world = await makeWorld([
    [{ tool: 'Bash', input: { command: 'git init -q . && touch a b c' } }],
    DONE,
  ]);
  configure(world, { hooks: [{ name: 'size', hook: { type: 'max-files', files: 2 } }] });
  const run = await world.run('/dacapo:ralph Fix it --completion-promise COMPLETE');
  expect(notices(run).at(-1)).toMatch(
    /needs you: stop hook size says escalate: \d+ files modified in one iteration, at most 2 allowed/,
  );
  expect(world.status().status).toBe('escalated');
});

test('a config that nobody has trusted starts no loop, and the model is not called', async () => {
  const world = await makeWorld([DONE]);
  world.sandbox.write(CONFIG, JSON.stringify({ checks: { tests: 'touch ran' } }));
  await world.run('/dacapo:ralph Fix it');
  expect(world.model.requests).toHaveLength(0);
  expect(world.loops()).toEqual([]);
  expect(world.sandbox.has('ran')).toBe(false);
});
