import type { Host } from '../../host.ts';
import { encodeAnswer } from './answer.ts';
import { readPayload } from './payload.ts';

export const claudeCode: Host = { name: 'claude-code', hear: readPayload, encode: encodeAnswer };
