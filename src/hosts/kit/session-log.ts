/** Reads the files in which hosts record a session, in JSON lines. */
import { existsSync } from 'node:fs';
import type { Loop } from '#law/loop.ts';
import { isRecord, parseAs, record, recordAt, textAt, textOrNull, whole } from '#base/shape.ts';
import { readEnd, readSince } from '#base/files/read.ts';
import type { Count, HookPayload, LedgerBlob, Look } from '../port/arrival.ts';
import { estimate, sayUnpriced, type Prices } from '../prices/prices.ts';
import { combined, sumOf, tokensShape, type Tokens } from '../port/stream.ts';
import { tokensTold, type JsonFields, type TokenKeys } from './stream-lines.ts';

/** What a count of a session's record goes by. */
export interface Counting {
  readonly path: string;
  readonly payload: HookPayload;
  readonly loop: Loop;
  readonly ledger: LedgerBlob;
  readonly prices: Prices;
}

export type CountRecord = (counting: Counting) => Count;

const TIMESTAMP = /"timestamp":"([^"]+)"/;

/**
 * From where the last look ended. `tool`: what only the row of a tool call holds. Rows from before the loop
 * do not count.
 */
export function lookAtRows(path: string, tool: RegExp, since: Look['queue'], notBefore: string): Look {
  try {
    const { rows, from } = readSince(path, since.offset);
    const isCall = (row: string) => tool.test(row) && (timeOf(row) ?? notBefore) >= notBefore;
    return {
      queue: { offset: from + rows.length, waiting: 0 },
      taken: false,
      toolUsed: rows.split('\n').some(isCall),
    };
  } catch {
    // We do not accuse an agent of idleness that we can't see.
    return { queue: since, taken: false, toolUsed: true };
  }
}

export function timeOf(row: string): string | null {
  return TIMESTAMP.exec(row)?.[1] ?? null;
}

/** Enough for the last answer, and for what a host writes after it. */
export function lastRows(path: string): string[] {
  return readEnd(path, 1024 * 1024).split('\n');
}

interface ModelUsage {
  readonly model: string | null;
  readonly tokens: Tokens;
}

/** `sign`: what only a row with the usage of an answer holds. Of several rows with one id the last counts. */
export interface UsageRows {
  readonly sign: string;
  readonly read: (row: JsonFields) => ModelUsage & { readonly id: string };
}

/** `id`, `usage`: the fields of a row in which they stand. */
export function usageAt(id: string, usage: string, keys: TokenKeys): UsageRows {
  const read: UsageRows['read'] = (row) => ({
    id: textAt(row, id),
    model: textOrNull(row['model']),
    tokens: tokensTold(recordAt(row, usage), keys),
  });
  return { sign: `"${usage}":{`, read };
}

/** The answers in these rows that were written since then. */
export function usageSince(rows: string, { sign, read }: UsageRows, since: string): ModelUsage[] {
  const answers = new Map<string, ModelUsage>();
  for (const row of rows.split('\n')) {
    const value = row.includes(sign) && (timeOf(row) ?? since) >= since ? parseAs(isRecord, row) : null;
    if (value !== null) answers.set(read(value).id, read(value));
  }
  return [...answers.values()];
}

/** The answers since the last count. */
export function countRows(usage: UsageRows): CountRecord {
  return ({ path, loop, ledger, prices }) => {
    if (!existsSync(path)) return { used: null, note: null };
    const counted = parseAs(record({ offset: whole }), ledger.read());
    const { rows, from } = readSince(path, counted?.offset ?? 0);
    ledger.write(JSON.stringify({ offset: from + rows.length }));
    return estimated(usageSince(rows, usage, loop.startedAt), loop, prices);
  };
}

/** Of hosts that tell the tokens of the whole session. `before`: those from before the loop. */
export function countTotal(
  { loop, ledger, prices }: Counting,
  total: Tokens,
  before: Tokens,
  model: string | null,
): Count {
  const counted = parseAs(tokensShape, ledger.read()) ?? before;
  ledger.write(JSON.stringify(total));
  return estimated([{ model, tokens: combined(total, counted, (a, b) => Math.max(0, a - b)) }], loop, prices);
}

/** These hosts tell no price. */
function estimated(answers: readonly ModelUsage[], { limits }: Loop, prices: Prices): Count {
  let [costUsd, tokens] = [0, 0];
  const unknown = new Set<string>();
  for (const answer of answers.filter((one) => sumOf(one.tokens) > 0)) {
    const cost = estimate(answer.model, answer.tokens, prices, limits.costUsd !== null);
    tokens += sumOf(answer.tokens);
    costUsd += cost?.costUsd ?? 0;
    if (cost?.isDearest === true) unknown.add(answer.model ?? 'this model');
  }
  const note = unknown.size === 0 ? null : `Da Capo: ${sayUnpriced([...unknown].join(', '))}.`;
  return { used: { costUsd, tokens, estimated: true }, note };
}
