/** Claude Code's limits (2.1.325), and the times for which `plugin/hooks/hooks.json` asks. */
import type { HostLimits } from '../../limits.ts';

export const LIMITS: HostLimits = {
  stopMs: 600_000,
  // It moves text above 10,000 characters to a file, and counts some words of its own.
  text: 9_000,
  // It records within 200 ms that it took something from its queue.
  lagMs: 250,
};

/** Ends a turn after this many stops in a row without a tool call, unless CLAUDE_CODE_STOP_HOOK_BLOCK_CAP is set. */
export const DEFAULT_CAP = 8;
