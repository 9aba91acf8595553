/**
 * Is this the shell of an agent? Hosts leave signs in the environment of what their agents run. A person can unset them, and
 * so can an agent: a speed bump, not a boundary.
 */
import type { Environment } from './arrival.ts';
import { AGENT_SIGNS as CLAUDE_CODE } from './claude-code/agent-signs.ts';

/** Set by more than one host. */
const ANY_HOST = ['AI_AGENT'];
const SIGNS: readonly string[] = [...CLAUDE_CODE, ...ANY_HOST];

/** The name of the variable that gives it away; null: nothing does. */
export function agentSign(env: Environment): string | null {
  return SIGNS.find((name) => env[name]) ?? null;
}
