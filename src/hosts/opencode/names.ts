/** What OpenCode is called, where its files are, and what it calls its tools (1.18.33). */
import { join } from 'node:path';
import type { Environment } from '../arrival.ts';

export const OPENCODE = {
  name: 'opencode',
  title: 'OpenCode',
  word: 'opencode',
  tool: 'bash',
  tools: {
    shell: ['bash'],
    writers: ['write', 'edit', 'apply_patch'],
    // No tool of its own has another underscore.
    servers: /^(?!apply_patch$)[^_]+_/,
    serverTool: 'server_tool',
  },
  // They do not name the session.
  signs: ['OPENCODE'],
  own: /^OPENCODE(?:_PID)?$/,
  home: (env: Environment) =>
    join(env['XDG_CONFIG_HOME'] || join(env['HOME'] ?? env['USERPROFILE'] ?? '', '.config'), 'opencode'),
  folder: '.opencode',
  ground: ['opencode.json', 'opencode.jsonc', 'plugin', 'plugins', '../opencode.json', '../opencode.jsonc'],
  sessions: '../../.local/share/opencode',
} as const;
