/** What hosts share that record a session in JSON lines: where the file is, and what its rows tell. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Loop } from '../core/loop.ts';
import { parseAs, record, whole } from '../core/shape.ts';
import type { Count, LedgerBlob } from './arrival.ts';
import { readSince, timeOf } from './rows.ts';

const ledgerOf = record({ offset: whole });

/**
 * The tokens of the answers since the last count. `answer`: the id of an answer and its tokens in a row; the last row of
 * an answer counts. These hosts tell no price.
 */
export function countRows(path: string, answer: RegExp, { startedAt }: Loop, ledger: LedgerBlob): Count {
  if (!existsSync(path)) return { used: null, note: null };
  const { rows, from } = readSince(path, parseAs(ledgerOf, ledger.read())?.offset ?? 0);
  const tokens = new Map<string, number>();
  for (const row of rows.split('\n')) {
    const [, id, told] = answer.exec(row) ?? [];
    if (id !== undefined && (timeOf(row) ?? startedAt) >= startedAt) tokens.set(id, Number(told));
  }
  ledger.write(JSON.stringify({ offset: from + rows.length }));
  return { used: { costUsd: 0, tokens: [...tokens.values()].reduce((a, b) => a + b, 0) }, note: null };
}

/** The transcript in this folder whose path ends so; null: there is none. */
export function transcriptIn(folder: string, session: string, end: string): string | null {
  if (!/^[\w-]+$/.test(session) || !existsSync(folder)) return null;
  const name = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find((path) => path.endsWith(end));
  return name === undefined ? null : join(folder, name);
}

const MODEL = /"model":"([^"]+)"/;

/** The model that wrote a row; null: it does not say. */
export function modelIn(row: string): string | null {
  return MODEL.exec(row)?.[1] ?? null;
}
