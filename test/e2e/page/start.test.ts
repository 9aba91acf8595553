// @module-tag chromium
/**
 * A loop that is started from the page: the real Claude Code works in a process of its own, and the page
 * follows it.
 */
import { expect, test } from 'vitest';
import { spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import { CLI, openPage, startUi } from './browser.ts';
import { CLAUDE, type Reply } from '../host.ts';
import { makeWorld, until } from '../world.ts';

const APPEND: Reply = [{ tool: 'Bash', input: { command: 'echo line >> poem.txt' } }];

test('a loop started from the form runs to its proof, and outlives the page', async () => {
  const world = await makeWorld([APPEND, 'One line.', APPEND, 'Two lines.']);
  const { sandbox } = world;
  const ui = await startUi(sandbox.project, { ...sandbox.env, DACAPO_CLAUDE: CLAUDE });
  const page = await openPage(ui.url);
  await page.getByRole('link', { name: 'Start one here' }).click();
  await page.getByLabel('Task').fill('Write a poem of two lines.');
  await page.getByLabel('Checks').fill('test "$(wc -l < poem.txt)" -ge 2');
  await page.getByText('More', { exact: true }).click();
  await page.getByLabel('Permission mode').selectOption('bypassPermissions');
  await page.getByRole('button', { name: 'Start the loop' }).click();
  await page.getByRole('tab', { name: 'Agent', selected: true }).waitFor({ timeout: 30_000 });
  await page.getByRole('log').getByText('echo line').first().waitFor({ timeout: 30_000 });
  ui.signal('SIGINT');
  expect(await ui.ended).toBe(0);
  await until(() => world.status().status === 'completed', 'the loop to complete', 40_000);
  expect(sandbox.read('poem.txt')).toBe('line\nline\n');
  expect(world.status()).toMatchObject({ iteration: 2, driver: 'fresh', project: sandbox.project });
  await until(() => sandbox.processes().length === 0, 'its process to end', 10_000);
}, 120_000);

test('a start that is refused says why', async () => {
  const world = await makeWorld(['never asked']);
  const { sandbox } = world;
  const ui = await startUi(sandbox.project, { ...sandbox.env, DACAPO_CLAUDE: CLAUDE });
  const page = await openPage(`${ui.url}`);
  await page.getByRole('link', { name: 'Start one here' }).click();
  await page.getByLabel('Task').fill('Write a poem.');
  await page.getByLabel('Iterations at most').fill('many');
  await page.getByRole('button', { name: 'Start the loop' }).click();
  await page
    .getByRole('status')
    .getByText(/--max-iterations/)
    .waitFor({ timeout: 30_000 });
  expect(world.loops()).toEqual([]);
});

test('a loop of dacapo run that was paused goes on from the page', async () => {
  const world = await makeWorld([APPEND, 'One line.', APPEND, 'Two lines.']);
  const { sandbox } = world;
  const env = { ...sandbox.env, DACAPO_CLAUDE: CLAUDE };
  const words = ['ready', 'Write a poem of one line.', '--mode', 'fresh', '--check', 'test -s poem.txt'];
  expect(spawnSync(process.execPath, [CLI, ...words], { cwd: sandbox.project, env }).status).toBe(0);
  const [loop] = world.loops();
  spawnSync(process.execPath, [CLI, 'pause'], { cwd: sandbox.project, env });
  const page = await openPage((await startUi(sandbox.project, env)).url);
  await page
    .getByRole('link', { name: /Write a poem/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'Resume' }).click();
  // Nobody named what the agent may do, so its call is denied, and the page shows that it works.
  await until(() => (world.loops()[0]?.stops ?? 0) > 0, 'a stop', 40_000);
  expect(world.loops()[0]?.id).toBe(loop?.id);
  await page.getByRole('button', { name: /Iteration 1/ }).waitFor();
  spawnSync(process.execPath, [CLI, 'cancel'], { cwd: sandbox.project, env });
  await until(() => sandbox.processes().length <= 1, 'its process to end', 20_000);
}, 120_000);

test('a port in use, and one that is not a port, get a clear error', async () => {
  const world = await makeWorld(['never asked']);
  const { sandbox } = world;
  const taken = createServer();
  const port = await new Promise<number>((resolve) => {
    taken.listen(0, '127.0.0.1', () => {
      const address = taken.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
  const ui = (...args: string[]) =>
    spawnSync(process.execPath, [CLI, 'ui', '--no-open', ...args], {
      cwd: sandbox.project,
      env: sandbox.env,
      encoding: 'utf8',
      timeout: 20_000,
    });
  const used = ui('--port', String(port));
  taken.close();
  expect([used.status, used.stderr]).toEqual([1, expect.stringContaining(`port ${port} is in use`)]);
  const wrong = ui('--port', 'eighty');
  expect([wrong.status, wrong.stderr]).toEqual([2, expect.stringContaining('--port takes a number')]);
  const elsewhere = ui('--host', '203.0.113.9');
  expect([elsewhere.status, elsewhere.stderr]).toEqual([
    1,
    expect.stringContaining('not an address of this machine'),
  ]);
});
