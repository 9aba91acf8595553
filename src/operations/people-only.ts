/** Whose hand is at work, and what only a person may do. The environment is a hint, not proof: a speed bump, no boundary. */
import type { By } from '../core/events.ts';
import { refuse, type Refusal } from '../core/refusal.ts';
import type { Environment } from '../hosts/host.ts';

/** Set in the shells that agents run commands in. */
const AGENT_SIGNS = ['CLAUDECODE', 'CLAUDE_CODE_CHILD_SESSION', 'AI_AGENT'];

export function handOf(env: Environment): Extract<By, 'agent' | 'terminal'> {
  return agentSign(env) === undefined ? 'terminal' : 'agent';
}

/** Null: nothing says that an agent runs this. */
export function refuseToAgents(command: string, env: Environment): Refusal | null {
  const sign = agentSign(env);
  if (sign === undefined) return null;
  return refuse(
    'people-only',
    `${command} is for a person, and this is the shell of an agent (${sign} is set).`,
    'Type it in a terminal of your own.',
  );
}

function agentSign(env: Environment): string | undefined {
  return AGENT_SIGNS.find((name) => env[name]);
}
