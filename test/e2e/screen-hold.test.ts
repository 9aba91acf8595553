/** A background shell that never ends, with a person at the screen: the loop waits for it once, then goes on by itself. */
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import {
  makeSandbox,
  openScreen,
  replies,
  startModel,
  type Model,
  type Sandbox,
  type Screen,
} from './host.ts';

const PLUGIN = fileURLToPath(new URL('../../plugin', import.meta.url));

let model: Model;
let sandbox: Sandbox;
let screen: Screen;

afterEach(async () => {
  await screen.close();
  sandbox.close();
  await model.close();
});

test('a development server holds the loop once, is then named to the agent, and the loop completes', async () => {
  model = await startModel(
    replies([
      [{ tool: 'Bash', input: { command: 'sleep 600', run_in_background: true, description: 'serve' } }],
      'The server runs.',
      'Woken, working on.',
      'Done.\n\n<promise>COMPLETE</promise>',
    ]),
  );
  sandbox = makeSandbox(model, { DACAPO_HOLD_SECONDS: '2' });
  screen = await openScreen(sandbox, ['--plugin-dir', PLUGIN]);
  await screen.submit('/dacapo:ralph Start the server and test it --max-iterations 5');
  await screen.waitFor(/waiting for background work/);
  await screen.waitFor(/completed after 2 iterations/, 30_000);
  expect(JSON.stringify(model.requests)).toContain('Still running in the background: `sleep 600`');
});

test('a command that starts no turn, typed during a loop, does not end it in silence', async () => {
  model = await startModel(
    replies([
      { blocks: [{ text: 'one' }], delay: 1500 },
      { blocks: [{ text: 'two' }], delay: 1500 },
      'Done.\n\n<promise>COMPLETE</promise>',
    ]),
  );
  sandbox = makeSandbox(model);
  screen = await openScreen(sandbox, ['--plugin-dir', PLUGIN]);
  await screen.submit('/dacapo:ralph Count --max-iterations 5');
  await screen.waitFor(/loop RALPH_\w+ started/);
  await screen.submit('/dacapo:ralph-status');
  await screen.waitFor(/is running, iteration 1 of 5/);
  await screen.waitFor(/completed after \d iterations/, 30_000);
});

test('a command of the host, typed during a loop, runs, and the loop continues after it', async () => {
  model = await startModel(
    replies([
      { blocks: [{ text: 'one' }], delay: 1500 },
      { blocks: [{ text: 'two' }], delay: 300 },
      'Done.\n\n<promise>COMPLETE</promise>',
    ]),
  );
  sandbox = makeSandbox(model);
  screen = await openScreen(sandbox, ['--plugin-dir', PLUGIN]);
  await screen.submit('/dacapo:ralph Count --max-iterations 5');
  await screen.waitFor(/loop RALPH_\w+ started/);
  await screen.submit('/compact');
  await screen.waitFor(/what you typed comes first/);
  await screen.waitFor(/completed after \d iterations/, 40_000);
});
