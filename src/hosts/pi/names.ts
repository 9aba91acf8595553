/** What pi is called, where it keeps its things, and what it calls its tools (0.73.1). */
import { join } from 'node:path';
import type { Environment } from '../arrival.ts';
import type { ToolNames } from '../tools.ts';

export const PI = { name: 'pi', title: 'pi', word: 'pi', tool: 'bash' } as const;

/** It has no servers. Its extensions bring tools under any name. */
export const TOOLS: ToolNames = {
  shell: ['bash'],
  writers: ['write', 'edit'],
  servers: 'mcp__',
  serverTool: 'mcp__server__tool',
};

/** Set in every shell that its agent uses. It does not name the session. */
export const AGENT_SIGN = 'PI_CODING_AGENT';
export const OWN_VARIABLE = /^PI_CODING_AGENT$/;

export function piHome(env: Environment): string {
  return env['PI_CODING_AGENT_DIR'] || join(env['HOME'] ?? env['USERPROFILE'] ?? '', '.pi', 'agent');
}
