/** What Claude Code tells the MCP servers that it starts (2.1.325): its session and project, in the environment. */
import type { Environment, Sender } from '../arrival.ts';
import { DEFAULT_NAME as NAME } from '../names.ts';
import { PROJECT_VARIABLE } from './agent-shell.ts';
import { LIMITS } from './hook/limits.ts';

export function serverSession(env: Environment, parent: number): Sender | null {
  const session = env['CLAUDE_CODE_SESSION_ID'];
  const project = env[PROJECT_VARIABLE];
  if (!session || !project) return null;
  const prefix = env['CLAUDE_PLUGIN_ROOT'] === undefined ? '/' : '/dacapo:';
  return {
    host: NAME,
    limits: LIMITS,
    session,
    project,
    process: parent,
    prompt: null,
    commands: { resume: `${prefix}resume-ralph`, cancel: `${prefix}cancel-ralph` },
  };
}
