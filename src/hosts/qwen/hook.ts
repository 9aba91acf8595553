/** Qwen Code as a host that calls our hook. Measured on 0.24.4. */
import { isRecord, readAs, textAt } from '#base/shape.ts';
import { readTextIfAny } from '#base/files/read.ts';
import type { Environment, Host } from '../port/arrival.ts';
import { EVENTS, familyHost } from '../kit/claude-like-hooks.ts';
import { countRows, usageAt } from '../kit/session-log.ts';
import { QWEN } from '../tables/names.ts';

export const QWEN_EVENTS = { ...EVENTS, StopFailure: 'fault' } as const;

const KEYS = {
  input: 'promptTokenCount',
  output: 'candidatesTokenCount',
  total: 'totalTokenCount',
  cacheRead: 'cachedContentTokenCount',
};

export const qwen: Host = familyHost(QWEN, {
  limits: { toolResetsCap: false },
  events: QWEN_EVENTS,
  fatal: { authentication_failed: 'auth', billing_error: 'billing', model_not_found: 'model' },
  chain: 'prompt_id',
  project: 'QWEN_PROJECT_DIR',
  record: {
    file: /[\\/]chats[\\/][\da-f-]{36}\.jsonl$/,
    call: /"functionCall":\{/,
    count: countRows(usageAt('uuid', 'usageMetadata', KEYS)),
  },
  // Of the blocks that it counts, the last one is not carried out.
  stop: (payload, env) => ({ cap: readCap(textAt(payload, 'cwd'), env) - 1 }),
});

export const CAP_SETTING = 'stopHookBlockingCap';
/** The host takes no higher one. */
export const MAX_CAP_STOPS = 100;
const DEFAULT_CAP_STOPS = 8;

/** After this many blocks in a row it ends the turn. */
function readCap(project: string, env: Environment): number {
  // `join` is quadratic in a long row of `..`.
  const inFolder = (folder: string) =>
    readAs(isRecord, () => readTextIfAny(`${folder}/settings.json`))?.[CAP_SETTING];
  const set = [
    env['QWEN_CODE_STOP_HOOK_BLOCK_CAP'],
    inFolder(`${project}/${QWEN.folder}`),
    inFolder(QWEN.home(env)),
  ];
  return Math.min(
    set.map((cap) => Math.floor(Number(cap))).find((cap) => cap >= 1) ?? DEFAULT_CAP_STOPS,
    MAX_CAP_STOPS,
  );
}
