/** A journal in memory: a list of events that every reader shares. Positions are counts of events. */
import type { Journal, JournalReading } from '../open-loop.ts';
import { readEvent, type Event } from '../../core/record/events.ts';

export interface Shared {
  /** As JSON: each reader gets its own event objects. */
  readonly lines: string[];
  readonly watchers: Set<() => void>;
}

export function emptyJournal(): Shared {
  return { lines: [], watchers: new Set() };
}

export function memoryJournal({ lines, watchers }: Shared): Journal {
  return {
    append: (event) => {
      lines.push(JSON.stringify(event));
      for (const grown of watchers) queueMicrotask(grown);
      return 1;
    },
    settle: () => undefined,
    read: (from) => parse(lines, from),
    end: () => lines.length,
    raw: () => Buffer.from(lines.map((line) => `${line}\n`).join('')),
    watch: (grown) => {
      // A new function each time: a caller that watches twice is called twice.
      const tell = () => (watchers.has(tell) ? grown() : undefined);
      watchers.add(tell);
      return () => void watchers.delete(tell);
    },
    close: () => undefined,
  };
}

function parse(lines: readonly string[], from: number): JournalReading {
  const events: Event[] = [];
  for (const line of lines.slice(from)) {
    const read = readEvent(JSON.parse(line));
    if (read.is === 'newer') return { events: [], upTo: from, broken: null, newer: read.why };
    if (read.is === 'event') events.push(read.event);
  }
  return { events, upTo: lines.length, broken: null };
}
