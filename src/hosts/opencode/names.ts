/** What OpenCode is called, where its files are, and what it calls its tools (1.18.33). */
import { join } from 'node:path';
import type { Environment } from '../arrival.ts';

export const OPENCODE = {
  name: 'opencode',
  title: 'OpenCode',
  word: 'opencode',
  tool: 'bash',
  // A tool of a server begins with the server's name. Of its own tools, few have such a name.
  tools: {
    shell: ['bash'],
    writers: ['write', 'edit', 'apply_patch'],
    servers: /^(?!apply_patch$|plan_)[^_]+_/,
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
