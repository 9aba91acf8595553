// @module-tag agents
// The real OpenCode in all of Da Capo.
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { CLI, dacapo } from '../dacapo.ts';
import { startHeadless } from '../headless.ts';
import { openScreen } from '../screen/screen.ts';
import { until } from '../world.ts';
import { hostStage } from './stage.ts';
import { CHECK, hostSuite, journal, readySession, shown, THREE, type HostCase } from './suite.ts';

// It takes four seconds to start, and several times that on a busy machine.
vi.setConfig({ testTimeout: 150_000 });

const OPENCODE: HostCase = {
  name: 'opencode',
  unattended: [],
  login: 'opencode auth login',
  // It waits and asks again itself.
  faults: [],
  refused: 'Da Capo refuses',
  // Our plugin brings it along.
  mcp: { add: [] },
  guardByInit: false,
  settings: '.config/opencode/plugins/dacapo.js',
  costs: true,
  session: (stage, prompt, id) =>
    stage.start(prompt, id === undefined ? [] : ['--session', id], { timeout: 120_000 }).done,
  write: (path, content) => ({ tool: 'write', input: { filePath: path, content } }),
};

describe('the real OpenCode', () => {
  hostSuite(OPENCODE);

  test('goes on with our plugin, by its own command', async () => {
    const stage = await hostStage('opencode', [THREE[0], { run: 'touch done.txt' }, 'There it is.']);
    const folder = join(import.meta.dirname, '../../../plugin/extensions/opencode');
    const install = ['plugin', '--global', folder];
    const start = () =>
      dacapo({ sandbox: stage }, 'start', '--host', 'opencode', 'Make done.txt', '--dry-run');
    expect((await start()).stderr).toContain('dacapo init --host opencode');
    await startHeadless(join(stage.root, 'bin', 'opencode'), install, stage, { timeout: 60_000 }).done;
    expect((await start()).stdout).toContain('--prompt');
    const doctor = await dacapo({ sandbox: stage }, 'doctor', '--host', 'opencode');
    expect(doctor.stdout).toMatch(/The hook is registered in .*opencode\.json/);
    await readySession(stage, OPENCODE);
    expect(await shown(stage)).toMatchObject({ status: 'completed', iteration: 2 });
  });

  test('dacapo start opens its screen with the prompt, and the loop goes on there', async () => {
    const stage = await hostStage('opencode', THREE);
    await dacapo({ sandbox: stage }, 'init', '--host', 'opencode', '--scope', 'user');
    const start = [process.execPath, CLI, 'start', '--host', 'opencode', 'Make done.txt', ...CHECK];
    const screen = await openScreen(stage, [], { program: start, ready: false });
    onTestFinished(screen.kill);
    await screen.waitFor(/There it is/, 90_000);
    await until(
      () => journal(stage).filter(({ type }) => type === 'verdict').length === 3,
      'the end of the loop',
      20_000,
    );
    expect(stage.model.requests).toHaveLength(4);
    expect(await shown(stage)).toMatchObject({ status: 'completed', iteration: 3, tokens: 480 });
  });
});
