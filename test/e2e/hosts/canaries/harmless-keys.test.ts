// @module-tag agents
// Settings that the table of project files calls harmless: with a command in each, nothing runs in the real program. A
// setting beside them that does run something shows that the program has read the file.
import { describe, expect, test, vi } from 'vitest';
import { PROJECT_FILES } from '#hosts/project/project-files.ts';
import { aviary, type Aviary } from './canaries.ts';
import { hostStage } from '../stage.ts';
import type { RigName } from '../table.ts';

vi.setConfig({ testTimeout: 150_000 });

type Value = (command: string, url: string) => unknown;

const text: Value = (command) => command;
const list: Value = (command) => [command];
const fields: Value = (command) => ({ type: 'command', command, text: command });
/** The program takes no text there: a file with one is left out as a whole. */
const yes: Value = () => true;

/** Key by key, in a form in which the program takes it. */
const CLAUDE: Readonly<Record<string, Value>> = {
  $schema: (_, url) => url,
  model: text,
  fallbackModel: list,
  effortLevel: text,
  maxEffortLevel: text,
  alwaysThinkingEnabled: yes,
  language: text,
  outputStyle: text,
  respectGitignore: yes,
  cleanupPeriodDays: () => 5,
  attribution: (command) => ({ commit: command, pr: command }),
  includeCoAuthoredBy: yes,
  includeGitInstructions: yes,
  companyAnnouncements: list,
  spinnerTipsEnabled: yes,
  spinnerVerbs: (command) => ({ mode: 'replace', verbs: [command] }),
  spinnerTipsOverride: (command) => ({ tips: [command] }),
  viewMode: text,
  maxProseWidth: text,
  spellcheck: fields,
  syntaxHighlightingDisabled: yes,
  disabledMcpjsonServers: list,
  deniedMcpServers: list,
  disableWorkflows: yes,
  disableSkillShellExecution: yes,
  disableClaudeAiConnectors: yes,
  disableBundledSkills: yes,
  promptSuggestionEnabled: yes,
  emojiCompletionEnabled: yes,
  awaySummaryEnabled: yes,
  breakReminder: fields,
  quietHours: fields,
};

const OPENCODE: Readonly<Record<string, Value>> = {
  $schema: (_, url) => url,
  theme: text,
  keybinds: (command) => ({ leader: command }),
  // A text that names no provider ends it.
  model: () => 'scripted/scripted',
  small_model: text,
};

const hook = ({ sings }: Aviary) => ({
  hooks: { SessionStart: [{ hooks: [{ type: 'command', command: sings('control') }] }] },
});
/** It ends at once: its host would wait half a minute for a server that says nothing. */
const mcp = ({ sings }: Aviary) => ({
  mcp: { x: { type: 'local', command: ['sh', '-c', sings('control')] } },
});

interface Tried {
  readonly name: RigName;
  readonly files: readonly string[];
  readonly values: Readonly<Record<string, Value>>;
  readonly control: (cage: Aviary) => object;
  /** Behind its usual words. */
  readonly more?: readonly string[];
}

const TRIED: readonly Tried[] = [
  {
    name: 'claude-code',
    files: ['.claude/settings.json', '.claude/settings.local.json'],
    values: CLAUDE,
    control: hook,
  },
  {
    name: 'copilot',
    files: ['.claude/settings.json', '.claude/settings.local.json'],
    values: CLAUDE,
    control: hook,
    more: ['--trust-folder'],
  },
  {
    name: 'qwen',
    files: ['.qwen/settings.json'],
    values: { stopHookBlockingCap: text, $version: text },
    control: hook,
  },
  {
    name: 'opencode',
    files: ['opencode.json', 'opencode.jsonc', '.opencode/opencode.json', '.opencode/opencode.jsonc'],
    values: OPENCODE,
    control: mcp,
  },
  {
    name: 'pi',
    files: ['.pi/settings.json'],
    values: { theme: text },
    control: () => ({ extensions: ['../control.ts'] }),
  },
];

describe.each(TRIED)('$name', ({ name, files, values, control, more }) => {
  test.each(files)('%s: every key that the table calls harmless is tried here', (file) => {
    expect(PROJECT_FILES[name]?.keys[file]?.toSorted()).toEqual(Object.keys(values).toSorted());
  });

  test.each(files)('%s: none of them runs or sends anything', async (file) => {
    const stage = await hostStage(name, ['Nothing to do.']);
    const cage = aviary(stage);
    const key = (one: string) => `sh -c "${cage.sings(`key-${one}`)}"`;
    const settings = Object.entries(values).map(([one, value]) => [one, value(key(one), cage.elsewhere)]);
    stage.write('control.ts', `${cage.program('control')}export default () => {};\n`);
    stage.write(file, JSON.stringify({ ...Object.fromEntries(settings), ...control(cage) }));
    await stage.start('Say hi.', more).done;
    expect(stage.model.requests.length).toBeGreaterThan(0);
    expect(cage.heard()).toEqual(['control']);
  });
});

/**
 * Where each host finds a skill. Its list of skills, which the model is told, shows that it has read the
 * file.
 */
const SKILLS: readonly (readonly [name: RigName, folder: string])[] = [
  ['claude-code', '.claude/skills'],
  ['codex', '.agents/skills'],
  ['copilot', '.github/skills'],
  ['droid', '.factory/skills'],
  ['qwen', '.qwen/skills'],
  ['gemini', '.gemini/skills'],
  ['opencode', '.opencode/skill'],
  ['pi', '.pi/skills'],
];

/** Some programs leave out a skill whose front matter is not as they know it. */
const TYPED: Readonly<Record<string, Value>> = {
  name: () => 'canary-skill',
  description: (command) => `canary-words ${command}`,
  metadata: (command) => ({ author: command }),
  tags: list,
  'user-invocable': yes,
  'disable-model-invocation': () => false,
  'keep-coding-instructions': yes,
};

test.each(SKILLS)(
  '%s: no key of front matter that the table calls harmless runs anything',
  async (name, folder) => {
    const stage = await hostStage(name, ['Nothing to do.']);
    const cage = aviary(stage);
    const keys = PROJECT_FILES[name]?.frontMatter ?? [];
    const line = (key: string) => {
      const command = `sh -c '${cage.sings(`matter-${key}`)}'`;
      return `${key}: ${JSON.stringify((TYPED[key] ?? text)(command, cage.elsewhere))}\n`;
    };
    // A skill for some paths is shown only once the agent has been there.
    const always = keys.filter((key) => key !== 'paths').map(line);
    stage.write(`${folder}/canary-skill/SKILL.md`, `---\n${always.join('')}---\nHi.\n`);
    stage.write(`${folder}/other-skill/SKILL.md`, `---\nname: other-skill\n${line('paths')}---\nHi.\n`);
    await stage.start('Say hi.').done;
    const told = JSON.stringify(stage.model.requests.map(({ body }) => body));
    expect(told.includes('canary-words')).toBe(true);
    expect(cage.heard()).toEqual([]);
  },
);

test('the other hosts have no settings of a project that need no agreement', () => {
  const tried = new Set<string>(TRIED.flatMap(({ name, files }) => files.map((file) => `${name} ${file}`)));
  const harmless = Object.entries(PROJECT_FILES).flatMap(([name, { keys }]) =>
    Object.entries(keys).flatMap(([file, names]) => (names.length > 0 ? [`${name} ${file}`] : [])),
  );
  expect(harmless.filter((one) => !tried.has(one))).toEqual([]);
});
