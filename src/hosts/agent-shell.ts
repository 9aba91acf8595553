/**
 * What hosts set in the environment of the commands that their agents run. An agent can unset it, so this is a speed bump,
 * not a boundary.
 */
import type { Environment } from './arrival.ts';
import { AGENT_SIGNS, OWN_VARIABLE, PROJECT_VARIABLE } from './claude-code/names.ts';

/** Set by more than one host. */
const ANY_HOST = ['AI_AGENT'];

/** The variable that shows that this is an agent's shell; null: there is none. */
export function agentSign(env: Environment): string | null {
  return [...AGENT_SIGNS, ...ANY_HOST].find((name) => env[name]) ?? null;
}

/** A variable that a host sets for the processes that it starts, and that means something to hosts only. */
export function isOfHost(name: string): boolean {
  return OWN_VARIABLE.test(name) || ANY_HOST.includes(name);
}

/** The project that the host works in, whatever the agent's current folder is; null: no host says so. */
export function projectOfAgent(env: Environment): string | null {
  return env[PROJECT_VARIABLE] || null;
}
