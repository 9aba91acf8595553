// @module-tag agents
// Names of files that are not in the table of project files, or harmless there, do nothing in the real programs.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { aviary } from './canaries.ts';
import { namesInProgram } from './program-names.ts';
import { hostStage, type HostStage } from '../stage.ts';
import { HOST_RIGS, type RigName } from '../table.ts';
import { harmlessNames, plantNames, unlistedNames, wordOf } from './unlisted.ts';

// Each host starts twice.
vi.setConfig({ testTimeout: 150_000 });

/**
 * A name that is surely in its program, as a control of the search, and one that it obeys, as a control of
 * the canaries. Codex and a part of Copilot are compiled: paths that they join from pieces are not found
 * there, and theirs are from the documentation alone (`canaries.ts`).
 */
const CONTROLS: Readonly<Record<RigName, readonly [inProgram: string, obeyed: string]>> = {
  'claude-code': ['.claude/settings.json', 'CLAUDE.md'],
  codex: ['.codex/config.toml', 'AGENTS.md'],
  copilot: ['.github/hooks', 'AGENTS.md'],
  droid: ['.factory/settings.json', 'AGENTS.md'],
  qwen: ['.qwen/settings.json', 'QWEN.md'],
  gemini: ['.gemini/settings.json', 'GEMINI.md'],
  opencode: ['.opencode/plugins', 'AGENTS.md'],
  pi: ['.pi/settings.json', 'AGENTS.md'],
};

/** Everything that the model has been told. */
const told = ({ model }: HostStage): string =>
  JSON.stringify([...model.requests, ...model.side].map(({ body }) => body));

describe.each(Object.keys(HOST_RIGS) as RigName[])('%s', (name) => {
  test('obeys no file that its program names and our table does not', async () => {
    const stage = await hostStage(name, ['Nothing to do.']);
    const cage = aviary(stage);
    const [inProgram, obeyed] = CONTROLS[name];
    plantNames(stage, cage, [obeyed]);
    await stage.start('Say hi.').done;
    expect(told(stage).includes(wordOf(obeyed))).toBe(true);
    rmSync(join(stage.project, obeyed));

    expect(namesInProgram(name)).toContain(inProgram);
    const names = [...unlistedNames(name), ...harmlessNames(name)];
    plantNames(stage, cage, names);
    await stage.start('Say hello.').done;
    expect(told(stage).includes('Say hello.')).toBe(true);
    expect(names.filter((one) => told(stage).includes(wordOf(one)))).toEqual([]);
    expect(cage.heard()).toEqual([]);
  });
});
