/**
 * `--mode fresh`: the slash command makes the loop and names the one command that runs it; that command does.
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { CLAUDE, type Reply } from '../host.ts';
import { makeWorld, type World } from '../world.ts';

const CLI = fileURLToPath(new URL('../../../dist/cli.cjs', import.meta.url));

/** The id of the loop that the slash command has made, without a call to the model. */
async function makeFresh(world: World): Promise<string> {
  const run = await world.run('/dacapo:ralph Write a poem --mode fresh --check "test -f poem.txt"');
  expect(world.model.requests).toHaveLength(0);
  return /dacapo run --loop (RALPH_\w+)/.exec(String(run.result?.['result']))?.[1] ?? '';
}

function dacapo(world: World, ...args: string[]): Promise<{ code: number | null; stdout: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [CLI, ...args], {
      cwd: world.sandbox.project,
      env: { ...world.sandbox.env, DACAPO_CLAUDE: CLAUDE },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let stdout = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk));
    child.on('close', (code) => resolve({ code, stdout }));
  });
}

test('a new agent for each pass, judged by the same law, until the check passes', async () => {
  const writes: Reply = [{ tool: 'Bash', input: { command: 'echo roses > poem.txt' } }];
  const world = await makeWorld(['Nothing yet.', writes, 'There it is.']);
  const id = await makeFresh(world);
  const run = await dacapo(world, 'run', '--loop', id, '--', '--permission-mode', 'bypassPermissions');
  expect(run.stdout).toMatch(
    /iteration 1 of 50[^]*failed with exit code 1[^]*iteration 2 of 50[^]*completed after 2 iterations/,
  );
  expect(run.code).toBe(0);
  const [first, second] = world.model.requests;
  expect(first?.headers['x-claude-code-session-id']).not.toBe(second?.headers['x-claude-code-session-id']);
  expect(JSON.stringify(second?.body)).toContain('check `test -f poem.txt` failed with exit code 1');
});
