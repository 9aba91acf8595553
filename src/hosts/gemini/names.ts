/** What Gemini CLI is called, what it allows a hook, and what it calls its tools (0.61.0). */
import { join } from 'node:path';
import type { Environment, HostLimits } from '../arrival.ts';
import type { ToolNames } from '../tools.ts';

export const GEMINI = {
  name: 'gemini',
  title: 'Gemini CLI',
  word: 'gemini',
  tool: 'run_shell_command(npm test)',
} as const;

export const LIMITS: HostLimits = { stopMs: 600_000, text: 9_000, lagMs: 0, toolResetsCap: true };

export const TOOLS: ToolNames = {
  shell: ['run_shell_command'],
  writers: ['write_file', 'replace'],
  servers: 'mcp_',
  serverTool: 'mcp_server_tool',
};

/** Set in every shell that its agent uses. It does not name the session. */
export const AGENT_SIGN = 'GEMINI_CLI';
export const OWN_VARIABLE = /^GEMINI_(?:CLI|CLI_NO_RELAUNCH|SESSION_ID|PROJECT_DIR|PLANS_DIR|CWD)$/;
export const PROJECT_VARIABLE = 'GEMINI_PROJECT_DIR';

export function geminiHome(env: Environment): string {
  return join(env['GEMINI_CLI_HOME'] || (env['HOME'] ?? env['USERPROFILE'] ?? ''), '.gemini');
}
