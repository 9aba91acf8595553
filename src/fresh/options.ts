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
  /** Keeps the work of each pass in git, where that was asked for. */
  readonly keeper: Keeper | null;
}
