/** What Codex is called, where its files are, and what it calls its tools (0.166.0). */
import { join } from 'node:path';
import type { Environment } from '../arrival.ts';

/** Set in every shell that its agent uses. */
export const SESSION_VARIABLE = 'CODEX_THREAD_ID';

export const CODEX = {
  name: 'codex',
  title: 'Codex',
  word: 'codex',
  tool: 'Bash(npm test)',
  tools: {
    shell: ['Bash'],
    writers: ['apply_patch'],
    servers: /^mcp__/,
    serverTool: 'mcp__server__tool',
  },
  signs: [SESSION_VARIABLE],
  own: /^CODEX_(?!HOME$)/,
  home: (env: Environment) => env['CODEX_HOME'] || join(env['HOME'] ?? env['USERPROFILE'] ?? '', '.codex'),
  folder: '.codex',
  ground: ['hooks.json', 'config.toml', 'plugins'],
  sessions: 'sessions',
} as const;
