/** A journal in memory: a list of events that every reader shares. Positions are counts of events. */
import { NewerJournal, type Journal } from '../journal.ts';
import { readEvent, type Event } from '../../core/events.ts';

export interface Shared {
  /** As they were written: a reader gets events of its own. */
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
    read: (from) => ({ events: lines.slice(from).flatMap(parse), upTo: lines.length, broken: null }),
    end: () => lines.length,
    raw: () => Buffer.from(lines.map((line) => `${line}\n`).join('')),
    watch: (grown) => {
      // A function of its own: one who watches twice is told twice.
      const tell = () => (watchers.has(tell) ? grown() : undefined);
      watchers.add(tell);
      return () => void watchers.delete(tell);
    },
    close: () => undefined,
  };
}

function parse(line: string): Event[] {
  const read = readEvent(JSON.parse(line));
  if (read.is === 'newer') throw new NewerJournal(read.version);
  return read.is === 'event' ? [read.event] : [];
}
