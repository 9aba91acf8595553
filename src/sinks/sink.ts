/** The sink port: a sink is told when something happens to a loop. If a sink fails, the loop goes on undisturbed. */
import { notices, type Notice } from '../core/notices.ts';
import type { Event } from '../core/record/events.ts';
import type { Loop } from '../core/loop.ts';

export interface Sink {
  /**
   * Called after the event is recorded, in the order of the record. It must return at once and do slow work elsewhere.
   */
  readonly tell: (notice: Notice) => void;
}

export function tellSinks(sinks: readonly Sink[], before: Loop | null, after: Loop, event: Event): void {
  for (const notice of notices(before, after, event))
    for (const sink of sinks) {
      try {
        sink.tell(notice);
      } catch {
        // The event is in the record, where it can still be found.
      }
    }
}
