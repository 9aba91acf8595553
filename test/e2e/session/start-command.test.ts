/**
 * `dacapo start` with the real host: it chooses the session, lifts the cap, and its exit code tells how the
 * loop ended.
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { CLAUDE } from '../host.ts';
import { DONE, makeWorld, type World } from '../world.ts';

const CLI = fileURLToPath(new URL('../../../dist/cli.cjs', import.meta.url));

/** Headless, by passing `-p` on: in a terminal it is the same command without it. */
function start(world: World, ...words: string[]): Promise<{ code: number | null; stderr: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [CLI, 'start', ...words, '--', '-p', '--verbose'], {
      cwd: world.sandbox.project,
      env: { ...world.sandbox.env, DACAPO_CLAUDE: CLAUDE },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
    child.on('close', (code) => resolve({ code, stderr }));
  });
}

test('a loop in a session of its own, with nothing installed in the project; text-only passes meet no cap', async () => {
  const world = await makeWorld(({ n }) => (n < 9 ? `pass ${n + 1}` : DONE));
  const run = await start(world, 'Count the passes', '--max-iterations', '20', '--max-stalls', 'off');
  expect(run.stderr).toContain('completed after 10 iterations');
  expect(run.stderr).toContain('Limits: at most 20 iterations, 24 h of work; no limit on cost.');
  expect(run.code).toBe(0);
  const [first] = world.model.requests;
  expect(first?.headers['x-claude-code-session-id']).toBe(world.status().session_id);
});

test('a limit that ends it gives its own exit code', async () => {
  const world = await makeWorld(['never done']);
  const run = await start(world, 'Count the passes', '--max-iterations', '2');
  expect(run.stderr).toContain('max iterations reached (2 iterations)');
  expect(run.code).toBe(3);
});
