/**
 * What Claude Code tells the MCP servers that it starts (2.1.325): its session and project, in the environment. A server
 * lives on when `/clear` gives its host a new session, which the host's own list of sessions then shows.
 */
import type { Environment, Sender } from '../arrival.ts';
import { DEFAULT_NAME as NAME } from '../names.ts';
import { PROJECT_VARIABLE } from './agent-shell.ts';
import { commandsIn, LIMITS } from './hook/host.ts';
import { hostOf } from './hook/sessions.ts';

export function serverSession(env: Environment, parent: number): Sender | null {
  const first = env['CLAUDE_CODE_SESSION_ID'];
  const project = env[PROJECT_VARIABLE];
  if (!first || !project) return null;
  const host = hostOf(parent, first, env);
  return {
    host: NAME,
    limits: LIMITS,
    session: host?.session ?? first,
    project,
    process: host?.pid ?? null,
    prompt: null,
    commands: commandsIn(env),
  };
}
