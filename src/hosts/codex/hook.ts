/** Codex as a host that calls our hook. Measured on 0.166.0. */
import type { Loop } from '../../core/loop.ts';
import type { Count, Host, LedgerBlob } from '../arrival.ts';
import { EVENTS, familyHost } from '../family.ts';
import { countTotal, lastRows, timeOf } from '../rows.ts';
import { CODEX } from '../names.ts';

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
const TOTAL = /"total_token_usage":\{[^}]*"total_tokens":(\d+)/;

/** Codex tells tokens, and no price. */
function countTokens(path: string, { startedAt }: Loop, ledger: LedgerBlob): Count {
  const totals = lastRows(path).flatMap((row) => {
    const total = TOTAL.exec(row)?.[1];
    return total === undefined ? [] : [{ tokens: Number(total), at: timeOf(row) ?? startedAt }];
  });
  const last = totals.at(-1);
  if (last === undefined) return { used: null, note: null };
  // The session may be older than the loop.
  const earlier = totals.findLast(({ at }) => at < startedAt);
  return countTotal(ledger, last.tokens, earlier?.tokens ?? 0);
}
