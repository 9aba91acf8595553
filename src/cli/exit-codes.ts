/** What the exit codes mean: one table, for the program, its help and its docs. */
import type { StatusWord } from '../core/loop.ts';

export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  exhausted: 3,
  escalated: 4,
  cancelled: 5,
  aborted: 6,
  unfinished: 7,
} as const;

/** From 3 on they tell how the loop stands that `start` or `run` has run. */
export const EXIT_CODES: readonly { readonly code: number; readonly meaning: string }[] = [
  { code: EXIT.ok, meaning: 'done; after start and run: the loop is completed' },
  { code: EXIT.failed, meaning: 'it could not be done, and the error says why' },
  { code: EXIT.usage, meaning: 'wrong usage; nothing was changed' },
  { code: EXIT.exhausted, meaning: 'a limit ended the loop (exhausted, stuck)' },
  { code: EXIT.escalated, meaning: 'the loop needs a person (escalated)' },
  { code: EXIT.cancelled, meaning: 'the loop was cancelled' },
  { code: EXIT.aborted, meaning: 'the record of the loop could not be trusted (aborted)' },
  { code: EXIT.unfinished, meaning: 'the loop has not ended (paused, interrupted), and can go on' },
];

/** How a command that ran a loop ends. */
export function exitCodeOf(status: StatusWord): number {
  switch (status) {
    case 'completed':
      return EXIT.ok;
    case 'exhausted':
    case 'stuck':
      return EXIT.exhausted;
    case 'escalated':
      return EXIT.escalated;
    case 'cancelled':
      return EXIT.cancelled;
    case 'aborted':
      return EXIT.aborted;
    case 'pending':
    case 'running':
    case 'waiting':
    case 'paused':
    case 'interrupted':
      return EXIT.unfinished;
  }
}
