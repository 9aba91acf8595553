/** The smallest sink: keeps notices, for tests. */
import type { Notice } from '../../src/core/notices.ts';
import type { Sink } from '../../src/sinks/sink.ts';

export interface MemorySink extends Sink {
  /** The oldest comes first. */
  readonly notices: () => readonly Notice[];
}

export function memorySink(): MemorySink {
  let kept: readonly Notice[] = [];
  return {
    tell: (notice) => (kept = [...kept, notice]),
    notices: () => kept,
  };
}
