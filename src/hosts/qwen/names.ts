/** What Qwen Code is called, where its files are, and what it calls its tools (0.24.4). */
import { join } from 'node:path';
import type { Environment } from '../arrival.ts';

/** Set in every shell that its agent uses. */
export const SESSION_VARIABLE = 'QWEN_CODE_SESSION_ID';

export const QWEN = {
  name: 'qwen',
  title: 'Qwen Code',
  word: 'qwen',
  tool: 'run_shell_command(npm test)',
  tools: {
    shell: ['run_shell_command', 'monitor'],
    writers: ['write_file', 'edit', 'notebook_edit'],
    servers: /^mcp__/,
    serverTool: 'mcp__server__tool',
  },
  signs: [SESSION_VARIABLE],
  own: /^QWEN_(?:CODE$|CODE_(?:SESSION|PROMPT|AGENT)_ID$|CODE_NO_RELAUNCH$|(?:CODE_)?PROJECT_DIR$)/,
  home: (env: Environment) => env['QWEN_HOME'] || join(env['HOME'] ?? env['USERPROFILE'] ?? '', '.qwen'),
  folder: '.qwen',
  ground: ['settings.json', 'extensions'],
  sessions: 'projects',
} as const;
