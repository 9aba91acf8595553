/** Factory's droid as a host that calls our hook. Measured on 0.225.2. */
import { isRecord, parseAs, recordAt, textAt, textOrNull } from '#base/shape.ts';
import { readTextIfAny } from '#base/files/read.ts';
import type { Count, Host, StopRest, HookPayload } from '../port/arrival.ts';
import { EVENTS, familyHost } from '../kit/claude-like-hooks.ts';
import { fatalStatus } from '../kit/pass-outcome.ts';
import { textOfContent } from '../kit/messages.ts';
import { countTotal, lastRows, timeOf, type Counting } from '../kit/session-log.ts';
import { settingsIn } from '../setup/settings.ts';
import { combined, type Tokens } from '../port/stream.ts';
import { countAt, NOT_TOLD } from '../kit/stream-lines.ts';
import { DROID } from '../tables/names.ts';

export const droid: Host = familyHost(DROID, {
  events: EVENTS,
  project: 'DROID_PROJECT_DIR',
  record: {
    file: /[\\/]\.factory[\\/]sessions[\\/].*\.jsonl$/,
    call: /"type":"tool_use"/,
    count: countTokens,
  },
  plain: ofCaller,
  stop: (payload) => ({ rest: async () => restOf(payload) }),
});

/** What it keeps of a session beside its record. */
function besides(record: string): string {
  return record.replace(/\.jsonl$/, '.settings.json');
}

const CALLER = /"callingSessionId": *"([\w-]+)"/;
const MAX_CALLERS = 8;

/** A subagent has a session of its own, which names the one that called it. */
function ofCaller(payload: HookPayload): HookPayload {
  let session = textAt(payload, 'session_id');
  if (payload['hook_event_name'] !== 'PreToolUse') return payload;
  const record = textAt(payload, 'transcript_path');
  // A regular expression would begin again at each character of a long name.
  const folder = record.slice(0, Math.max(record.lastIndexOf('/'), record.lastIndexOf('\\')) + 1);
  for (let at = 0; at < MAX_CALLERS; at++) {
    const path = `${folder}${session}.jsonl`;
    const [, caller] = CALLER.exec(readTextIfAny(besides(path)) ?? '') ?? [];
    if (caller === undefined) break;
    session = caller;
  }
  return { ...payload, session_id: session };
}

/** What a session has used, in one sum; that of its subagents is in it. */
export function tokensIn(record: string, key = 'inclusiveTokenUsage'): Tokens {
  const usage = recordAt(settingsIn(besides(record)) ?? {}, key);
  return {
    input: countAt(usage, 'inputTokens'),
    output: countAt(usage, 'outputTokens'),
    cacheRead: countAt(usage, 'cacheReadTokens'),
    cacheWrite: countAt(usage, 'cacheCreationTokens'),
  };
}

/** Of a session that is older than the loop we know only that its last request belongs to the loop. */
function countTokens(counting: Counting): Count {
  const { path, loop } = counting;
  const total = tokensIn(path);
  const isOlder = (timeOf(readTextIfAny(path) ?? '') ?? loop.startedAt) < loop.startedAt;
  const last = tokensIn(path, 'lastCallTokenUsage');
  const before = isOlder ? combined(total, last, (all, one) => Math.max(0, all - one)) : NOT_TOLD.tokens;
  const model = textOrNull(settingsIn(besides(path))?.['model']);
  return countTotal(counting, total, before, model);
}

/** The status of the API in its own words, which stand before those of the service. */
const ERROR_STATUS = /^(?:[A-Z]\w+ )?Error: (\d{3})\b/;

/**
 * It calls us after a failed turn as well. Then the message that the stop names is not the agent's, and tells
 * the error.
 */
function restOf(payload: HookPayload): StopRest {
  const id = `"id":${JSON.stringify(payload['message_id'])}`;
  const rows = lastRows(textAt(payload, 'transcript_path'));
  const row = parseAs(isRecord, rows.findLast((one) => one.includes(id)) ?? '') ?? {};
  const message = textOfContent(recordAt(row, 'message')['content']);
  if (recordAt(row, 'message')['role'] !== 'user') return { message, failed: null };
  const fatal = fatalStatus(Number(ERROR_STATUS.exec(message)?.[1] ?? 0)) ?? null;
  return { message: '', failed: { error: 'turn_failed', detail: message, fatal } };
}
