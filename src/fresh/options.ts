/** What the fresh driver is given: the host, how it is stopped, whom it tells. */
import type { HostPlace } from './host-process.ts';
import type { Keeper } from './keep-work.ts';
import type { What } from './happening.ts';

export interface FreshRun extends Omit<HostPlace, 'cwd'> {
  /** What the agents may do without being asked. */
  readonly permissionMode: string | null;
  /** Aborted: stop now. */
  readonly now: AbortSignal;
  /** Aborted: stop after this iteration. */
  readonly soon: AbortSignal;
  /** False: who reads is behind, and the host may wait for `drained`. */
  readonly tell: (what: What) => boolean;
  readonly drained: () => Promise<void>;
  /** From 0 up to, not including, 1. */
  readonly chance: () => number;
  /**
   * Awaited when a pass was taken up, before it costs anything, and when all that came of it is recorded. On one machine it
   * resolves at once; a fleet ships the record meanwhile. `lost`: the loop is another worker's by now.
   */
  readonly settled: () => Promise<'ours' | 'lost'>;
  /** Keeps the work of each pass in git, where that was asked for. */
  readonly keeper: Keeper | null;
}
