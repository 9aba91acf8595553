/** How Claude Code is woken (2.1.325): it runs a hook with `asyncRewake` in the background. */
import type { Wake } from '../../host.ts';
import { isIdle } from './sessions.ts';

/** This code wakes the session, and the model reads what stands on stderr. */
const WAKE = 2;

export const claudeCodeWake: Wake = {
  isIdle,
  encode: (toAgent) => ({ stdout: '', stderr: toAgent, exit: WAKE }),
};
