import type { Host } from '../../host.ts';
import { encodeAnswer } from './answer.ts';
import { CLAUDE_CODE, readPayload } from './payload.ts';

export const claudeCode: Host = { name: CLAUDE_CODE, hear: readPayload, encode: encodeAnswer };
