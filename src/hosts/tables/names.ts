/** What hosts are called, and where their files are. It loads no adapter. */
import { join } from 'node:path';
import { CLAUDE_CODE, PROJECT_VARIABLE } from '../claude-code/names.ts';
import type { Environment } from '../port/arrival.ts';

export interface HostNames {
  readonly name: string;
  readonly title: string;
  /** The word that starts it in a terminal. */
  readonly word: string;
  /** A tool as `--allowed-tools` takes it, for examples. */
  readonly tool: string;
  /** The command of an agent that speaks a protocol, word by word. Absent: it is started by its word. */
  readonly starts?: readonly [string, ...string[]];
  /** The variables that it sets in every shell of its agent. */
  readonly signs: readonly string[];
  /** All variables that it sets for the processes that it starts, and that mean something to hosts only. */
  readonly own: RegExp;
}

/** With the places where it keeps what decides how it runs our hooks, and what it records of its sessions. */
export interface OtherNames extends HostNames {
  /** Its folder of this person, and the name of its folder in a project. */
  readonly home: (env: Environment) => string;
  readonly folder: string;
  /**
   * In the person's folder: settings, hooks, and where more hooks come from. Of a project:
   * `project-files.ts`.
   */
  readonly ground: readonly string[];
  /** In the person's folder. */
  readonly sessions: string;
  /** The variable that names the session in every shell of its agent. Absent: none does. */
  readonly session?: string;
}

function inHome(env: Environment, ...folder: string[]): string {
  return join(env['HOME'] ?? env['USERPROFILE'] ?? '', ...folder);
}

export const CODEX: OtherNames = {
  name: 'codex',
  title: 'Codex',
  word: 'codex',
  tool: 'Bash(npm test)',
  signs: ['CODEX_THREAD_ID'],
  session: 'CODEX_THREAD_ID',
  own: /^CODEX_(?!HOME$)/,
  home: (env) => env['CODEX_HOME'] || inHome(env, '.codex'),
  folder: '.codex',
  ground: ['hooks.json', 'config.toml', 'plugins'],
  sessions: 'sessions',
};

export const COPILOT: OtherNames = {
  name: 'copilot',
  title: 'GitHub Copilot CLI',
  word: 'copilot',
  tool: 'shell(npm:*)',
  signs: ['COPILOT_AGENT_SESSION_ID'],
  session: 'COPILOT_AGENT_SESSION_ID',
  own: /^COPILOT_(?:CLI|CLI_BINARY_VERSION|CLI_RESOLVED_DIST_DIR|LOADER_PID|AGENT_SESSION_ID|PROJECT_DIR|HOOK_DIR|PLUGIN_ROOT|PLUGIN_DATA)$/,
  home: (env) => env['COPILOT_HOME'] || inHome(env, '.copilot'),
  folder: '.github',
  ground: ['hooks', 'settings.json', 'config.json', 'copilot', 'installed-plugins'],
  sessions: 'session-state',
};

export const DROID: OtherNames = {
  name: 'droid',
  title: 'droid',
  word: 'droid',
  tool: 'Execute',
  // Nothing in the shell of its agent shows it.
  signs: [],
  // Every field of a payload is a variable, too.
  own: /^(?:(?:DROID|FACTORY)_(?:PROJECT_DIR|PLUGIN_ROOT|RUNTIME_SETTINGS_PATH)|session_id|transcript_path|cwd|permission_mode|hook_event_name|message_id|stop_hook_active|tool_execution_count|elapsed_time|prompt|has_images|tool_name|tool_input)$/,
  home: (env) => inHome(env, '.factory'),
  folder: '.factory',
  ground: ['settings.json', 'settings.local.json', 'hooks.json', 'hooks', 'mcp.json', 'plugins'],
  sessions: 'sessions',
};

