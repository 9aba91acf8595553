/** Codex as a host that calls our hook. Measured on 0.166.0. */
import { isRecord, parseAs, recordAt, textOrNull } from '#base/shape.ts';
import type { Count, Host } from '../port/arrival.ts';
import { EVENTS, familyHost } from '../kit/claude-like-hooks.ts';
import { countTotal, lastRows, timeOf, type Counting } from '../kit/session-log.ts';
import { NOT_TOLD, tokensSpent } from '../kit/stream-lines.ts';
import { CODEX } from '../tables/names.ts';

export const codex: Host = familyHost(CODEX, {
  events: EVENTS,
  chain: 'turn_id',
  record: {
    file: /[\\/]rollout-[^\\/]*\.jsonl$/,
    call: /"type":"(?:function_call|custom_tool_call|mcp_tool_call|local_shell_call)"/,
    count: countTokens,
  },
  // It sets no variable of its own, and events between turns have no turn.
  sign: (payload) => typeof payload['turn_id'] === 'string' && 'model' in payload,
});

/** A row with the usage of the whole session stands after every answer of the model. */
function countTokens(counting: Counting): Count {
  const { loop, payload } = counting;
  const totals = lastRows(counting.path).flatMap((row) => {
    const value = row.includes('"total_token_usage"') ? parseAs(isRecord, row) : null;
    if (value === null) return [];
    const usage = recordAt(recordAt(recordAt(value, 'payload'), 'info'), 'total_token_usage');
    return [{ at: timeOf(row) ?? loop.startedAt, ...tokensSpent(usage, 'cached_input_tokens') }];
  });
  const last = totals.at(-1);
  if (last === undefined) return { used: null, note: null };
  // The session may be older than the loop.
  const earlier = totals.findLast(({ at }) => at < loop.startedAt) ?? NOT_TOLD;
  return countTotal(counting, last.tokens, earlier.tokens, textOrNull(payload['model']));
}
