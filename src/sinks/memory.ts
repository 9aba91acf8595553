/** Keeps the last notices, for a program that wants to see what happened while it watched. */
import type { Notice } from '../core/notices.ts';
import type { Sink } from './sink.ts';

/** A program that never looks must not grow for it. */
const MOST = 1_000;

export interface MemorySink extends Sink {
  /** The oldest first. */
  readonly notices: () => readonly Notice[];
}

export function memorySink(): MemorySink {
  let kept: readonly Notice[] = [];
  return {
    tell: (notice) => (kept = [...kept.slice(1 - MOST), notice]),
    notices: () => kept,
  };
}
