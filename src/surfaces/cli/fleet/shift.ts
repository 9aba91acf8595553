/**
 * How long a worker works, and what its exit code tells the engine that started it. The codes are those of
 * `sysexits.h`, which schedulers know.
 */
import { refuse } from '#base/refusal.ts';
import type { Shift, ShiftEnd } from '#fleet/worker/worker.ts';
import type { Reading } from '#input/values.ts';
import type { GivenFlags } from '../command.ts';

export interface ShiftOptions extends GivenFlags<'once', 'loop'> {
  /** In milliseconds, as the next two. */
  readonly untilIdle: number | undefined;
  readonly maxTime: number | undefined;
  readonly grace: number | undefined;
}

export function readShift(options: ShiftOptions, capacity: number): Reading<Shift> {
  const { once, loop, untilIdle, maxTime, grace } = options;
  const isForOne = once || loop !== undefined;
  if (isForOne && capacity !== 1)
    return refuse('once', '--once takes one loop, so --capacity is 1.', 'Leave --capacity out.');
  return {
    ok: true,
    value: {
      maxLoops: isForOne ? 1 : null,
      idleMs: untilIdle ?? (isForOne ? 0 : null),
      maxMs: maxTime ?? null,
      graceMs: grace ?? null,
    },
  };
}

const WORKER_EXIT: Readonly<Record<ShiftEnd['is'], number>> = {
  ended: 0,
  'not-ours': 69,
  trouble: 71,
  again: 75,
};

/** The last line of a worker for one loop. */
export type WorkerExit = { readonly is: 'exits'; readonly code: number } & (
  | { readonly loop: string; readonly status: string }
  | { readonly loop: string | null; readonly when: string }
  | { readonly loop: string | null; readonly why: string }
  | { readonly loop: string | null }
);

export function exitOf({ is, ...facts }: ShiftEnd): WorkerExit {
  return { is: 'exits', code: WORKER_EXIT[is], ...facts };
}

export function sayExit(exit: WorkerExit): string {
  const code = `exit code ${exit.code}`;
  if ('status' in exit) return `loop ${exit.loop} is ${exit.status} (${code}).`;
  if ('when' in exit) return `run this again from ${exit.when} on (${code}).`;
  if ('why' in exit) return `this machine could not work on loop ${exit.loop}: ${exit.why} (${code}).`;
  if (exit.loop === null) return `there is no loop to take (${code}).`;
  return `loop ${exit.loop} is another worker's, or this one can't take it (${code}).`;
}
