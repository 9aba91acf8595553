/** What only a person may do. The environment is a hint and no proof, so this is no security boundary. */
import type { LoopPart } from '#law/loop.ts';
import type { Actor } from '#law/record/events.ts';
import { refuse, type Refusal } from '#base/refusal.ts';
import { agentSign } from '#hosts/tables/names.ts';
import type { Environment } from '#hosts/port/arrival.ts';

/** `dacapo ui` sets it for the runs that it starts. */
export const HAND_VARIABLE = 'DACAPO_HAND';

export function actorOf(env: Environment): Extract<Actor, 'agent' | 'page' | 'terminal'> {
  if (agentSign(env) !== null) return 'agent';
  return env[HAND_VARIABLE] === 'page' ? 'page' : 'terminal';
}

export function refuseToAgents(command: string, env: Environment): Refusal | null {
  const sign = agentSign(env);
  if (sign === null) return null;
  const why = `${command} is for a person, and this is the shell of an agent (${sign} is set).`;
  return refuse('people-only', why, 'Type it in a terminal of your own.');
}

/**
 * Rules for approvals hold while the loop is live, so an agent that could end or pause it would need no
 * approval.
 */
export function refuseToLift(
  command: string,
  { people: { approvals } }: LoopPart<'people', 'approvals'>,
  env: Environment,
): Refusal | null {
  return approvals === null ? null : refuseToAgents(command, env);
}
