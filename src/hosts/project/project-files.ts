/**
 * What a project brings along for each host: every file and folder that the host reads by itself there.
 * Trust, the guard, the clean copy for reviewers and the look before each pass read this one table.
 *
 * A name below a folder of a host that no line names is foreign: nobody has agreed to it, whatever it may do.
 * A file or a key is `harmless` only if its canary did nothing in the program itself. Names that a program
 * has and this table lacks get a canary, too (`test/e2e/hosts/canaries`).
 */

/**
 * `code`: the host runs it, or a program that it names. `sends`: it says where requests and keys go.
 * `permissions`: it says what the agent may do. `instructions`: words for the agent, which run nothing by
 * themselves. `harmless`: none of these.
 */
export type FileClass = 'code' | 'sends' | 'permissions' | 'instructions' | 'harmless';

export interface ProjectFiles {
  /** The host's own folders in a project. What nobody has named below them is foreign. */
  readonly folders: readonly string[];
  /** By pattern, from the project's root. Of several that match, the last decides. */
  readonly files: Readonly<Record<string, FileClass>>;
  /**
   * JSON files: the keys that do nothing. Any other key is foreign, except for the hooks of Da Capo itself.
   */
  readonly keys: Readonly<Record<string, readonly string[]>>;
  /** Keys that do nothing in the front matter of its instructions. */
  readonly frontMatter: readonly string[];
}

/** How a copy is called that `dacapo init` leaves beside settings. No host reads it. */
export const BACKUP_ENDING = '.before-dacapo';

const words = (line: string): readonly string[] => line.trim().split(/\s+/);

/** Instructions that several hosts read, in any folder of the project. */
const AGENTS_FILE = { '**/AGENTS.md': 'instructions', '**/AGENTS.override.md': 'instructions' } as const;
const DESIGN_FILE = '**/{DESIGN,Design,design}.md';
const CONTEXT_FILE = '**/CONTEXT.md';
/**
 * Instructions for one host, and documents of the project for everybody else: a reviewer of another host sees
 * them.
 */
export const DOCUMENTS: readonly string[] = [DESIGN_FILE, CONTEXT_FILE];
/** Each key of it is told by name. */
const SERVERS = { '.mcp.json': [] } as const;
const SKILLS = { '.agents/skills/**/*.md': 'instructions' } as const;
const CLAUDE_SKILLS = { '.claude/skills/**/*.md': 'instructions' } as const;

/** They name a text, and say how it is offered. */
const NAMES = words('name description title color license version tags author metadata argument-hint');
const MODELS = words('model effort');

/** Settings of Claude Code that only say how it looks, speaks or counts. */
const CLAUDE_KEYS = words(`$schema model fallbackModel effortLevel maxEffortLevel alwaysThinkingEnabled
  language outputStyle respectGitignore cleanupPeriodDays attribution includeCoAuthoredBy
  includeGitInstructions companyAnnouncements spinnerTipsEnabled spinnerVerbs spinnerTipsOverride viewMode
  maxProseWidth spellcheck syntaxHighlightingDisabled disabledMcpjsonServers deniedMcpServers
  disableWorkflows disableSkillShellExecution disableClaudeAiConnectors disableBundledSkills
  promptSuggestionEnabled emojiCompletionEnabled awaySummaryEnabled breakReminder quietHours`);

