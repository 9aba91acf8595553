// @module-tag agents
// The other ways in which a host is started in a project full of canaries: as a reviewer, and as the host that carries on at a
// usage limit. Codex works: it leaves out what nobody has trusted, so the run itself is not refused.
import { describe, expect, test, vi } from 'vitest';
import { dacapo } from '../../dacapo.ts';
import { hostStage } from '../stage.ts';
import { CHECK, shown } from '../suite.ts';
import type { RigName } from '../table.ts';
import { aviary } from './canaries.ts';

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
    expect(ran.stderr).toContain('obody has agreed');
    expect(heard()).toEqual([]);
    expect(stage.model.requests).toEqual([]);
  });
});
