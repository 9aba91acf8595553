/** What Gemini CLI is called, where its files are, and what it calls its tools (0.61.0). */
import { join } from 'node:path';
import type { Environment } from '../arrival.ts';

export const GEMINI = {
  name: 'gemini',
  title: 'Gemini CLI',
  word: 'gemini',
  tool: 'run_shell_command(npm test)',
  tools: {
    shell: ['run_shell_command'],
    writers: ['write_file', 'replace'],
    servers: /^mcp_/,
    serverTool: 'mcp_server_tool',
  },
  // It does not name the session.
  signs: ['GEMINI_CLI'],
  own: /^GEMINI_(?:CLI|CLI_NO_RELAUNCH|SESSION_ID|PROJECT_DIR|PLANS_DIR|CWD)$/,
  home: (env: Environment) =>
    join(env['GEMINI_CLI_HOME'] || (env['HOME'] ?? env['USERPROFILE'] ?? ''), '.gemini'),
  folder: '.gemini',
  ground: ['settings.json', 'extensions', 'policies'],
  sessions: 'tmp',
} as const;
