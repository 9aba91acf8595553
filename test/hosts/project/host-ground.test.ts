/** The table of what a project brings along for each host, and what the rest of Da Capo reads from it. */
import { describe, expect, it, test } from 'vitest';
import { globs } from '#base/globs.ts';
import { allAdapters } from '#hosts/tables/adapters.ts';
import { classOf, hostFoldersAndInstructions, hostGround } from '#hosts/project/host-ground.ts';
import { PROJECT_FILES } from '#hosts/project/project-files.ts';

test('every host has a table', () => {
  expect(Object.keys(PROJECT_FILES).toSorted()).toEqual(
    allAdapters()
      .map(({ name }) => name)
      .toSorted(),
  );
});

test.each(Object.entries(PROJECT_FILES))(
  'a name in a folder of %s that nobody has named is unknown',
  (_, host) => {
    for (const folder of host.folders)
      expect(classOf(host, `${folder}/something-new.bin`)).not.toBe('harmless');
    expect(classOf(host, 'src/index.ts')).toBeNull();
  },
);

test.each(Object.values(PROJECT_FILES))(
  'keys are named only of files that are foreign without them',
  ({ keys, ...host }) => {
    for (const file of Object.keys(keys)) expect(classOf({ ...host, keys }, file)).toBe('code');
  },
);

describe('the ground of a loop', () => {
  it('holds the files of all hosts, and .env only where the host obeys it', () => {
    const ground = hostGround('pi');
    expect(ground).toEqual(
      expect.arrayContaining(['.claude/settings.json', '.mcp.json', '.factory/mcp.json']),
    );
    expect(ground).toEqual(
      expect.arrayContaining(['.opencode/tools', '.codex/config.toml', 'opencode.json']),
    );
    expect(ground).not.toContain('.env');
    expect(hostGround('gemini')).toContain('.env');
    expect(ground.filter((path) => path.includes('*'))).toEqual([]);
  });
});

describe('a copy that no host obeys', () => {
  const isLeftOut = globs(hostFoldersAndInstructions([]));

  it.each([
    '.claude/settings.json',
    '.claude/worktrees/x',
    '.agents/skills/x/SKILL.md',
    '.github/hooks/x.json',
    '.github/copilot-instructions.md',
    'CLAUDE.md',
    'packages/app/AGENTS.md',
    'QWEN.md',
    '.env',
    '.mcp.json',
    '.opencode/package.json',
    'opencode.jsonc',
  ])('has no %s', (path) => expect(isLeftOut(path)).toBe(true));

  it.each([
    '.github/workflows/ci.yml',
    'src/claude.ts',
    '.env.example',
    'package.json',
    '.vscode/settings.json',
  ])('has %s', (path) => expect(isLeftOut(path)).toBe(false));
});
