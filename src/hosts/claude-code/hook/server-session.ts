/**
 * What Claude Code tells the MCP servers that it starts (2.1.325): its session and project, in the environment. A server
 * lives on when `/clear` gives its host a new session, which the host's own list of sessions then shows.
 */
import type { Environment, Sender } from '../../arrival.ts';
import { PROJECT_VARIABLE } from '../agent-shell.ts';
import { NAME } from '../names.ts';
import { registeredHost } from './sessions.ts';
import { commandsIn, LIMITS } from './terms.ts';

export function serverSession(env: Environment, parent: number): Sender | null {
  const first = env['CLAUDE_CODE_SESSION_ID'];
  const project = env[PROJECT_VARIABLE];
  if (!first || !project) return null;
  const host = registeredHost(parent, first, env);
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
