// @module-tag slow
/** The official way to the plugin: `claude plugin marketplace add` of this checkout, `install`, use. */
import { execFile } from 'node:child_process';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { CLI } from '../../surfaces/cli/box.ts';
import { CLAUDE, runClaude, type Reply } from '../host.ts';
import { DONE, PLUGIN, makeWorld, notices, type World } from '../world.ts';

const run = promisify(execFile);
const CHECKOUT = dirname(PLUGIN);

async function claude({ sandbox }: World, ...args: string[]): Promise<string> {
  const { stdout } = await run(CLAUDE, args, { cwd: sandbox.project, env: sandbox.env });
  return stdout;
}

async function installed(script: readonly [Reply, ...Reply[]], ...config: string[]): Promise<World> {
  const world = await makeWorld(script);
  await claude(world, 'plugin', 'marketplace', 'add', CHECKOUT);
  await claude(world, 'plugin', 'install', 'dacapo@dacapo', ...config);
  return world;
}

test('the plugin and the marketplace are valid, strictly and for the directory', async () => {
  const world = await makeWorld(['never asked for']);
  for (const folder of [PLUGIN, CHECKOUT])
    expect(await claude(world, 'plugin', 'validate', '--strict', folder)).toContain('Validation passed');
  expect(await claude(world, 'plugin', 'validate', '--strict', '--profile', 'directory', PLUGIN)).toContain(
    'Validation passed',
  );
});

test('marketplace add, install, and /dacapo:ralph runs a loop', async () => {
  const world = await installed(['Not yet.', DONE]);
  const ran = await runClaude(world.sandbox, ['/dacapo:ralph Write a poem --max-iterations 5']);
  expect(ran.code).toBe(0);
  expect(notices(ran).at(-1)).toContain('completed after 2 iterations');
  expect(world.status()).toMatchObject({ status: 'completed', iteration: 2 });
  // Without the option the cap stands, and the start says so.
  expect(notices(ran)[0]).toContain('ends a turn after 8 stops');
});

test('with lift_cap=true more text-only iterations pass than the cap allows; dacapo doctor sees all of it', async () => {
  const slowly = (text: string): Reply => ({ blocks: [{ text }], delay: 300 });
  const words = Array.from({ length: 8 }, (_, at) => slowly(`Words ${at + 2}.`));
  const world = await installed([slowly('Words 1.'), ...words, DONE], '--config', 'lift_cap=true');
  const ran = await runClaude(world.sandbox, [
    '/dacapo:ralph Write a poem --max-iterations 20 --max-stalls off',
  ]);
  expect(world.status()).toMatchObject({ status: 'completed', iteration: 10 });
  expect(notices(ran)[0]).not.toContain('ends a turn after');
  expect(JSON.parse(world.sandbox.read('.claude/settings.local.json'))).toEqual({
    env: { CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: '0' },
  });

  const env = { ...world.sandbox.env, DACAPO_CLAUDE: CLAUDE };
  const { stdout } = await run(process.execPath, [CLI, 'doctor', '--probe', '--json'], {
    cwd: world.sandbox.project,
    env,
  });
  const { findings } = JSON.parse(stdout) as { findings: { id: string; level: string; says: string }[] };
  expect(findings.filter(({ level }) => level !== 'ok')).toEqual([]);
  expect(findings.find(({ id }) => id === 'registered')?.says).toContain('by the plugin dacapo@dacapo');
  expect(findings.find(({ id }) => id === 'probe')?.says).toContain('called the hook');
});
