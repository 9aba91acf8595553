/** What a person can do about a loop that stands still or has ended: said at its end, and where a resume is refused. */
import { topFrame, type Loop } from '../core/loop.ts';
import { duration } from '../core/say.ts';
import { sayTokens, sayUsd } from '../core/usage-words.ts';

/** Null: nothing is left to do. */
export function nextStep(loop: Loop): string | null {
  const { id, status } = loop;
  const explain = `dacapo explain ${id} tells why`;
  switch (status.is) {
    case 'completed':
      return null;
    case 'exhausted': {
      const bound = fixedBound(loop);
      return bound === null
        ? `${withMore(loop)} goes on; ${explain}`
        : `${explain}; its work stays, and a new dacapo run with a larger ${bound.flag} goes on from it`;
    }
    case 'cancelled':
      return `dacapo resume ${id} reopens it`;
    case 'aborted':
      return explain;
    case 'escalated':
    case 'stuck':
      return `${explain}; dacapo resume ${id} goes on when that is mended`;
    case 'pending':
    case 'running':
    case 'waiting':
    case 'paused':
    case 'interrupted':
      return `dacapo resume ${id} goes on, dacapo cancel ${id} ends it`;
  }
}

/** The command that gives it iterations: half as many again, and at least five. */
export function withMore(loop: Loop): string {
  const { passes, iterations } = topFrame(loop);
  const more = Math.max(5, Math.ceil((iterations ?? passes) / 2));
  return `dacapo resume ${loop.id} --max-iterations ${passes + more}`;
}

interface FixedBound {
  readonly what: string;
  readonly flag: string;
  /** How it is given to a new loop. */
  readonly given: string;
}

/** The limit that ended it, where none can be given anew. */
export function fixedBound({ status, timeMs, costUsd, tokens }: Loop): FixedBound | null {
  if (status.is !== 'exhausted') return null;
  switch (status.limit) {
    case 'iterations':
      return null;
    case 'time':
      return { what: `its time of ${duration(timeMs ?? 0)}`, flag: '--timeout', given: '--timeout DURATION' };
    case 'items':
      return { what: 'as many items as it may', flag: '--max-items', given: '--items FILE --max-items N' };
    case 'cost':
      return { what: `its ${sayUsd(costUsd ?? 0)}`, flag: '--max-cost', given: '--max-cost USD' };
    case 'tokens':
      return { what: `its ${sayTokens(tokens ?? 0)} tokens`, flag: '--max-tokens', given: '--max-tokens N' };
  }
}
