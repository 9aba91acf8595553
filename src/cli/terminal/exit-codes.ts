/** The exit codes and their meaning: one table for the program, its help and its docs. */
import type { Loop } from '../../core/loop.ts';

export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  exhausted: 3,
  escalated: 4,
  cancelled: 5,
  aborted: 6,
  unfinished: 7,
  fatal: 8,
  stuck: 9,
} as const;

/** Codes from 3 on tell the state of the loop that `start` or `run` drove. */
export const EXIT_CODES: readonly { readonly code: number; readonly meaning: string }[] = [
  { code: EXIT.ok, meaning: 'done; after start and run: the loop is completed, or there is nothing to do' },
  { code: EXIT.failed, meaning: 'it could not be done, and the error says why' },
  { code: EXIT.usage, meaning: 'wrong usage; nothing was changed' },
  { code: EXIT.exhausted, meaning: 'a limit ended the loop (exhausted)' },
  { code: EXIT.escalated, meaning: 'the loop needs a person (escalated)' },
  { code: EXIT.cancelled, meaning: 'the loop was cancelled' },
  { code: EXIT.aborted, meaning: 'the record of the loop could not be trusted (aborted)' },
  { code: EXIT.unfinished, meaning: 'the loop has not ended (paused, interrupted) and can be resumed' },
  {
    code: EXIT.fatal,
    meaning: 'an error of the host that no retry can fix: no login, no credit, no such model',
  },
  { code: EXIT.stuck, meaning: 'stuck: no progress' },
];

export function exitCodeOf({ status }: Pick<Loop, 'status'>): number {
  switch (status.is) {
    case 'completed':
      return EXIT.ok;
    case 'exhausted':
      return EXIT.exhausted;
    case 'stuck':
      return EXIT.stuck;
    case 'escalated':
      return status.why.is === 'fatal' ? EXIT.fatal : EXIT.escalated;
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

/** Receives the exit code of the command that ran. */
export type SetExit = (code: number) => void;
