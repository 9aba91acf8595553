// The real pi in all of Da Capo.
import { describe, expect, test } from 'vitest';
import { dacapo } from '../dacapo.ts';
import { hostStage, isMissing } from './stage.ts';
import { hostSuite, journal, readySession, shown, type HostCase } from './suite.ts';

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
  session: (stage, prompt) => stage.start(prompt),
};

describe.skipIf(isMissing('pi'))('the real pi', () => {
  hostSuite(PI);

  test('a turn that fails in its own session is told with the status, although pi exits with 0', async () => {
    const stage = await hostStage('pi', [{ status: 401 }]);
    await dacapo({ sandbox: stage }, 'init', '--host', 'pi', '--scope', 'user');
    await readySession(stage, PI);
    expect(await shown(stage)).toMatchObject({ status: 'escalated' });
    expect(journal(stage).find(({ type }) => type === 'faulted')).toMatchObject({
      detail: expect.stringContaining('401'),
    });
  });
});
