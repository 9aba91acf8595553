/** How hosts of the family read an answer of the hook, for the suite of hosts. */
import type { Output } from '#hosts/port/arrival.ts';

interface FamilyAnswer {
  readonly decision?: string;
  readonly reason?: string;
  readonly systemMessage?: string;
  readonly hookSpecificOutput?: {
    readonly additionalContext?: string;
    readonly permissionDecision?: string;
    readonly permissionDecisionReason?: string;
  };
}

function parsed(stdout: string): FamilyAnswer {
  return stdout === '' ? {} : (JSON.parse(stdout) as FamilyAnswer);
}

export const FAMILY = {
  read: ({ stdout }: Output) => {
    const { reason, systemMessage, hookSpecificOutput: more } = parsed(stdout);
    const toAgent = reason ?? more?.additionalContext ?? more?.permissionDecisionReason ?? '';
    return { toAgent, toPerson: systemMessage ?? '' };
  },
  letsThrough: ({ stdout }: Output) => {
    const { decision, hookSpecificOutput: more } = parsed(stdout);
    return decision !== 'block' && decision !== 'deny' && more?.permissionDecision !== 'deny';
  },
};
