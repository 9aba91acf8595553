// @module-tag agents
// @module-tag tmux
// Codex and Copilot ask the person themselves about a folder that nobody has trusted, so `dacapo start` lets them.
import { expect, onTestFinished, test, vi } from 'vitest';
import { CLI } from '../../dacapo.ts';
import { openScreen } from '../../screen/screen.ts';
import { until } from '../../world.ts';
import { THREE } from '../suite.ts';
import { hostStage } from '../stage.ts';
import { aviary } from './canaries.ts';

vi.setConfig({ testTimeout: 90_000 });

test.each(['codex', 'copilot'] as const)(
  'dacapo start --host %s obeys no file of a project before the person has answered the question about trust',
  async (name) => {
    const stage = await hostStage(name, THREE);
    const { release, heard } = aviary(stage);
    release();
    const start = [
      process.execPath,
      CLI,
      'start',
      '--host',
      name,
      'Make done.txt',
      '--check',
      'test -e done.txt',
    ];
    const screen = await openScreen(stage, [], { program: start, ready: false });
    onTestFinished(screen.kill);
    await screen.waitFor(/trust this folder\?|do you trust the files/i, 60_000);
    expect(heard()).toEqual([]);
    expect(stage.model.requests).toEqual([]);
    // The control: the canaries are alive, and sing for a person who agrees. Codex has more questions then.
    if (name === 'codex') return;
    await screen.press('Enter');
    await until(() => heard().length > 0, 'a canary', 30_000);
  },
);
