/** Folds events into a loop: pure, one event at a time, and of bounded size however long the journal is. */
import type { Event } from '../record/events.ts';
import { begin } from './begin.ts';
import { happened } from './lifecycle.ts';
import { settleRequests } from './requests.ts';
import { claimed, judged } from './stop.ts';
import { hasEnded, type Loop } from '../loop.ts';

export function fold(loop: Loop | null, event: Event): Loop | null {
  if (event.type === 'created') return loop ?? begin(event);
  if (loop === null) return null;
  const applied = apply(loop, event);
  // Most loops never ask, so they never load the code that follows what was asked.
  const next = applied.people.requests.length === 0 ? applied : settleRequests(applied);
  const activeAt = isActivity(event) ? event.at : loop.activeAt;
  return {
    ...next,
    clock: tick(loop, next, event),
    events: loop.events + 1,
    updatedAt: event.at,
    activeAt,
  };
}

/**
 * The current stop, and events that belong to it before its verdict, do not count as activity. Staleness is measured
 * from what came before them.
 */
function isActivity(event: Event): boolean {
  return (
    event.type !== 'stop' && event.type !== 'lost' && !(event.type === 'bound' && event.how === 'takeover')
  );
}

/** Events that a hearing writes are folded here. All others are in `lifecycle.ts`, which a common stop never loads. */
function apply(loop: Loop, event: Exclude<Event, { type: 'created' }>): Loop {
  if (event.type !== 'stop' && event.type !== 'verdict') return happened(loop, event);
  // An ended loop stays ended: any later event in the file, even a verdict, is void.
  if (hasEnded(loop)) return loop;
  return event.type === 'stop' ? claimed(loop, event) : judged(loop, event);
}

/** The clock runs while the loop is being worked on. A hold, a pause or an interruption stops it. */
function tick(before: Loop, after: Loop, event: Event): Loop['clock'] {
  const { since } = after.clock;
  const runs = after.status.is === 'running' && !after.session.awaited;
  const died = since !== null && hadDied(before, event);
  if (runs && !died) return { ...after.clock, since: since ?? event.at };
  if (since === null) return after.clock;
  const until = died ? before.updatedAt : event.at;
  const workedMs = after.clock.workedMs + Math.max(0, Date.parse(until) - Date.parse(since));
  return { workedMs, since: runs ? event.at : null, until };
}

/**
 * A running loop is resumed, moved to another machine or taken by another driver only if its process is gone. We don't
 * know when that died, so nothing after the last event counts as work: else a kill in the evening would use up the time
 * until the morning.
 */
function hadDied({ driver, session: { owner } }: Loop, event: Event): boolean {
  return (
    event.type === 'resumed' ||
    event.type === 'moved' ||
    (event.type === 'taken' &&
      driver === 'fresh' &&
      (owner?.process !== event.process || owner.machine !== event.machine))
  );
}
