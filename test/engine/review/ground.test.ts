/** What a reviewer's host would obey is not in the copy that the reviewer sees, wherever it lies (U3). */
import { expect, test } from 'vitest';
import { allAdapters } from '#hosts/tables/adapters.ts';
import { PROJECT_FILES } from '#hosts/project/project-files.ts';
import { matchHostFiles } from '#engine/review/ground.ts';

const isForHosts = matchHostFiles(['claude-code']);

test.each([
  'CLAUDE.md',
  'packages/a/CLAUDE.local.md',
  'sub/AGENTS.md',
  'GEMINI.md',
  'QWEN.md',
  '.claude/settings.json',
  '.claude/anything/below',
  'packages/a/.claude/settings.json',
  '.CLAUDE/settings.json',
  'claude.md',
  '.opencode/tools/x.js',
  '.opencode/agent/build.md',
  'opencode.json',
  'opencode.jsonc',
  '.factory/mcp.json',
  '.codex/config.toml',
  '.gemini/settings.json',
  '.qwen/settings.json',
  '.pi/extensions/x.ts',
  '.agents/skills/x/SKILL.md',
  '.github/copilot-instructions.md',
  '.github/hooks/x.json',
  '.mcp.json',
  '.env',
  '.ignore',
  'src/.rgignore',
])('%s is for hosts', (path) => {
  expect(isForHosts(path)).toBe(true);
});

test.each([
  'README.md',
  'src/claude.ts',
  'docs/AGENTS.txt',
  '.github/workflows/ci.yml',
  '.gitignore',
  'env',
  '.env.example',
])('%s is work', (path) => {
  expect(isForHosts(path)).toBe(false);
});

test.each([
  ['DESIGN.md', 'droid'],
  ['docs/design.md', 'droid'],
  ['CONTEXT.md', 'opencode'],
])('%s is for hosts only where %s reviews: it is a document for the others', (path, reviewer) => {
  expect(isForHosts(path)).toBe(false);
  expect(matchHostFiles(['claude-code', reviewer])(path)).toBe(true);
});

test('every host can be kept from changing files, so each can review', () => {
  expect(allAdapters().filter(({ headless }) => headless.readOnly === undefined)).toEqual([]);
});

test('every folder of every host in the table is left out', () => {
  const folders = Object.values(PROJECT_FILES).flatMap((host) => host.folders);
  expect(folders.filter((folder) => !isForHosts(`${folder}/x`) || !isForHosts(`a/b/${folder}/x`))).toEqual(
    [],
  );
});
