/** The port: who is told that something happened to a loop. A sink may fail; that never disturbs the loop. */
import { notices, type Notice } from '../core/notices.ts';
import type { Event } from '../core/record/events.ts';
import type { Loop } from '../core/loop.ts';

export interface Sink {
  /** Told after the event is recorded, in the order of the record. It must not wait: what takes time is handed on. */
  readonly tell: (notice: Notice) => void;
}

export function tellSinks(sinks: readonly Sink[], before: Loop | null, after: Loop, event: Event): void {
  for (const notice of notices(before, after, event))
    for (const sink of sinks) {
      try {
        sink.tell(notice);
      } catch {
        // The record has it. Whoever missed it finds it there.
      }
    }
}
