/** What Claude Code is called, what it allows a hook, and what it sets in the environment (2.1.325). */
import type { Environment, HostLimits, Sender } from '../port/arrival.ts';

export const CLAUDE_CODE_NAME = 'claude-code';

/** As part of a sentence. */
export const LOGIN = 'start claude, type /login';

/** The times are those for which `plugin/hooks/hooks.json` asks. */
export const LIMITS: HostLimits = {
  stopMs: 600_000,
  // It moves text above 10,000 characters to a file, and counts some words of its own.
  text: 9_000,
  // It records within 200 ms that it took something from its queue.
  lagMs: 250,
  toolResetsCap: true,
};

/**
 * The host ends a turn after this many stops in a row without a tool call, unless the variable sets another
 * number.
 */
const DEFAULT_CAP_STOPS = 8;
export const CAP_VARIABLE = 'CLAUDE_CODE_STOP_HOOK_BLOCK_CAP';

/** 0 or less switches the cap off. */
export function capOf(env: Environment): number | null {
  const set = env[CAP_VARIABLE];
  const cap = set === undefined || !/^-?\d+$/.test(set.trim()) ? DEFAULT_CAP_STOPS : Number(set);
  return cap > 0 ? cap : null;
}

/** A plugin's commands carry its name. */
export function commandNamesIn(env: Environment): Sender['commands'] {
  return commandNamesFrom(env['CLAUDE_PLUGIN_ROOT'] === undefined ? 'project' : 'plugin');
}

export function commandNamesFrom(from: 'project' | 'plugin'): Sender['commands'] {
  const prefix = from === 'project' ? '/' : '/dacapo:';
  return {
    resume: `${prefix}resume-ralph`,
    cancel: `${prefix}cancel-ralph`,
    approve: `${prefix}approve-ralph`,
    reject: `${prefix}reject-ralph`,
    answer: `${prefix}answer-ralph`,
  };
}

export const PROJECT_VARIABLE = 'CLAUDE_PROJECT_DIR';

export const CLAUDE_CODE = {
  name: CLAUDE_CODE_NAME,
  title: 'Claude Code',
  word: 'claude',
  tool: 'Bash(npm test)',
  signs: ['CLAUDECODE', 'CLAUDE_CODE_CHILD_SESSION'],
  own: /^CLAUDE/,
} as const;
