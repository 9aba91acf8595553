/** Wakes Claude Code (2.1.325), which runs a hook with `asyncRewake` in the background. */
import type { Wake } from '../../host.ts';
import { isIdle } from './sessions.ts';

/** This exit code wakes the session, and the model reads stderr. */
const WAKE = 2;

export const claudeCodeWake: Wake = {
  isIdle,
  encode: (toAgent) => ({ stdout: '', stderr: toAgent, exit: WAKE }),
};
