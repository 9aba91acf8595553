/** What hosts are called. It loads no adapter. */
import { CLAUDE_CODE, PROJECT_VARIABLE } from './claude-code/names.ts';
import { CODEX } from './codex/names.ts';
import { COPILOT } from './copilot/names.ts';
import { DROID } from './droid/names.ts';
import { GEMINI } from './gemini/names.ts';
import { OPENCODE } from './opencode/names.ts';
import { PI } from './pi/names.ts';
import { QWEN } from './qwen/names.ts';
import type { Environment } from './arrival.ts';
import type { ToolNames } from './tools.ts';

export interface HostNames {
  /** In a loop's record. */
  readonly name: string;
  /** For people. */
  readonly title: string;
  /** The word that starts it in a terminal. */
  readonly word: string;
  /** A tool as `--allowed-tools` takes it, for examples. */
  readonly tool: string;
  readonly tools: ToolNames;
  /** The variables that it sets in every shell of its agent. */
  readonly signs: readonly string[];
  /** All variables that it sets for the processes that it starts, and that mean something to hosts only. */
  readonly own: RegExp;
}

/** In the order in which people are told of them. */
export const HOST_NAMES: readonly HostNames[] = [
  CLAUDE_CODE,
  CODEX,
  COPILOT,
  DROID,
  QWEN,
  GEMINI,
  OPENCODE,
  PI,
];

/** The protocol `json`. A plugin translates the tools of its host into these. */
export const JSON_NAMES = {
  name: 'json',
  tools: {
    shell: ['shell'],
    writers: ['write', 'edit'],
    servers: /^mcp__/,
    serverTool: 'mcp__server__tool',
  } as ToolNames,
} as const;

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
