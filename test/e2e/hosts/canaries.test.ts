// What a project brings along does not run before a person has agreed: the real programs, in a project full of canaries.
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { ADAPTERS } from '../../../src/hosts/adapters.ts';
import { dacapo } from '../dacapo.ts';
import { aviary } from './canaries.ts';
import { hostStage, isMissing } from './stage.ts';
import { CHECK, shown, THREE } from './suite.ts';
import type { RigName } from './table.ts';

// The slowest takes four seconds for a start, and several times that on a busy machine.
vi.setConfig({ testTimeout: 150_000 });

/** How its agents may work with nobody there. `asks`: Da Capo asks in the place of the host, which asks nobody. */
const HOSTS: readonly { name: RigName; unattended: string[]; asks: boolean }[] = [
  { name: 'claude-code', unattended: ['--permission-mode', 'bypassPermissions'], asks: true },
  { name: 'codex', unattended: ['--permission-mode', 'danger-full-access'], asks: false },
  { name: 'copilot', unattended: ['--permission-mode', 'allow-all-tools'], asks: false },
  { name: 'droid', unattended: ['--permission-mode', 'high', '--model', 'custom:Scripted-0'], asks: true },
  { name: 'qwen', unattended: ['--permission-mode', 'yolo'], asks: true },
  { name: 'opencode', unattended: [], asks: true },
  { name: 'pi', unattended: ['--model', 'scripted/scripted'], asks: true },
];

describe.each(HOSTS)('$name', ({ name, unattended, asks }) => {
  const run = (...check: string[]) => [
    'run',
    '--host',
    name,
    'Make done.txt',
    ...check,
    '--pause',
    '0',
    ...unattended,
  ];

  test.skipIf(isMissing(name))('runs nothing of a project that nobody has trusted', async () => {
    const stage = await hostStage(name, THREE);
    const { release, heard, remove } = aviary(stage);
    const world = { sandbox: stage };
    // There the person of the sandbox has trusted the project.
    if (name === 'claude-code') stage.merge('.claude.json', { projects: {} });
    release();
    if (asks) {
      const refused = await dacapo(world, ...run(...CHECK));
      expect(refused.stderr).toContain('obody has agreed');
      expect(stage.model.requests).toEqual([]);
      expect(heard()).toEqual([]);
      // What is left is harmless by the table, and so it must be for the program.
      const place = { project: stage.project, env: stage.env, platform: process.platform };
      const brought = ADAPTERS.find((host) => host.name === name)?.headless.brought?.(place);
      remove(brought?.files.map(({ file }) => file) ?? []);
    }
    const ran = await dacapo(world, ...run(...CHECK));
    expect(heard()).toEqual([]);
    expect([ran.code, ran.stderr.slice(-500)]).toEqual([0, expect.any(String)]);
    expect(await shown(stage)).toMatchObject({ status: 'completed' });
  });

  test.skipIf(isMissing(name))('runs nothing that was written after its first pass', async () => {
    const stage = await hostStage(name, ['Nothing yet.']);
    const { release, heard } = aviary(stage);
    const nest = join(stage.root, 'nest');
    release(nest);
    // Run once before the first pass, and once after it.
    const plants = `test -f begun && cp -R '${nest}/.' .; touch begun; false`;
    const world = { sandbox: stage };
    const ran = await dacapo(world, ...run('--check', plants, '--max-iterations', '3'));
    expect(heard()).toEqual([]);
    expect(ran.stderr + ran.stdout).toContain('dacapo trust');
    expect(await shown(stage)).toMatchObject({ status: 'escalated', iteration: 1 });
    expect(stage.model.requests).toHaveLength(1);
    if (!asks) return;
    // Once the person has agreed, it goes on; and the canaries are alive.
    expect((await dacapo(world, 'trust')).code).toBe(0);
    await dacapo(world, 'resume');
    expect(heard()).not.toEqual([]);
  });
});
