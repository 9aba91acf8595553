// The real droid of Factory in all of Da Capo, and what only it has: it tells of a prompt in a terminal alone, and calls
// for a stop after a failed turn as well.
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { dacapo } from '../dacapo.ts';
import { startHeadless } from '../headless.ts';
import { hostStage, isMissing } from './stage.ts';
import { CHECK, hostSuite, readySession, shown, type HostCase } from './suite.ts';

const CLI = join(import.meta.dirname, '../../../dist/cli.js');

/** In a terminal, until the loop there is over: droid without one does not tell of its prompt. */
const IN_TERMINAL = `
  sleep 300 | script -qfec "droid \\"$1\\"" /dev/null > /dev/null &
  until node "$0" status --json | grep -qE '"status": "(completed|escalated)"'; do sleep 0.2; done`;

const DROID: HostCase = {
  name: 'droid',
  unattended: ['--permission-mode', 'high', '--model', 'custom:Scripted-0'],
  login: '/login',
  // It waits and asks again itself.
  faults: [],
  refused: 'Da Capo refuses',
  guardByInit: false,
  settings: '.factory/settings.json',
  session: (stage, prompt) => startHeadless('/bin/sh', ['-c', IN_TERMINAL, CLI, prompt], stage),
};

describe.skipIf(isMissing('droid'))('the real droid', () => {
  hostSuite(DROID);

  test('a key that is not accepted is asked once, and a person is needed', async () => {
    const stage = await hostStage('droid', [{ status: 401 }]);
    await dacapo({ sandbox: stage }, 'init', '--host', 'droid', '--scope', 'user');
    await readySession(stage, DROID);
    expect(stage.model.requests).toHaveLength(1);
    expect(await shown(stage)).toMatchObject({ status: 'escalated' });
  });

  test('start brings the hook along', async () => {
    const stage = await hostStage('droid', ['Never.']);
    const start = ['start', '--host', 'droid', 'Make done.txt', ...CHECK, '--dry-run'];
    const { stdout } = await dacapo({ sandbox: stage }, ...start);
    expect(stdout).toMatch(/--settings .*droid\.json .*Make done\.txt/);
  });
});
