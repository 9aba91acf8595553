/** One loop, open: its record, what it tells so far, and what is kept beside it. The same for every adapter. */
import type { Event } from '../core/events.ts';
import { fold } from '../core/fold/index.ts';
import type { Loop } from '../core/loop.ts';
import type { Blobs } from './blobs.ts';
import type { Journal } from './journal.ts';

export interface OpenLoop {
  readonly journal: Journal;
  readonly blobs: Blobs;
  /** A folder of the loop's own, for what other programs read and write: git's objects, the output of a check. */
  readonly folder: (name: string) => string;
  /** The loop as of the last look. */
  readonly loop: () => Loop;
  /** Reads what was appended since, by anyone. */
  readonly look: () => Loop;
  /** Appends, then looks: the answer is what the record says now, not what the writer hoped. */
  readonly write: (event: Event) => Loop;
  /** Non-null when a whole line of the record is no event (rule 4). */
  readonly broken: () => string | null;
  /** Settles the record and refreshes the cache. */
  readonly keep: () => void;
  readonly close: () => void;
}

/** The fold up to a position, so that reading stays flat. */
export interface Cached {
  readonly upTo: number;
  readonly loop: Loop;
}

export interface Parts extends Pick<OpenLoop, 'journal' | 'blobs' | 'folder'> {
  readonly readCache: () => Cached | null;
  readonly writeCache: (cached: Cached) => void;
}

/** Null when the record does not begin with a loop. Throws when only a later version of Da Capo can read it. */
export function follow({ journal, blobs, folder, readCache, writeCache }: Parts): OpenLoop | null {
  const found = readCache();
  const end = journal.end();
  const cached = found !== null && found.upTo <= end ? found : null;
  let state: Loop | null = cached?.loop ?? null;
  let upTo = cached?.upTo ?? 0;
  let broken: string | null = null;
  let newer: string | undefined;

  const look = (): Loop => {
    // Nearly every look finds nothing new, and then needs nothing that reads events.
    if (state !== null && journal.end() === upTo) return state;
    const reading = journal.read(upTo);
    newer = reading.newer;
    for (const event of reading.events) state = fold(state, event);
    upTo = reading.upTo;
    broken ??= reading.broken;
    if (state === null) throw new Error('the journal does not begin with a loop');
    return state;
  };
  try {
    if (upTo < end || state === null) look();
  } catch (error) {
    journal.close();
    if (newer !== undefined) throw new Error(newer, { cause: error });
    return null;
  }
  return {
    journal,
    blobs,
    folder,
    loop: () => state ?? look(),
    look,
    write: (event) => {
      const grown = journal.append(event);
      // Nobody else wrote in between, so the record says this and no more: no need to read it back.
      if (state === null || journal.end() !== upTo + grown) return look();
      upTo += grown;
      return (state = fold(state, event) ?? state);
    },
    broken: () => broken,
    keep: () => {
      journal.settle();
      // A cache past a broken line would hide it: rule 4 must find it again.
      if (state !== null && broken === null) writeCache({ upTo, loop: state });
    },
    close: () => journal.close(),
  };
}
