/** GitHub Copilot CLI as a host that calls our hook. Measured on 1.0.102. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isRecord, parseAs, recordAt, textAt, textOrNull } from '#base/shape.ts';
import type { Host, HookPayload } from '../port/arrival.ts';
import { EVENTS, familyHost } from '../kit/claude-like-hooks.ts';
import { countRows, lastRows, type UsageRows } from '../kit/session-log.ts';
import { tokensTold } from '../kit/stream-lines.ts';
import { COPILOT } from '../tables/names.ts';

/** One row for each request. */
export const USAGE: UsageRows = {
  sign: '"session.usage_record"',
  read: (row) => {
    const usage = recordAt(recordAt(row, 'data'), 'usage');
    const id = textAt(recordAt(usage, 'accounting'), 'usageId');
    return { id, model: textOrNull(usage['model']), tokens: tokensTold(usage, KEYS) };
  },
};
const KEYS = { input: 'inputTokens', output: 'outputTokens', total: '', cacheRead: 'cacheReadTokens' };

export const copilot: Host = familyHost(COPILOT, {
  events: EVENTS,
  project: 'COPILOT_PROJECT_DIR',
  limits: { toolResetsCap: false },
  record: {
    file: /[\\/]session-state[\\/][^\\/]+[\\/]events\.jsonl$/,
    call: /"type":"tool\.execution_start"/,
    count: countRows(USAGE),
  },
  echoes: true,
  plain,
  // It ends the turn after this many blocks in a row, and no setting changes that.
  stop: (payload) => ({
    cap: 8,
    rest: async () => ({ message: await lastAnswer(payload), failed: null }),
  }),
  say: (answer) => (answer.is === 'brief' ? { additionalContext: answer.toAgent } : null),
});

/** A subagent has a session of its own, and the input of a patch is a text. */
function plain(payload: HookPayload): HookPayload {
  const { tool_input: input, parent_agent_id: parent, session_id: session } = payload;
  return {
    ...payload,
    session_id: parent ?? session,
    tool_input: typeof input === 'string' ? { command: input } : input,
  };
}

const MOST_LATE_MS = 2_000;
const AGAIN_MS = 20;

/**
 * It writes its record late. The last answer is there when the record tells of this very call of our hook.
 */
async function lastAnswer(payload: HookPayload): Promise<string> {
  const called = `"timestamp":${Date.parse(textAt(payload, 'timestamp'))}`;
  for (let waited = 0; ; waited += AGAIN_MS) {
    const rows = lastRows(textAt(payload, 'transcript_path'));
    const isCall = (row: string) => row.includes('"hookType":"agentStop"') && row.includes(called);
    if (!rows.some(isCall) && waited < MOST_LATE_MS) await sleep(AGAIN_MS);
    else {
      const answers = rows.filter((row) => row.startsWith('{"type":"assistant.message"'));
      const own = answers.map((row) => parseAs(isRecord, row) ?? {}).filter((row) => !('agentId' in row));
      return textAt(recordAt(own.at(-1) ?? {}, 'data'), 'content');
    }
  }
}
