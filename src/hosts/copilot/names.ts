/** What GitHub Copilot CLI is called, where its files are, and what it calls its tools (1.0.102). */
import { join } from 'node:path';
import type { Environment } from '../arrival.ts';

/** Set in every shell that its agent uses. */
export const SESSION_VARIABLE = 'COPILOT_AGENT_SESSION_ID';

export const COPILOT = {
  name: 'copilot',
  title: 'GitHub Copilot CLI',
  word: 'copilot',
  tool: 'shell(npm:*)',
  tools: {
    shell: ['Bash'],
    // An edit may also be a patch of several files.
    writers: ['Write', 'Edit'],
    servers: /^[^-]+-/,
    serverTool: 'server-tool',
  },
  signs: [SESSION_VARIABLE],
  own: /^COPILOT_(?:CLI|CLI_BINARY_VERSION|CLI_RESOLVED_DIST_DIR|LOADER_PID|AGENT_SESSION_ID|PROJECT_DIR|HOOK_DIR|PLUGIN_ROOT|PLUGIN_DATA)$/,
  home: (env: Environment) =>
    env['COPILOT_HOME'] || join(env['HOME'] ?? env['USERPROFILE'] ?? '', '.copilot'),
  folder: '.github',
  ground: ['hooks', 'settings.json', 'config.json', 'copilot', 'installed-plugins'],
  sessions: 'session-state',
} as const;
