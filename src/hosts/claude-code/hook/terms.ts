/** What Claude Code allows a hook, and what our commands are called there. */
import type { Environment, HostLimits, Sender } from '../../arrival.ts';

/** The times are those for which `plugin/hooks/hooks.json` asks. */
export const LIMITS: HostLimits = {
  stopMs: 600_000,
  // It moves text above 10,000 characters to a file, and counts some words of its own.
  text: 9_000,
  // It records within 200 ms that it took something from its queue.
  lagMs: 250,
  toolResetsCap: true,
};

/** A plugin's commands carry its name. */
export function commandsIn(env: Environment): Sender['commands'] {
  const prefix = env['CLAUDE_PLUGIN_ROOT'] === undefined ? '/' : '/dacapo:';
  return {
    resume: `${prefix}resume-ralph`,
    cancel: `${prefix}cancel-ralph`,
    approve: `${prefix}approve-ralph`,
    reject: `${prefix}reject-ralph`,
    answer: `${prefix}answer-ralph`,
  };
}
