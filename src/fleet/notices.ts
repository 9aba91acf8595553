/**
 * Whoever writes to the record tells people, once the write is true: a worker what it shipped, a person's hand what it did.
 * So a pass that did not count, or a loop that was taken over, tells nobody twice.
 */
import { fold } from '../core/fold/index.ts';
import type { Loop } from '../core/loop.ts';
import type { Event } from '../core/record/events.ts';
import type { Sink } from '../sinks/sink.ts';
import { tellSinks } from '../sinks/tell-sinks.ts';

/** `known`: what was in the record before. Each call gets the events after those of the last one. */
export function tellAfter(known: readonly Event[], sink: Sink): (written: readonly Event[]) => void {
  let loop = known.reduce<Loop | null>(fold, null);
  const sinks: Sink[] = [(notice) => sink({ ...notice, ofFleet: true })];
  return (written) => {
    for (const event of written) {
      const before = loop;
      loop = fold(before, event);
      if (loop !== null) tellSinks(sinks, before, loop, event);
    }
  };
}
