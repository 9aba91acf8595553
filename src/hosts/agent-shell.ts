/**
 * What hosts leave in the environment of the commands that their agents run. A person can unset it, and so can an agent:
 * a speed bump, not a boundary.
 */
import type { Environment } from './arrival.ts';
import { AGENT_SIGNS, PROJECT_VARIABLE } from './claude-code/agent-shell.ts';

/** Set by more than one host. */
const ANY_HOST = ['AI_AGENT'];
const SIGNS: readonly string[] = [...AGENT_SIGNS, ...ANY_HOST];

/** The name of the variable that gives an agent's shell away; null: nothing does. */
export function agentSign(env: Environment): string | null {
  return SIGNS.find((name) => env[name]) ?? null;
}

/** The project that the host works in, wherever its agent has gone; null: no host says so. */
export function projectOfAgent(env: Environment): string | null {
  return env[PROJECT_VARIABLE] || null;
}
