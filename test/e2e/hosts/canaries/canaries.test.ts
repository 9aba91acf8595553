// @module-tag agents
// What a project brings along does not run before a person has agreed: the real programs, in a project full of canaries.
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { allAdapters } from '#hosts/tables/adapters.ts';
import { dacapo } from '../../dacapo.ts';
import { aviary } from './canaries.ts';
import type { Script } from '../script.ts';
import { hostStage } from '../stage.ts';
import { CHECK, shown, THREE } from '../suite.ts';
import type { RigName } from '../table.ts';

// The slowest takes four seconds for a start, and several times that on a busy machine.
vi.setConfig({ testTimeout: 150_000 });

/**
 * How its agents may work with nobody there. `asks`: Da Capo asks in the place of the host, which asks
 * nobody.
 */
const HOSTS: readonly { name: RigName; unattended: string[]; asks: boolean }[] = [
  { name: 'claude-code', unattended: ['--permission-mode', 'bypassPermissions'], asks: true },
  { name: 'codex', unattended: ['--permission-mode', 'danger-full-access'], asks: false },
  { name: 'copilot', unattended: ['--permission-mode', 'allow-all-tools'], asks: false },
  { name: 'droid', unattended: ['--permission-mode', 'high', '--model', 'custom:Scripted-0'], asks: true },
  { name: 'qwen', unattended: ['--permission-mode', 'yolo'], asks: true },
  {
    name: 'gemini',
    unattended: ['--permission-mode', 'yolo', '--model', 'gemini-2.5-flash'],
    asks: true,
  },
  { name: 'opencode', unattended: [], asks: true },
  { name: 'pi', unattended: ['--model', 'scripted/scripted'], asks: true },
];

const runOf = ({ name, unattended }: (typeof HOSTS)[number], ...check: string[]) => [
  ...'run --pause 0 --host'.split(' '),
  name,
  'Make done.txt',
  ...check,
  ...unattended,
];

async function canaryStage(name: RigName, script: Script) {
  const stage = await hostStage(name, script);
  return { ...aviary(stage), stage, world: { sandbox: stage } };
}

describe.each(HOSTS.filter(({ asks }) => asks))('$name', (host) => {
  test('is not even started before a person has agreed', async () => {
    const { stage, release, heard, world } = await canaryStage(host.name, THREE);
    // The person of the sandbox has trusted the project in the dialog of one host.
    if (host.name === 'claude-code') stage.merge('.claude.json', { projects: {} });
    release();
    expect((await dacapo(world, ...runOf(host, ...CHECK))).stderr).toContain('have not agreed yet');
    expect((await dacapo(world, 'start', '--host', host.name, 'Make done.txt')).code).toBe(1);
    expect(stage.model.requests).toEqual([]);
    expect(heard()).toEqual([]);
  });
});

describe.each(HOSTS)('$name', (host) => {
  const { name, asks } = host;

  test('runs nothing of what needs no agreement, or leaves the rest out', async () => {
    const { stage, release, heard, remove, world } = await canaryStage(name, THREE);
    release();
    const place = { project: stage.project, env: stage.env, platform: process.platform };
    const brought = allAdapters()
      .find((one) => one.name === name)
      ?.headless.brought?.(place);
    // What is left is harmless by the table, and so it must be for the program.
    if (asks) remove(brought?.files.map(({ file }) => file) ?? []);
    await dacapo(world, ...runOf(host, ...CHECK));
    expect(heard()).toEqual([]);
    expect(await shown(stage)).toMatchObject({ status: 'completed' });
  });

  test('runs nothing that was written after its first pass', async () => {
    const { stage, release, heard, world } = await canaryStage(name, ['Nothing yet.']);
    const nest = join(stage.root, 'nest');
    release(nest);
    // Run once before the first pass, and once after it.
    const plants = `test -f begun && cp -R '${nest}/.' .; touch begun; false`;
    const ran = await dacapo(world, ...runOf(host, '--check', plants, '--max-iterations', '3'));
    expect(heard()).toEqual([]);
    expect(ran.stderr + ran.stdout).toContain('dacapo trust');
    expect(await shown(stage)).toMatchObject({ status: 'escalated', iteration: 1 });
    expect(stage.model.requests).toHaveLength(1);
    // Once the person has agreed, it goes on, and the canaries are alive. Some hosts want a word of their
    // own.
    await dacapo(world, 'trust');
    await dacapo(world, 'resume');
    expect(heard().length > 0 || !asks).toBe(true);
  });
});
