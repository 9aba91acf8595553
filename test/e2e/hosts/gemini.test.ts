// @module-tag agents
// The real Gemini CLI in all of Da Capo.
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { dacapo, ofKind } from '../dacapo.ts';
import { startHeadless } from '../headless.ts';
import { hostStage } from './stage.ts';
import { CHECK, hostSuite, readySession, runOf, shown, THREE, type HostCase } from './suite.ts';

const GEMINI: HostCase = {
  name: 'gemini',
  // With a model named, it does not ask another one which to take.
  unattended: ['--permission-mode', 'yolo', '--model', 'gemini-2.5-flash'],
  login: '/auth',
  // It waits and asks again itself.
  faults: [],
  refused: 'Da Capo refuses',
  mcp: { add: ['mcp', 'add', 'dacapo', 'dacapo', 'mcp'] },
  guardByInit: true,
  settings: '.gemini/settings.json',
  session: (stage, prompt, id) => stage.start(prompt, id === undefined ? [] : ['--resume', id]).done,
  write: (path, content) => ({ tool: 'write_file', input: { file_path: path, content } }),
};

describe('the real Gemini CLI', () => {
  hostSuite(GEMINI);

  test('a session that exits because its key is refused does not show as running', async () => {
    const stage = await hostStage('gemini', [{ status: 401 }]);
    await dacapo({ sandbox: stage }, 'init', '--host', 'gemini', '--scope', 'user');
    await dacapo({ sandbox: stage }, 'ready', '--host', 'gemini', 'Make done.txt', ...CHECK);
    expect((await GEMINI.session(stage, 'Make done.txt')).code).not.toBe(0);
    expect(await shown(stage)).not.toMatchObject({ status: 'running' });
  });

  test('three iterations with our extension, by its own command', async () => {
    const stage = await hostStage('gemini', THREE);
    const folder = join(import.meta.dirname, '../../../plugin/extensions/gemini');
    const link = ['extensions', 'link', folder, '--consent'];
    await startHeadless(join(stage.root, 'bin', 'gemini'), link, stage, { input: 'y\n' }).done;
    await readySession(stage, GEMINI);
    expect(stage.model.requests[0]?.tools.map(({ name }) => name)).toContain('mcp_dacapo_loop_claim');
    expect(await shown(stage)).toMatchObject({ status: 'completed', iteration: 3 });
  });

  test('its loop detector ends a turn: the loop is interrupted, spends no more, and goes on with the next prompt', async () => {
    const same = 'I have looked at all of it, and nothing is left to do here.';
    const stage = await hostStage('gemini', ({ n }) => (n < 11 ? same : (THREE[n - 9] ?? 'Nothing.')));
    stage.merge('.gemini/settings.json', { model: { disableLoopDetection: false } });
    await dacapo({ sandbox: stage }, 'init', '--host', 'gemini', '--scope', 'user');
    await readySession(stage, GEMINI, '--max-stalls', '20');
    expect(stage.model.requests).toHaveLength(11);
    const { session_id: session, ...cut } = await shown(stage);
    expect(cut).toMatchObject({ status: 'interrupted', iteration: 10 });
    expect(cut).toMatchObject({ reason: expect.stringContaining('model.disableLoopDetection') });
    await GEMINI.session(stage, 'Go on.', session);
    expect(await shown(stage)).toMatchObject({ status: 'completed', iteration: 10 });
  });

  test('in a pass of dacapo run its loop detector ends the pass alone', async () => {
    const stage = await hostStage('gemini', ({ n }) =>
      n < 6 ? { run: 'true' } : (THREE[n - 4] ?? 'Nothing.'),
    );
    stage.merge('.gemini/settings.json', { model: { disableLoopDetection: false } });
    const run = await dacapo({ sandbox: stage }, ...runOf(GEMINI));
    expect(run.code).toBe(0);
    expect(await shown(stage)).toMatchObject({ status: 'completed', iteration: 2 });
  });

  test('a folder that nobody trusts ends the run at once, with what Gemini says', async () => {
    const stage = await hostStage('gemini', ['Never.']);
    delete stage.env['GEMINI_CLI_TRUST_WORKSPACE'];
    const run = await dacapo({ sandbox: stage }, ...runOf(GEMINI));
    expect(ofKind(run, 'ends')).toMatchObject([{ status: 'escalated' }]);
    expect(run.stdout).toContain('trusted');
    expect(stage.model.requests).toEqual([]);
  });
});
