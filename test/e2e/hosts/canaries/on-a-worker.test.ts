// @module-tag agents
// @module-tag postgres
// What a check plants for its host on a worker does not run there, in the real programs of other hosts. `test/e2e/fleet/canaries.test.ts`
// has the same for Claude Code.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { FleetLoop } from '#fleet/record.ts';
import { makeDatabase } from '../../../fleet/postgres.ts';
import { dacapo } from '../../dacapo.ts';
import { hostStage } from '../stage.ts';
import type { RigName } from '../table.ts';
import { aviary } from './canaries.ts';

/** How its agents may work with nobody there. */
const HOSTS: readonly { name: RigName; unattended: readonly string[] }[] = [
  { name: 'codex', unattended: ['--permission-mode', 'danger-full-access'] },
  { name: 'copilot', unattended: ['--permission-mode', 'allow-all-tools'] },
  { name: 'droid', unattended: ['--permission-mode', 'high', '--model', 'custom:Scripted-0'] },
  { name: 'gemini', unattended: ['--permission-mode', 'yolo', '--model', 'gemini-2.5-flash'] },
  { name: 'qwen', unattended: ['--permission-mode', 'yolo'] },
  { name: 'opencode', unattended: [] },
  { name: 'pi', unattended: ['--model', 'scripted/scripted'] },
];

test(
  'a worker starts no host for which something was planted, before dacapo fleet trust',
  { timeout: 240_000 },
  async () => {
    const [first, ...others] = HOSTS.map(({ name }) => name);
    const stage = await hostStage(first ?? 'codex', () => 'Nothing yet.', ...others);
    const { release, heard } = aviary(stage);
    const nest = join(stage.root, 'nest');
    release(nest);
    const world = { sandbox: stage };
    stage.write('README.md', 'A project.\n');
    const git = (...args: string[]) => execFileSync('git', args, { cwd: stage.project, env: stage.env });
    git('add', '.');
    git('commit', '-qm', 'first');
    stage.env['DACAPO_FLEET'] = (await makeDatabase()).url;
    expect((await dacapo(world, 'fleet', 'init')).code).toBe(0);
    // Run once before the first pass, and once after it.
    const plants = `test -f begun && cp -R '${nest}/.' .; touch begun; false`;
    const asked = ['--repo', stage.project, '--ref', 'HEAD', '--check', plants, '--max-iterations', '2'];
    for (const { name, unattended } of HOSTS)
      await dacapo(world, 'fleet', 'submit', name, '--host', name, ...asked, ...unattended);
    const work = () => dacapo(world, 'worker', '--as-owner', '--capacity', '2', '--until-idle', '1s');
    await work();
    const listed = await dacapo(world, 'fleet', 'list', '--json');
    const stopped: FleetLoop[] = JSON.parse(listed.stdout);
    expect(heard()).toEqual([]);
    for (const { name } of HOSTS) {
      const loop = stopped.find(({ host }) => host === name);
      expect(loop).toMatchObject({ status: 'escalated', iteration: 1 });
      expect(loop?.reason).toContain(`files that ${name} runs or obeys by itself have changed`);
    }
    expect(new Set(stage.model.requests.map(({ host }) => host))).toEqual(new Set([first, ...others]));
    expect(stage.model.requests).toHaveLength(HOSTS.length);

    // Once the person has agreed, it goes on, and the canaries are alive.
    const pi = stopped.find(({ host }) => host === 'pi');
    expect((await dacapo(world, 'fleet', 'trust', pi?.id ?? '')).code).toBe(0);
    await work();
    expect(heard()).toContain('pi-extension');
  },
);
