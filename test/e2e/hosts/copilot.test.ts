// @module-tag agents
// The real GitHub Copilot CLI in all of Da Capo, and what only it has: a cap on blocks that nothing lifts.
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { dacapo } from '../dacapo.ts';
import { startHeadless } from '../headless.ts';
import { until } from '../world.ts';
import { hostStage, type HostStage } from './stage.ts';
import { CHECK, hostSuite, journal, readySession, shown, THREE, type HostCase } from './suite.ts';

const COPILOT: HostCase = {
  name: 'copilot',
  unattended: ['--permission-mode', 'allow-all-tools'],
  login: 'copilot login',
  // It waits and asks again itself.
  faults: [],
  refused: 'Denied by preToolUse hook: Da Capo refuses',
  mcp: { add: ['mcp', 'add', 'dacapo', '--', 'dacapo', 'mcp'] },
  guardByInit: false,
  asks: true,
  settings: '.copilot/hooks/dacapo.json',
  session: (stage, prompt, id) => stage.start(prompt, id === undefined ? [] : ['--resume', id]).done,
  write: (path, file_text) => ({ tool: 'create', input: { path, file_text } }),
};

const vendor = (stage: HostStage, ...args: string[]) =>
  startHeadless(join(stage.root, 'bin', 'copilot'), args, stage).done;

describe('the real GitHub Copilot CLI', () => {
  hostSuite(COPILOT);

  test('three iterations with our plugin, by its own command, with the tools for agents', async () => {
    const stage = await hostStage('copilot', THREE);
    await vendor(stage, 'plugin', 'marketplace', 'add', join(import.meta.dirname, '../../..'));
    await vendor(stage, 'plugin', 'install', 'dacapo@dacapo');
    await readySession(stage, COPILOT);
    expect(stage.model.requests[0]?.tools.map(({ name }) => name)).toContain('dacapo-loop_claim');
    expect(await shown(stage)).toMatchObject({ status: 'completed', iteration: 3 });
  });

  test('beyond its cap of eight blocks the loop waits, and goes on in the same session', async () => {
    const stage = await hostStage('copilot', ({ n }) =>
      n < 9 ? `Not yet, ${n}.` : (THREE[n - 7] ?? 'Done.'),
    );
    const world = { sandbox: stage };
    await dacapo(world, 'init', '--host', 'copilot', '--scope', 'user');
    await readySession(stage, COPILOT);
    expect(stage.model.requests).toHaveLength(9);
    // Copilot does not wait for the hook that hears of its end.
    await until(() => journal(stage).some(({ type }) => type === 'interrupted'), 'the end of the session');
    const { session_id: session } = await shown(stage);
    expect((await dacapo(world, 'resume')).stdout).toContain(session);
    await vendor(stage, '--resume', session, '-p', 'Go on.', '--allow-all-tools');
    expect(await shown(stage)).toMatchObject({ status: 'completed' });
  });

  test('start opens a session with the prompt, and brings the hook along', async () => {
    const stage = await hostStage('copilot', ['Never.']);
    const start = ['start', '--host', 'copilot', 'Make done.txt', ...CHECK, '--dry-run'];
    const { stdout } = await dacapo({ sandbox: stage }, ...start);
    expect(stdout).toMatch(/--plugin-dir .*plugin .*--interactive=/);
  });
});
