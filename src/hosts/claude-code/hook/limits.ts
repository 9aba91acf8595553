/** Claude Code's limits (2.1.325), and the times for which `plugin/hooks/hooks.json` asks. */
import type { HostLimits } from '../../limits.ts';

export const LIMITS: HostLimits = {
  stopMs: 600_000,
  // It hides what is longer than 10,000 characters in a file, and counts some of its own words.
  text: 9_000,
  // It writes down within 200 ms that it took something from its queue.
  lagMs: 250,
};

/** It ends a turn after this many stops in a row without a tool call, unless CLAUDE_CODE_STOP_HOOK_BLOCK_CAP says otherwise. */
export const DEFAULT_CAP = 8;