export const QWEN: OtherNames = {
  name: 'qwen',
  title: 'Qwen Code',
  word: 'qwen',
  tool: 'run_shell_command(npm test)',
  signs: ['QWEN_CODE_SESSION_ID'],
  session: 'QWEN_CODE_SESSION_ID',
  own: /^QWEN_(?:CODE$|CODE_(?:SESSION|PROMPT|AGENT)_ID$|CODE_NO_RELAUNCH$|(?:CODE_)?PROJECT_DIR$)/,
  home: (env) => env['QWEN_HOME'] || inHome(env, '.qwen'),
  folder: '.qwen',
  ground: ['settings.json', 'extensions', '.env', 'trustedFolders.json'],
  sessions: 'projects',
};

export const GEMINI: OtherNames = {
  name: 'gemini',
  title: 'Gemini CLI',
  word: 'gemini',
  tool: 'run_shell_command(npm test)',
  signs: ['GEMINI_CLI'],
  own: /^GEMINI_(?:CLI|CLI_NO_RELAUNCH|SESSION_ID|PROJECT_DIR|PLANS_DIR|CWD)$/,
  home: (env) => (env['GEMINI_CLI_HOME'] ? join(env['GEMINI_CLI_HOME'], '.gemini') : inHome(env, '.gemini')),
  folder: '.gemini',
  ground: ['settings.json', 'extensions', 'policies', '.env', 'trustedFolders.json'],
  sessions: 'tmp',
};

export const OPENCODE: OtherNames = {
  name: 'opencode',
  title: 'OpenCode',
  word: 'opencode',
  tool: 'bash',
  signs: ['OPENCODE'],
  own: /^OPENCODE(?:_PID)?$/,
  home: (env) => join(env['XDG_CONFIG_HOME'] || inHome(env, '.config'), 'opencode'),
  folder: '.opencode',
  ground: [
    'opencode.json',
    'opencode.jsonc',
    'plugin',
    'plugins',
    'tool',
    'tools',
    '../opencode.json',
    '../opencode.jsonc',
  ],
  sessions: '../../.local/share/opencode',
};

export const PI: OtherNames = {
  name: 'pi',
  title: 'pi',
  word: 'pi',
  tool: 'bash',
  signs: ['PI_CODING_AGENT'],
  own: /^PI_CODING_AGENT$/,
  home: (env) => env['PI_CODING_AGENT_DIR'] || inHome(env, '.pi', 'agent'),
  folder: '.pi',
  ground: ['settings.json', 'extensions'],
  sessions: 'sessions',
};

/** In the order in which people are told of them. */
export const HOST_NAMES = [CLAUDE_CODE, CODEX, COPILOT, DROID, QWEN, GEMINI, OPENCODE, PI];

/** The protocol `json`. */
export const JSON_NAMES: Pick<HostNames, 'name'> = { name: 'json' };

/** The host of a loop for which nobody chose one. */
export function chosenNames(): HostNames {
  return CLAUDE_CODE;
}

/** The official ralph-loop plugin is one of Claude Code, whatever host a loop gets. */
export const OFFICIAL_PLUGIN_OFF = '/plugin in Claude Code';

/** The manifest of our plugin, in the plugin's folder. Several hosts read it there. */
export const PLUGIN_MANIFEST = ['.claude-plugin', 'plugin.json'] as const;

/** Set by more than one host. */
const ANY_HOST = 'AI_AGENT';

/** The variable that shows that this is an agent's shell; null: there is none. */
export function agentSign(env: Environment): string | null {
  return [...HOST_NAMES.flatMap(({ signs }) => signs), ANY_HOST].find((name) => env[name]) ?? null;
}

export function isOfHost(variable: string): boolean {
  return variable === ANY_HOST || HOST_NAMES.some(({ own }) => own.test(variable));
}

/** The project that the host works in, whatever the agent's current folder is; null: no host says so. */
export function projectOfAgent(env: Environment): string | null {
  return env[PROJECT_VARIABLE] || null;
}
