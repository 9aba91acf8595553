// @module-tag agents
// The other ways in which a host is started in a project full of canaries: as a reviewer, and as the host that carries on at a
// usage limit. Codex works: it leaves out what nobody has trusted, so the run itself is not refused.
import { describe, expect, test, vi } from 'vitest';
import { claudeCodeAdapter } from '#hosts/claude-code/adapter.ts';
import { dacapo, UNATTENDED } from '../../dacapo.ts';
import { hostStage } from '../stage.ts';
import { CHECK, shown } from '../suite.ts';
import type { RigName } from '../table.ts';
import { limited, subscribe } from '../usage-limit.ts';
import { aviary, type Aviary } from './canaries.ts';

// The slowest takes four seconds for a start, and several times that on a busy machine.
vi.setConfig({ testTimeout: 150_000 });

const OTHERS: readonly RigName[] = ['claude-code', 'copilot', 'droid', 'qwen', 'gemini', 'opencode', 'pi'];
/** It leaves out by itself what nobody has trusted, as Codex does. */
const ASKS_NOBODY: readonly RigName[] = ['copilot'];
const usage = { input: 100, output: 20 };
const APPROVES = { text: '{"approve": true, "missing": [], "seen": ["done.txt:1"]}', usage };

async function staged(other: RigName) {
  const stage = await hostStage(
    'codex',
    ({ host, text }) => {
      if (host === other) return APPROVES;
      return text.includes('Make done.txt') ? { run: 'echo done > done.txt', usage } : 'There it is.';
    },
    other,
  );
  // The person of the sandbox has trusted the project in the dialog of one host.
  stage.merge('.claude.json', { projects: {} });
  return { ...aviary(stage), stage, world: { sandbox: stage } };
}

const runWith = (...flags: string[]) => [
  ...'run --host codex --pause 0 --permission-mode danger-full-access'.split(' '),
  ...flags,
  'Make done.txt',
  ...CHECK,
];

describe.each(OTHERS)('%s', (other) => {
  test('as a reviewer obeys no file of the project', async () => {
    const { stage, release, heard, world } = await staged(other);
    release();
    const named = other === 'pi' ? 'pi:scripted/scripted' : other;
    const ran = await dacapo(world, ...runWith('--review', named));
    expect(heard()).toEqual([]);
    expect(ran.code).toBe(0);
    expect(stage.model.requests.filter(({ host }) => host === other).length).toBeGreaterThan(0);
    expect(await shown(stage)).toMatchObject({ status: 'completed' });
  });
});

describe.each(OTHERS.filter((other) => !ASKS_NOBODY.includes(other)))('%s', (other) => {
  test('as a fallback is refused before the run begins', async () => {
    const { stage, release, heard, world } = await staged(other);
    release();
    const ran = await dacapo(world, ...runWith('--fallback-host', other));
    expect(ran.stderr).toContain('have not agreed yet');
    expect(heard()).toEqual([]);
    expect(stage.model.requests).toEqual([]);
  });
});

describe('Copilot, which leaves out by itself what nobody has trusted', () => {
  const fallsBack = [
    ...'run --host claude-code --pause 0 --fallback-host copilot Make'.split(' '),
    ...CHECK,
    ...UNATTENDED,
  ];
  /** `atLimit`: comes when Claude Code is at its limit, just before Copilot would start. */
  const limitedStage = async (atLimit: (cage: Aviary) => void) => {
    const stage = await hostStage(
      'claude-code',
      ({ host, n }) => {
        if (host === 'copilot') return n === 0 ? { run: 'touch done.txt', usage } : 'There it is.';
        atLimit(cage);
        return limited(3_600);
      },
      'copilot',
    );
    const cage = aviary(stage);
    subscribe(stage);
    // Any word but `true`, with which it trusts every folder as well.
    stage.env['COPILOT_ALLOW_ALL'] = '1';
    return { ...cage, stage, world: { sandbox: stage } };
  };

  test('as a fallback starts in a project that was so from the start, and runs nothing of it', async () => {
    const { stage, release, remove, heard, world } = await limitedStage(() => undefined);
    release();
    const place = { project: stage.project, env: stage.env, platform: process.platform };
    // What is left is for other hosts.
    remove(claudeCodeAdapter.headless.brought?.(place)?.files.map(({ file }) => file) ?? []);
    const ran = await dacapo(world, ...fallsBack);
    expect(ran.stdout + ran.stderr).toContain('copilot takes over');
    expect(heard()).toEqual([]);
    expect(await shown(stage)).toMatchObject({ status: 'completed', host: 'copilot' });
  });

  test.each(['run --host copilot', 'run --host codex --fallback-host copilot', 'start --host copilot'])(
    '%s is refused where a variable makes it trust every folder',
    async (command) => {
      const stage = await hostStage('copilot', ['Nothing.'], 'codex');
      const { release, heard } = aviary(stage);
      release();
      stage.env['COPILOT_ALLOW_ALL'] = 'true';
      const ran = await dacapo({ sandbox: stage }, ...command.split(' '), 'Make done.txt', ...CHECK);
      expect(ran.stderr).toContain('have not agreed yet');
      expect(heard()).toEqual([]);
      expect(stage.model.requests).toEqual([]);
    },
  );

  test('as a fallback is not started with files that were planted since', async () => {
    const { stage, heard, world } = await limitedStage(({ release }) => release());
    const ran = await dacapo(world, ...fallsBack);
    expect(ran.stdout + ran.stderr).toContain('files that copilot runs or obeys by itself have changed');
    expect(heard()).toEqual([]);
    expect(stage.model.requests.filter(({ host }) => host === 'copilot')).toEqual([]);
    expect(await shown(stage)).toMatchObject({ status: 'escalated' });
  });
});
