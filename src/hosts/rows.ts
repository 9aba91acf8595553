/** What the rows of the files tell in which hosts record a session, in JSON lines. */
import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import type { Loop } from '../core/loop.ts';
import { parseAs, record, whole } from '../core/shape.ts';
import { readEnd, WITH_LINKS } from '../files/read.ts';
import type { Count, LedgerBlob, Look } from './arrival.ts';

/** One pass rarely writes more. This bounds the cost of a look for any file size. */
const MOST_READ = 4 * 1024 * 1024;
const TIMESTAMP = /"timestamp":"([^"]+)"/;

/** From where the last look ended. `tool`: what only the row of a tool call holds. Rows from before the loop do not count. */
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

/** One character per byte. A first search in a buffer takes 0.2 ms, because Node compiles its code for that. */
export function readSince(path: string, offset: number): { rows: string; from: number } {
  const file = openSync(path, WITH_LINKS);
  try {
    const { size } = fstatSync(file);
    const from = Math.max(size < offset ? 0 : offset, size - MOST_READ);
    const bytes = Buffer.allocUnsafe(size - from);
    const read = bytes.toString('latin1', 0, readSync(file, bytes, 0, bytes.length, from));
    // A row that is still being written is read whole next time.
    return { rows: read.slice(0, read.lastIndexOf('\n') + 1), from };
  } finally {
    closeSync(file);
  }
}

/**
 * The tokens of the answers since the last count. `answer`: the id of an answer and its tokens in a row, in one figure
 * or in several; the last row of an answer counts. These hosts tell no price.
 */
export function countRows(answer: RegExp) {
  return (path: string, { startedAt }: Loop, ledger: LedgerBlob): Count => {
    if (!existsSync(path)) return { used: null, note: null };
    const counted = parseAs(record({ offset: whole }), ledger.read());
    const { rows, from } = readSince(path, counted?.offset ?? 0);
    ledger.write(JSON.stringify({ offset: from + rows.length }));
    return { used: { costUsd: 0, tokens: tokensSince(rows, answer, startedAt) }, note: null };
  };
}

/** Of hosts that tell the tokens of the whole session. `before`: those from before the loop. */
export function countTotal(ledger: LedgerBlob, tokens: number, before: number): Count {
  const counted = parseAs(record({ tokens: whole }), ledger.read())?.tokens ?? before;
  ledger.write(JSON.stringify({ tokens }));
  return { used: { costUsd: 0, tokens: Math.max(0, tokens - counted) }, note: null };
}

/** The tokens of the answers in these rows that were written since then. */
export function tokensSince(rows: string, answer: RegExp, since: string): number {
  const tokens = new Map<string, number>();
  for (const row of rows.split('\n')) {
    const [, id, ...told] = answer.exec(row) ?? [];
    if (id !== undefined && (timeOf(row) ?? since) >= since) tokens.set(id, sum(told.map(Number)));
  }
  return sum([...tokens.values()]);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => a + b, 0);
}
