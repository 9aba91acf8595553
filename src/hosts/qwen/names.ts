/** What Qwen Code is called, what it allows a hook, and what it calls its tools (0.24.4). */
import { join } from 'node:path';
import type { Environment, HostLimits } from '../arrival.ts';
import type { ToolNames } from '../tools.ts';

export const QWEN = {
  name: 'qwen',
  title: 'Qwen Code',
  word: 'qwen',
  tool: 'run_shell_command(npm test)',
} as const;

export const LIMITS: HostLimits = { stopMs: 600_000, text: 9_000, lagMs: 0, toolResetsCap: false };

export const TOOLS: ToolNames = {
  shell: ['run_shell_command', 'monitor'],
  writers: ['write_file', 'edit', 'notebook_edit'],
  servers: 'mcp__',
  serverTool: 'mcp__server__tool',
};

/** Set in every shell that its agent uses. */
export const SESSION_VARIABLE = 'QWEN_CODE_SESSION_ID';
export const OWN_VARIABLE =
  /^QWEN_(?:CODE$|CODE_(?:SESSION|PROMPT|AGENT)_ID$|CODE_NO_RELAUNCH$|(?:CODE_)?PROJECT_DIR$)/;
export const PROJECT_VARIABLE = 'QWEN_PROJECT_DIR';

export function qwenHome(env: Environment): string {
  return env['QWEN_HOME'] || join(env['HOME'] ?? env['USERPROFILE'] ?? '', '.qwen');
}
