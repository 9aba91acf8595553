/** Claude Code as a host that calls our hook (2.1.325). */
import type { Host } from '../../host.ts';
import { encodeAnswer } from './answer.ts';
import { DEFAULT_NAME as NAME } from '../../names.ts';
import { LIMITS } from './limits.ts';
import { readPayload } from './payload.ts';
import { isIdle } from './sessions.ts';

/** For a hook with `asyncRewake`: this code wakes the session, and the model reads what stands on stderr. */
const WAKE = 2;

export const claudeCode: Host = {
  name: NAME,
  limits: LIMITS,
  hear: readPayload,
  encode: encodeAnswer,
  wake: { isIdle, encode: (toAgent) => ({ stdout: '', stderr: toAgent, exit: WAKE }) },
};
