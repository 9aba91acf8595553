/** One open loop: its record, its state so far, and the blobs beside it. The same for every adapter. */
import type { Event } from '#law/record/events.ts';
import { fold } from '#law/fold/index.ts';
import { hasEnded, projectsOf, type Loop } from '#law/loop.ts';

export interface OpenLoop {
  readonly journal: Journal;
  readonly blobs: Blobs;
  /** A folder of this loop, for what other programs read and write: git's objects, the output of a check. */
  readonly folder: (name: string) => string;
  readonly loop: () => Loop;
  readonly look: () => Loop;
  /**
   * Appends, then reads. It returns what the record says now, which may differ from what the writer expected.
   */
  readonly write: (event: Event) => Loop;
  /** Non-null when a whole line of the record is not an event (rule 4). */
  readonly broken: () => string | null;
  readonly keep: () => void;
  readonly close: () => void;
}

/** The folded state up to a position, so that a long record costs no more to read. */
export interface Cached {
  readonly upTo: number;
  readonly loop: Loop;
}

export interface LoopParts extends Pick<OpenLoop, 'journal' | 'blobs' | 'folder'> {
  readonly readCache: () => Cached | null;
  readonly writeCache: (cached: Cached) => void;
}

/**
 * Null when the record does not begin with a loop. Throws when it can't be read now, or only by a later
 * version of Da Capo.
 */
export function followRecord({ journal, blobs, folder, readCache, writeCache }: LoopParts): OpenLoop | null {
  let state: Loop | null = null;
  let upTo = 0;
  let broken: string | null = null;

  const read = (): Loop | null => {
    // Nearly every look finds nothing new. Return before the code that reads events is loaded.
    if (state !== null && journal.end() === upTo) return state;
    const reading = journal.read(upTo);
    for (const event of reading.events) state = fold(state, event);
    if (state === null && reading.otherVersion !== undefined) throw new Error(reading.otherVersion);
    upTo = reading.upTo;
    broken ??= reading.broken;
    return state;
  };
  const look = (): Loop => {
    const loop = read();
    if (loop === null) throw new Error('the journal does not begin with a loop');
    return loop;
  };
  let begins = false;
  try {
    const cached = readCache();
    const end = journal.end();
    if (cached !== null && cached.upTo <= end) ({ loop: state, upTo } = cached);
    begins = (state !== null && upTo === end) || read() !== null;
  } finally {
    if (!begins) journal.close();
  }
  if (!begins) return null;
  return {
    journal,
    blobs,
    folder,
    loop: () => state ?? look(),
    look,
    write: (event) => {
      const grown = journal.append(event);
      // Unless another process wrote in between, the record holds our event and no more: no need to read it
      // back.
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

/**
 * The record of one loop, append-only. There is no lock. A claim carries the position that its writer
 * expected (its ordinal); in the order of the record the first claim on an ordinal wins, and `fold` voids the
 * rest. So an adapter owes three things only: an append is whole or absent, the order is the same for every
 * reader, and what `settle` returned from survives a crash.
 */
export interface Journal {
  /** Returns by how much the record grew. */
  append(event: Event): number;
  settle(): void;
  read(from: number): JournalReading;
  end(): number;
  /** The record as it is stored, for a copy that is kept as evidence. */
  raw(): Uint8Array;
  /** Calls back after the record grew, until the returned function is called. */
  watch(grown: () => void): () => void;
  close(): void;
}

export interface JournalReading {
  readonly events: readonly Event[];
  readonly upTo: number;
  /** Set when a whole line is not an event: the record can't be trusted. */
  readonly broken: string | null;
  /** The message for the person when we can't read the version of the record. Then no event is returned. */
  readonly otherVersion?: string;
}

/**
 * What a loop keeps beside its journal, each blob under a name such as `prompts/KEY.md`. The room that owns a
 * kind of blob has the small functions that give it a type.
 */
export interface Blobs {
  readonly read: (name: string) => string | null;
  /**
   * Replaces it as a whole: a reader finds the old content or the new, never half of it. `durable`: for
   * content that can't be made again; it survives a crash of the machine.
   */
  readonly write: (name: string, content: string, options?: { readonly durable?: boolean }) => void;
  /** Never overwrites: a name that is taken gets a number. Returns the name under which it is kept. */
  readonly keep: (name: string, content: string | Uint8Array) => string;
  readonly list: (prefix: string) => readonly string[];
  readonly remove: (name: string) => void;
  /** Where it is, for messages to a person or an agent. */
  readonly place: (name: string) => string;
}

/** What a list keeps of a loop. */
export interface Summary {
  readonly id: string;
  /** Changes whenever the record grows. Without a space. */
  readonly stamp: string;
  readonly projects: readonly string[];
  readonly ended: boolean;
  readonly updatedAt: string;
}

interface ReadLoop {
  readonly id: string;
  readonly loop: Loop;
  readonly broken: string | null;
}

/** Null: its record has a line that is not an event. Such a loop is opened at each look, which says why. */
export function summarize({ id, loop, broken }: ReadLoop, stamp: string): Summary | null {
  if (broken !== null) return null;
  return { id, stamp, projects: [...projectsOf(loop)], ended: hasEnded(loop), updatedAt: loop.updatedAt };
}

/** `stop-3.txt`, `stop-3-2.txt`, `stop-3-3.txt`… */
export function numbered(name: string, copy: number): string {
  if (copy === 1) return name;
  const dot = name.lastIndexOf('.');
  return dot <= name.lastIndexOf('/') + 1
    ? `${name}-${copy}`
    : `${name.slice(0, dot)}-${copy}${name.slice(dot)}`;
}
