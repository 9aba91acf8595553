/**
 * Whoever writes to the record tells people, once the write is true: a worker what it shipped, a person's hand what it did.
 * So a pass that did not count, or a loop that was taken over, tells nobody twice.
 */
import { fold } from '../core/fold/index.ts';
import type { Loop } from '../core/loop.ts';
import { notices, type Notice } from '../core/notices.ts';
import type { Event } from '../core/record/events.ts';

/** `known`: what was in the record before. Each call gets the events after those of the last one. */
export function followNotices(known: readonly Event[]): (written: readonly Event[]) => Notice[] {
  let loop = known.reduce<Loop | null>(fold, null);
  return (written) =>
    written.flatMap((event) => {
      const before = loop;
      loop = fold(before, event);
      return loop === null
        ? []
        : notices(before, loop, event).map((notice) => ({ ...notice, ofFleet: true }));
    });
}
