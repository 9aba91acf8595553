/** What a person can do about a loop that stands still or has ended: said at its end. */
import type { Loop } from '../../core/loop.ts';
import { withMore } from './new-limits.ts';

/** Null: nothing is left to do. */
export function nextStep(loop: Loop, now: string): string | null {
  const { id, status } = loop;
  const explain = `dacapo explain ${id} tells why`;
  switch (status.is) {
    case 'completed':
      return null;
    case 'exhausted':
      return status.limit === 'items'
        ? `${explain}; its work stays, and a new dacapo run with a larger --max-items goes on from it`
        : `${withMore(loop, now)} goes on; ${explain}`;
    case 'cancelled':
      return `${withMore(loop, now)} reopens it`;
    case 'aborted':
      return explain;
    case 'escalated':
    case 'stuck':
      return `${explain}; ${withMore(loop, now)} goes on when that is mended`;
    // Not by this run, which is over: someone else has taken it up.
    case 'running':
    case 'waiting':
      return `it goes on elsewhere, and dacapo status ${id} shows how it stands`;
    case 'pending':
    case 'paused':
    case 'interrupted':
      return `dacapo resume ${id} goes on, dacapo cancel ${id} ends it`;
  }
}
