/** Seed 004's acceptance criteria and the first stories, in the real Claude Code, headless. */
import { afterEach, expect, test } from 'vitest';
import { replies, startModel, type Model, type Reply } from '../../src/demo/model.ts';
import { makeSandbox, runClaude, type Sandbox } from './host.ts';
import { fileURLToPath } from 'node:url';

const PLUGIN = fileURLToPath(new URL('../../plugin', import.meta.url));
let model: Model;
let sandbox: Sandbox;

afterEach(async () => {
  sandbox.close();
  await model.close();
});

async function begin(list: Reply[], env: Record<string, string> = {}): Promise<void> {
  model = await startModel(replies(list));
  sandbox = makeSandbox(model, env);
}

test('a loop goes on until the promise is given', async () => {
  await begin(['working', 'still working', 'All done.\n\n<promise>COMPLETE</promise>']);
  const run = await runClaude(sandbox, [
    '/dacapo:ralph Write a poem --max-iterations 5',
    '--plugin-dir',
    PLUGIN,
  ]);
  console.log(run.stdout.slice(0, 20000));
  expect(run.code).toBe(0);
  expect(model.requests.length).toBe(3);
});