export const PROJECT_FILES: Readonly<Record<string, ProjectFiles>> = {
  'claude-code': {
    folders: ['.claude'],
    files: {
      ...AGENTS_FILE,
      '**/CLAUDE.md': 'instructions',
      '.mcp.json': 'code',
      '.claude/*.md': 'instructions',
      '.claude/{agents,commands,skills,rules,output-styles}/**/*.md': 'instructions',
      '.claude/settings.json': 'code',
      '.claude/settings.local.json': 'code',
      // Its own work trees are projects of their own.
      '.claude/worktrees': 'harmless',
      // State files of loops, which Da Capo reads with a reader of its own, and what a kill left of one.
      '.claude/*.local.md': 'harmless',
      '.claude/.{ralph-loop,idle-loop}*.local.md.*.tmp': 'harmless',
      '**/CLAUDE.local.md': 'instructions',
      '.claude/data': 'harmless',
    },
    keys: { ...SERVERS, '.claude/settings.json': CLAUDE_KEYS, '.claude/settings.local.json': CLAUDE_KEYS },
    frontMatter: [
      ...NAMES,
      ...MODELS,
      ...words(
        'tools disallowedTools user-invocable disable-model-invocation when_to_use paths ' +
          'keep-coding-instructions',
      ),
    ],
  },
  codex: {
    folders: ['.codex'],
    files: {
      ...AGENTS_FILE,
      ...SKILLS,
      '.agents/plugins': 'code',
      '.codex/config.toml': 'code',
      '.codex/hooks.json': 'code',
      '.codex/agents': 'code',
      '.codex/rules': 'permissions',
      '.codex/skills/**/*.md': 'instructions',
      '.codex/prompts/*.md': 'instructions',
    },
    keys: { '.codex/hooks.json': [] },
    frontMatter: NAMES,
  },
  copilot: {
    // `.github` belongs to others, too: of it, only what is named here.
    folders: ['.github/copilot', '.github/hooks', '.github/extensions', '.copilot'],
    files: {
      ...AGENTS_FILE,
      ...SKILLS,
      ...CLAUDE_SKILLS,
      '**/CLAUDE.md': 'instructions',
      '**/GEMINI.md': 'instructions',
      // It reads these names in any spelling.
      '**/{Agents,agents,Claude,claude,Gemini,gemini}.md': 'instructions',
      '.claude/rules/**/*.md': 'instructions',
      '.claude/settings.json': 'code',
      '.claude/settings.local.json': 'code',
      '.mcp.json': 'code',
      '.vscode/mcp.json': 'code',
      '.github/mcp.json': 'code',
      '.github/lsp.json': 'code',
      '.github/hooks': 'code',
      '.github/extensions': 'code',
      '.github/copilot': 'code',
      // With it, a project can leave one model to choose.
      '.github/allowed_models.txt': 'permissions',
      '.github/copilot-instructions.md': 'instructions',
      '.github/{agents,instructions,prompts,skills}/**/*.md': 'instructions',
    },
    keys: {
      ...SERVERS,
      '.github/hooks/dacapo.json': [],
      '.claude/settings.json': CLAUDE_KEYS,
      '.claude/settings.local.json': CLAUDE_KEYS,
    },
    frontMatter: [...NAMES, ...MODELS, 'applyTo', 'tools'],
  },
  droid: {
    folders: ['.factory'],
    files: {
      ...AGENTS_FILE,
      ...SKILLS,
      ...CLAUDE_SKILLS,
      '**/{CLAUDE,Claude,Agents,agents}.md': 'instructions',
      [DESIGN_FILE]: 'instructions',
      '.claude/agents/**/*.md': 'instructions',
      '.claude/commands/**/*.md': 'instructions',
      '.mcp.json': 'code',
      '.factory/settings.json': 'code',
      '.factory/settings.local.json': 'code',
      '.factory/hooks.json': 'code',
      '.factory/hooks': 'code',
      '.factory/mcp.json': 'code',
      '.factory/mcp.local.json': 'code',
      '.factory/plugins': 'code',
      '.factory/{commands,droids,skills,rules,docs,memories}/**/*.md': 'instructions',
      '.factory/*.md': 'instructions',
    },
    keys: { ...SERVERS, '.factory/mcp.json': [], '.factory/settings.json': [] },
    frontMatter: [...NAMES, 'model', 'tools'],
  },
  qwen: {
    folders: ['.qwen'],
    files: {
      ...AGENTS_FILE,
      ...SKILLS,
      '**/QWEN.md': 'instructions',
      '.env': 'sends',
      '.qwen/.env': 'sends',
      '.mcp.json': 'code',
      '.lsp.json': 'code',
      '.qwenignore': 'harmless',
      '.qwen/settings.json': 'code',
      '.qwen/extensions': 'code',
      '.qwen/workflows': 'code',
      '.qwen/*.md': 'instructions',
      '.qwen/{agents,commands,skills,team-memory}/**/*.md': 'instructions',
    },
    // A cap on stops, which we set ourselves, and what it writes itself.
    keys: { ...SERVERS, '.qwen/settings.json': ['stopHookBlockingCap', '$version'] },
    frontMatter: [...NAMES, 'model'],
  },
  gemini: {
    folders: ['.gemini'],
    files: {
      ...AGENTS_FILE,
      ...SKILLS,
      '**/GEMINI.md': 'instructions',
      '.env': 'sends',
      '.gemini/.env': 'sends',
      '.geminiignore': 'harmless',
      '.gemini/settings.json': 'code',
      '.gemini/extensions': 'code',
      '.gemini/policies': 'permissions',
      '.gemini/*.md': 'instructions',
      '.gemini/skills/**/*.md': 'instructions',
    },
    keys: { '.gemini/settings.json': [] },
    frontMatter: NAMES,
  },
  opencode: {
    folders: ['.opencode'],
    files: {
      ...AGENTS_FILE,
      ...SKILLS,
      ...CLAUDE_SKILLS,
      '**/CLAUDE.md': 'instructions',
      [CONTEXT_FILE]: 'instructions',
      'opencode.json': 'code',
      'opencode.jsonc': 'code',
      '.opencode/opencode.json': 'code',
      '.opencode/opencode.jsonc': 'code',
      '.opencode/{plugin,plugins,tool,tools}': 'code',
      '.opencode/{agent,agents,command,commands,mode,modes,skill,skills}/**/*.md': 'instructions',
      '.opencode/themes': 'harmless',
      // It installs its own package there, and runs none of their scripts. A tool that loads one is code
      // itself.
      '.opencode/{node_modules,package.json,package-lock.json,bun.lock,.gitignore}': 'harmless',
    },
    keys: Object.fromEntries(
      ['opencode.json', 'opencode.jsonc', '.opencode/opencode.json', '.opencode/opencode.jsonc'].map(
        (file) => [file, words('$schema theme keybinds model small_model')],
      ),
    ),
    // Not `tools`: here it allows them.
    frontMatter: [...NAMES, 'model', 'temperature'],
  },
  pi: {
    folders: ['.pi'],
    files: {
      ...AGENTS_FILE,
      ...SKILLS,
      '**/CLAUDE.md': 'instructions',
      '.pi/settings.json': 'code',
      '.pi/extensions': 'code',
      '.pi/themes': 'harmless',
      '.pi/*.md': 'instructions',
      '.pi/{prompts,skills}/**/*.md': 'instructions',
    },
    keys: { '.pi/settings.json': ['theme'] },
    frontMatter: [...NAMES, 'disable-model-invocation'],
  },
};
