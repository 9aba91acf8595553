/** Keeps the latest notices in memory, for a program that wants to see what happened while it watched. */
import type { Notice } from '../core/notices.ts';
import type { Sink } from './sink.ts';

/** Memory stays bounded even if the program never reads them. */
const MOST = 1_000;

export interface MemorySink extends Sink {
  /** The oldest comes first. */
  readonly notices: () => readonly Notice[];
}

export function memorySink(): MemorySink {
  let kept: readonly Notice[] = [];
  return {
    tell: (notice) => (kept = [...kept.slice(1 - MOST), notice]),
    notices: () => kept,
  };
}
