/** What Codex is called, what it allows a hook, and what it calls its tools (0.166.0). */
import type { HostLimits } from '../arrival.ts';
import type { ToolNames } from '../tools.ts';

export const CODEX = { name: 'codex', title: 'Codex', word: 'codex', tool: 'Bash(npm test)' } as const;

export const LIMITS: HostLimits = { stopMs: 600_000, text: 9_000, lagMs: 0, toolResetsCap: true };

export const TOOLS: ToolNames = {
  shell: ['Bash'],
  writers: [],
  patches: ['apply_patch'],
  servers: 'mcp__',
  serverTool: 'mcp__server__tool',
};

/** Set in every shell that its agent uses. */
export const SESSION_VARIABLE = 'CODEX_THREAD_ID';
export const OWN_VARIABLE = /^CODEX_(?!HOME$)/;
