/** From events to the loop they tell of: pure, one event at a time, and of bounded size however long the journal. */
import type { Event } from '../record/events.ts';
import { begin, happened } from './lifecycle.ts';
import { claimed, judged } from './stop.ts';
import { hasEnded, type Loop } from '../loop.ts';

export function fold(loop: Loop | null, event: Event): Loop | null {
  if (event.type === 'created') return loop ?? begin(event);
  if (loop === null) return null;
  const next = apply(loop, event);
  const activeAt = isActivity(event) ? event.at : loop.activeAt;
  return {
    ...next,
    clock: tick(loop, next, event.at),
    events: loop.events + 1,
    updatedAt: event.at,
    activeAt,
  };
}

/** The stop at hand, and what comes of it before it is judged, are no sign of life: staleness looks behind them. */
function isActivity(event: Event): boolean {
  return (
    event.type !== 'stop' && event.type !== 'lost' && !(event.type === 'bound' && event.how === 'takeover')
  );
}

/** What a hearing writes is folded here; all else is in `happened.ts`, which a common stop never needs. */
function apply(loop: Loop, event: Event): Loop {
  if (event.type !== 'stop' && event.type !== 'verdict') return happened(loop, event);
  // An ending stands: what comes after it in file order, a verdict included, is void.
  if (hasEnded(loop)) return loop;
  return event.type === 'stop' ? claimed(loop, event) : judged(loop, event);
}

/** The clock runs while someone works on the loop; a hold, a pause or an interruption stops it. */
function tick(before: Loop, after: Loop, at: string): Loop['clock'] {
  const since = before.clock.since;
  const runs = after.status.is === 'running' && !after.awaited;
  if (runs) return { ...after.clock, since: since ?? at };
  if (since === null) return after.clock;
  const workedMs = after.clock.workedMs + Math.max(0, Date.parse(at) - Date.parse(since));
  return { workedMs, since: null, until: at };
}
