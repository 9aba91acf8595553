// @module-tag agents
// The real droid of Factory in all of Da Capo, and what only it has: it tells of a prompt in a terminal alone, and calls
// for a stop after a failed turn as well.
import { describe, expect, onTestFinished, test } from 'vitest';
import { dacapo } from '../dacapo.ts';
import { openScreen, type Screen } from '../screen/screen.ts';
import { until } from '../world.ts';
import { hostStage, type HostStage } from './stage.ts';
import { CHECK, hostSuite, journal, readySession, shown, type HostCase } from './suite.ts';

const screens = new WeakMap<HostStage, Screen>();

/** In a terminal, up to the end of the turn: droid without one does not tell of its prompt. */
async function inTerminal(stage: HostStage, prompt: string): Promise<{ code: number }> {
  const ends = () =>
    journal(stage).filter(
      ({ type, verdict }) => type === 'faulted' || (verdict?.is ?? 'continue') !== 'continue',
    );
  const before = ends().length;
  const opened = screens.get(stage);
  const screen = opened ?? (await openScreen(stage, [], { program: ['droid', prompt], ready: false }));
  if (opened === undefined) onTestFinished(screen.kill);
  else await opened.submit(prompt);
  screens.set(stage, screen);
  await until(() => ends().length > before, 'the end of the turn', 50_000);
  // While it is open, droid may write its settings.
  if (ends().at(-1)?.verdict?.is !== 'allow') await screen.kill();
  return { code: 0 };
}

const DROID: HostCase = {
  name: 'droid',
  unattended: ['--permission-mode', 'high', '--model', 'custom:Scripted-0'],
  login: '/login',
  // It waits and asks again itself.
  faults: [],
  refused: 'Da Capo refuses',
  // It loads the tools of servers when they are searched for.
  mcp: {
    add: ['mcp', 'add', 'dacapo', 'dacapo mcp'],
    calls: (tool, input) => [
      { call: { tool: 'ToolSearch', input: { query: `select:dacapo___${tool}` } } },
      { call: { tool, input } },
    ],
  },
  servers: '.factory/mcp.json',
  guardByInit: false,
  settings: '.factory/settings.json',
  write: (path, content) => ({ tool: 'Create', input: { file_path: path, content } }),
  session: inTerminal,
};

describe('the real droid', () => {
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
