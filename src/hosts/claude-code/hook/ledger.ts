/** How far the transcripts of a session have been counted. Bounded, replaced whole, and begun again if it is lost. */
import { readAs, amount, list, maybe, orNull, record, text, whole, type Infer } from '../../../core/shape.ts';
import type { LedgerBlob } from '../../arrival.ts';

const used = record({ costUsd: amount, tokens: whole });
/** The last messages that were counted, with the usage of their rows so far. */
const messages = list(record({ id: text, costUsd: amount, tokens: whole }));
/** `seen`: a hash of the bytes before `upTo`. A file that has others there was rewritten. */
const seen = maybe(text);
const fileCount = record({ upTo: whole, messages, seen });
export type FileCount = Infer<typeof fileCount>;

const ledger = record({
  session: text,
  /** What the loop had spent before this session. */
  before: used,
  counted: used,
  main: orNull(fileCount),
  agents: list(record({ name: text, changed: text, upTo: whole, messages, seen })),
  /** Of the files whose count is no longer kept: when the youngest was last written. */
  forgotten: orNull(text),
  /** Models whose price is not known. */
  unpriced: list(text),
});
export type Ledger = Infer<typeof ledger>;

export const NOTHING: Omit<Ledger, 'session' | 'before'> = {
  counted: { costUsd: 0, tokens: 0 },
  main: null,
  agents: [],
  forgotten: null,
  unpriced: [],
};

export function readLedger(kept: LedgerBlob): Ledger | null {
  return readAs(ledger, kept.read);
}

export function keepLedger(kept: LedgerBlob, value: Ledger): void {
  kept.write(JSON.stringify(value));
}
