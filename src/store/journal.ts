/**
 * The port: an append-only record of one loop. There is no lock. A claim carries the position that its writer
 * expected (its ordinal); in the order of the record the first claim on an ordinal wins, and `fold` voids the rest.
 * So an adapter owes three things only: an append is whole or absent, the order is the same for every reader,
 * and what `settle` returned from survives a crash.
 */
import type { Event } from '../core/record/events.ts';

export interface Journal {
  /** Returns by how much the record grew. */
  append(event: Event): number;
  /** Makes everything appended so far durable. */
  settle(): void;
  read(from: number): JournalReading;
  /** Where the record ends now. */
  end(): number;
  /** The record as it is stored, for a copy that is kept as evidence. */
  raw(): Uint8Array;
  /** Calls back after the record grew, until the returned function is called. */
  watch(grown: () => void): () => void;
  close(): void;
}

export interface JournalReading {
  readonly events: readonly Event[];
  /** Where the next reading begins. */
  readonly upTo: number;
  /** Set when a whole line is no event: the record can't be trusted. */
  readonly broken: string | null;
  /** Set when a later version of Da Capo wrote the record: the message for the person. No event is returned then. */
  readonly newer?: string;
}
