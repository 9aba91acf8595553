// @module-tag agents
// The real pi in all of Da Capo.
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { CLI, dacapo } from '../dacapo.ts';
import { startHeadless } from '../headless.ts';
import { openScreen } from '../screen/screen.ts';
import { hostStage } from './stage.ts';
import { CHECK, hostSuite, journal, readySession, shown, THREE, type HostCase } from './suite.ts';

const PI: HostCase = {
  name: 'pi',
  unattended: ['--model', 'scripted/scripted'],
  login: '/login',
  // It waits and asks again itself.
  faults: [],
  refused: 'Da Capo refuses',
  guardByInit: false,
  settings: '.pi/agent/extensions/dacapo.js',
  costs: true,
  session: (stage, prompt, id) => stage.start(prompt, id === undefined ? [] : ['--session', id]).done,
  write: (path, content) => ({ tool: 'write', input: { path, content } }),
};

describe('the real pi', () => {
  hostSuite(PI);

  test('dacapo start opens its screen with the extension, and the loop goes on there', async () => {
    const stage = await hostStage('pi', THREE);
    const start = [
      process.execPath,
      CLI,
      'start',
      '--host',
      'pi',
      'Make done.txt',
      ...CHECK,
      '--',
      '--model',
    ];
    const screen = await openScreen(stage, [], { program: [...start, 'scripted/scripted'], ready: false });
    onTestFinished(screen.kill);
    await screen.waitFor(/completed after 3 iterations/, 40_000);
    expect(stage.model.requests).toHaveLength(4);
    expect(stage.model.requests[1]?.text).toContain('iteration 2');
    expect(await shown(stage)).toMatchObject({ status: 'completed', iteration: 3, tokens: 480 });
  });

  test('our extension by its own command: it goes on, and a turn that fails is told, although pi exits with 0', async () => {
    const stage = await hostStage('pi', [THREE[0], { status: 401 }]);
    const extension = join(import.meta.dirname, '../../../plugin/extensions/pi/dacapo.js');
    await startHeadless(join(stage.root, 'bin', 'pi'), ['install', extension], stage).done;
    const doctor = await dacapo({ sandbox: stage }, 'doctor', '--host', 'pi');
    expect(doctor.stdout).toMatch(/The hook is registered in .*settings\.json/);
    await readySession(stage, PI);
    expect(stage.model.requests[1]?.text).toContain('iteration 2');
    expect(await shown(stage)).toMatchObject({ status: 'escalated' });
    expect(journal(stage).find(({ type }) => type === 'faulted')).toMatchObject({
      detail: expect.stringContaining('401'),
    });
  });
});
