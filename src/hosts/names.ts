/** What hosts are called. It loads no adapter. */
import { CLAUDE_CODE, AGENT_SIGNS, OWN_VARIABLE, PROJECT_VARIABLE } from './claude-code/names.ts';
import { CODEX, OWN_VARIABLE as CODEX_VARIABLE, SESSION_VARIABLE } from './codex/names.ts';
import { AGENT_SIGN, GEMINI, OWN_VARIABLE as GEMINI_VARIABLE } from './gemini/names.ts';
import { AGENT_SIGN as PI_SIGN, OWN_VARIABLE as PI_VARIABLE, PI } from './pi/names.ts';
import { OWN_VARIABLE as QWEN_VARIABLE, QWEN, SESSION_VARIABLE as QWEN_SESSION } from './qwen/names.ts';
import type { Environment } from './arrival.ts';

export interface HostNames {
  /** In a loop's record. */
  readonly name: string;
  /** For people. */
  readonly title: string;
  /** The word that starts it in a terminal. */
  readonly word: string;
  /** A tool as `--allowed-tools` takes it, for examples. */
  readonly tool: string;
}

/** In the order in which people are told of them. */
export const HOST_NAMES: readonly HostNames[] = [CLAUDE_CODE, CODEX, QWEN, GEMINI, PI];

/** The host of a loop for which nobody chose one. */
export function chosenNames(): HostNames {
  return CLAUDE_CODE;
}

/** The official ralph-loop plugin is one of Claude Code, whatever host a loop gets. */
export const OFFICIAL_PLUGIN_OFF = '/plugin in Claude Code';

/** The manifest of our plugin, in the plugin's folder. Several hosts read it there. */
export const PLUGIN_MANIFEST = ['.claude-plugin', 'plugin.json'] as const;

/** Set by more than one host. */
const ANY_HOST = ['AI_AGENT'];

/** The variable that shows that this is an agent's shell; null: there is none. */
export function agentSign(env: Environment): string | null {
  return (
    [...AGENT_SIGNS, SESSION_VARIABLE, QWEN_SESSION, AGENT_SIGN, PI_SIGN, ...ANY_HOST].find(
      (name) => env[name],
    ) ?? null
  );
}

const OWN_VARIABLES = [OWN_VARIABLE, CODEX_VARIABLE, QWEN_VARIABLE, GEMINI_VARIABLE, PI_VARIABLE];

/** A variable that a host sets for the processes that it starts, and that means something to hosts only. */
export function isOfHost(name: string): boolean {
  return OWN_VARIABLES.some((own) => own.test(name)) || ANY_HOST.includes(name);
}

/** The project that the host works in, whatever the agent's current folder is; null: no host says so. */
export function projectOfAgent(env: Environment): string | null {
  return env[PROJECT_VARIABLE] || null;
}
