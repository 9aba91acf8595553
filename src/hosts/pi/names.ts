/** What pi is called, where its files are, and what it calls its tools (0.73.1). */
import { join } from 'node:path';
import type { Environment } from '../arrival.ts';

export const PI = {
  name: 'pi',
  title: 'pi',
  word: 'pi',
  tool: 'bash',
  // It knows no servers.
  tools: {
    shell: ['bash'],
    writers: ['write', 'edit'],
    servers: /^mcp__/,
    serverTool: 'mcp__server__tool',
  },
  // It does not name the session.
  signs: ['PI_CODING_AGENT'],
  own: /^PI_CODING_AGENT$/,
  home: (env: Environment) =>
    env['PI_CODING_AGENT_DIR'] || join(env['HOME'] ?? env['USERPROFILE'] ?? '', '.pi', 'agent'),
  folder: '.pi',
  ground: ['settings.json', 'extensions'],
  sessions: 'sessions',
} as const;
