/** Codex as a host that calls our hook. Measured on 0.166.0. */
import { join } from 'node:path';
import type { Loop } from '../../core/loop.ts';
import { parseAs, record, textAt, whole } from '../../core/shape.ts';
import { readEnd } from '../../files/read.ts';
import type { Count, Host, LedgerBlob } from '../arrival.ts';
import { EVENTS, familyHost } from '../family.ts';
import { lookAtRows, timeOf } from '../rows.ts';
import { CODEX, LIMITS, TOOLS } from './names.ts';
import { codexHome } from './places.ts';

/** Its own name for the file that records a session. */
const ROLLOUT = /[\\/]rollout-[^\\/]*\.jsonl$/;

export const codex: Host = familyHost({
  name: CODEX.name,
  limits: LIMITS,
  // It sets no variable of its own, and events between turns have no turn.
  recognises: (payload) =>
    (typeof payload['turn_id'] === 'string' && 'model' in payload) ||
    ROLLOUT.test(textAt(payload, 'transcript_path')),
  events: EVENTS,
  chain: 'turn_id',
  tools: TOOLS,
  hostFiles: (project, env) => [
    ...[codexHome(env), join(project, '.codex')].flatMap((folder) =>
      ['hooks.json', 'config.toml', 'plugins'].map((name) => join(folder, name)),
    ),
    join(codexHome(env), 'sessions'),
  ],
  stop: (payload) => {
    const rows = textAt(payload, 'transcript_path');
    return {
      continuedByHook: payload['stop_hook_active'] === true,
      look: (since, notBefore) => lookAtRows(rows, TOOL_ROW, since, notBefore),
      count: async (loop, ledger) => countTokens(rows, loop, ledger),
    };
  },
});

const TOOL_ROW = /"type":"(?:function_call|custom_tool_call|mcp_tool_call|local_shell_call)"/;

const TOTAL = /"total_token_usage":\{[^}]*"total_tokens":(\d+)/;
/** A row with the usage of the whole session stands after every answer of the model. */
const LOOKED_AT = 1024 * 1024;
const ledgerOf = record({ tokens: whole });

/** Codex tells tokens, and no price. */
function countTokens(path: string, { startedAt }: Loop, ledger: LedgerBlob): Count {
  const totals = readEnd(path, LOOKED_AT)
    .split('\n')
    .flatMap((row) => {
      const total = TOTAL.exec(row)?.[1];
      return total === undefined ? [] : [{ tokens: Number(total), at: timeOf(row) ?? startedAt }];
    });
  const last = totals.at(-1);
  if (last === undefined) return { used: null, note: null };
  // The session may be older than the loop.
  const earlier = totals.findLast(({ at }) => at < startedAt);
  const before = parseAs(ledgerOf, ledger.read()) ?? earlier;
  ledger.write(JSON.stringify({ tokens: last.tokens }));
  return { used: { costUsd: 0, tokens: Math.max(0, last.tokens - (before?.tokens ?? 0)) }, note: null };
}
