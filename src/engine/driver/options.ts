/** The options of the fresh driver: the host, the signals that stop it, and where it reports. */
import type { Spent } from '#hosts/port/stream.ts';
import type { WaitFor } from '#law/loop.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import type { Runtime } from '#store/runtime.ts';
import type { Audience } from '#telling/advice.ts';
import type { HostPlace } from './pass/run-pass.ts';
import type { Keeper } from './keep-work.ts';
import type { RunEventBody } from '../run-event.ts';

export interface Barrier {
  readonly is: 'taken' | 'recorded';
  readonly upTo: number;
}

export interface DueWait {
  readonly for: WaitFor;
  readonly until: string;
}

/** `parked`: whoever runs the driver lets the loop go, and takes it up again when the wait is over. */
export type WaitOutcome = 'over' | 'stopped' | 'parked';

export interface FreshRun extends Omit<HostPlace, 'cwd'> {
  readonly permissionMode: string | null;
  readonly now: AbortSignal;
  readonly soon: AbortSignal;
  /** False: the reader is behind, and the host may wait for `drained`. */
  readonly tell: (what: RunEventBody) => boolean;
  readonly drained: () => Promise<void>;
  /** What a pass has used, before it is judged. */
  readonly traceSpent?: (spent: Spent | null) => void;
  /** From 0 up to, not including, 1. */
  readonly chance: () => number;
  /**
   * Awaited after a pass was taken up, before it costs anything, and after its result is recorded. On one
   * machine it resolves at once; a fleet ships the record in the meantime. `lost`: the loop belongs to
   * another worker now. `mostUsd`: what the account of the loop has left for this pass.
   */
  readonly settled: (barrier: Barrier) => Promise<'ours' | 'lost' | { readonly mostUsd: number }>;
  /**
   * Asked before each wait. On one machine the process itself waits. A fleet parks the loop: the driver
   * returns, nothing is left running, and the next driver goes on from the record. `over`: it was parked for
   * this wait, and the clock of the fleet says that it is over, whatever the clock of this machine says.
   */
  readonly wait: (wait: DueWait) => Promise<'here' | 'parked' | 'over'>;
  /** How long a host gets to end by itself when asked. */
  readonly graceMs?: number;
  /** Who reads what it tells. Left out: somebody at a terminal of this machine. */
  readonly audience?: Audience;
  readonly keeper: Keeper | null;
}

export interface Drive {
  readonly open: OpenLoop;
  readonly run: FreshRun;
  readonly runtime: Runtime;
}
