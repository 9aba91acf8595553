// The real Gemini CLI in all of Da Capo.
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { dacapo, ofKind } from '../dacapo.ts';
import { startHeadless } from '../headless.ts';
import { hostStage, isMissing } from './stage.ts';
import { hostSuite, readySession, runOf, shown, THREE, type HostCase } from './suite.ts';

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

describe.skipIf(isMissing('gemini'))('the real Gemini CLI', () => {
  hostSuite(GEMINI);

  test('three iterations with our extension, by its own command', async () => {
    const stage = await hostStage('gemini', THREE);
    const folder = join(import.meta.dirname, '../../../plugin/extensions/gemini');
    const link = ['extensions', 'link', folder, '--consent'];
    await startHeadless(join(stage.root, 'bin', 'gemini'), link, stage, { input: 'y\n' }).done;
    await readySession(stage, GEMINI);
    expect(stage.model.requests[0]?.tools.map(({ name }) => name)).toContain('mcp_dacapo_loop_claim');
    expect(await shown(stage)).toMatchObject({ status: 'completed', iteration: 3 });
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
