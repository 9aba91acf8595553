/** Claude Code as a host that calls our hook (2.1.325). */
import type { Host } from '../../host.ts';
import { DEFAULT_NAME as NAME } from '../../names.ts';
import { encodeAnswer } from './answer.ts';
import { LIMITS } from './limits.ts';
import { readPayload } from './payload.ts';

export const claudeCode: Host = { name: NAME, limits: LIMITS, hear: readPayload, encode: encodeAnswer };
