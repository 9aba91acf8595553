/** Qwen Code as a host that calls our hook. Measured on 0.24.4. */
import { join } from 'node:path';
import { isRecord, readAs, textAt } from '../../core/shape.ts';
import { readTextIfAny } from '../../files/read.ts';
import type { Environment, Host } from '../arrival.ts';
import { EVENTS, familyHost } from '../family.ts';
import { lookAtRows } from '../rows.ts';
import { countRows } from '../transcripts.ts';
import { LIMITS, PROJECT_VARIABLE, QWEN, TOOLS, qwenHome } from './names.ts';

/** Its own name for the file that records a session. */
const CHAT = /[\\/]chats[\\/][\da-f-]{36}\.jsonl$/;
const TOOL_ROW = /"functionCall":\{/;
const ANSWER = /^\{"uuid":"([^"]+)".*"totalTokenCount":(\d+)/;

export const QWEN_EVENTS = { ...EVENTS, StopFailure: 'fault' } as const;

export const qwen: Host = familyHost({
  name: QWEN.name,
  limits: LIMITS,
  recognises: (payload, env) =>
    CHAT.test(textAt(payload, 'transcript_path')) || Boolean(env[PROJECT_VARIABLE]),
  events: QWEN_EVENTS,
  fatal: { authentication_failed: 'auth', billing_error: 'billing', model_not_found: 'model' },
  chain: 'prompt_id',
  project: PROJECT_VARIABLE,
  tools: TOOLS,
  hostFiles: (project, env) => [
    ...[qwenHome(env), join(project, '.qwen')].flatMap((folder) =>
      ['settings.json', 'extensions'].map((name) => join(folder, name)),
    ),
    join(qwenHome(env), 'projects'),
  ],
  stop: (payload, env) => {
    const rows = textAt(payload, 'transcript_path');
    return {
      // Of the blocks that it counts, the last one is not carried out.
      cap: capOf(textAt(payload, 'cwd'), env) - 1,
      continuedByHook: payload['stop_hook_active'] === true,
      look: (since, notBefore) => lookAtRows(rows, TOOL_ROW, since, notBefore),
      count: async (loop, ledger) => countRows(rows, ANSWER, loop, ledger),
    };
  },
});

export const CAP_SETTING = 'stopHookBlockingCap';
/** The host takes no higher one. */
export const MOST_CAP = 100;
const USUAL_CAP = 8;

/** After this many blocks in a row it ends the turn. */
function capOf(project: string, env: Environment): number {
  const inFolder = (folder: string) =>
    readAs(isRecord, () => readTextIfAny(join(folder, 'settings.json')))?.[CAP_SETTING];
  const set = [
    env['QWEN_CODE_STOP_HOOK_BLOCK_CAP'],
    inFolder(join(project, '.qwen')),
    inFolder(qwenHome(env)),
  ];
  return Math.min(set.map((cap) => Math.floor(Number(cap))).find((cap) => cap >= 1) ?? USUAL_CAP, MOST_CAP);
}
