/** Loops on disk: making one, opening one, following its record. */
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import type { Event, EventOf } from '../core/events.ts';
import { fold } from '../core/fold/index.ts';
import type { Loop } from '../core/loop.ts';
import { readCache, writeCache } from './file/cache.ts';
import { openJournal } from './file/journal.ts';
import { isId, isTaken, makePrivateFolder, within, type Home } from './file/home.ts';
import type { Journal } from './journal.ts';

/** One loop, open: its record and what it tells so far. */
export interface OpenLoop {
  readonly dir: string;
  readonly journal: Journal;
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

/** Null when there is no such loop. */
export function openLoop(home: Home, id: string): OpenLoop | null {
  if (!isId(id)) return null;
  const dir = within(home.loops, id);
  let journal: Journal;
  try {
    journal = openJournal(within(dir, 'journal.jsonl'), { make: false });
  } catch {
    return null;
  }
  return follow(dir, journal);
}

function follow(dir: string, journal: Journal): OpenLoop | null {
  const cachePath = within(dir, 'state.json');
  const found = readCache(cachePath);
  const end = journal.end();
  const cached = found !== null && found.upTo <= end ? found : null;
  let state: Loop | null = cached?.loop ?? null;
  let upTo = cached?.upTo ?? 0;
  let broken: string | null = null;

  const look = (): Loop => {
    const reading = journal.read(upTo);
    for (const event of reading.events) state = fold(state, event);
    upTo = reading.upTo;
    broken ??= reading.broken;
    if (state === null) throw new Error(`${dir}: the journal does not begin with a loop`);
    return state;
  };
  try {
    if (upTo < end || state === null) look();
  } catch {
    journal.close();
    return null;
  }
  return {
    dir,
    journal,
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
      if (state !== null && broken === null) writeCache(cachePath, { upTo, loop: state });
    },
    close: () => journal.close(),
  };
}

/**
 * The folder is the claim: of two deliveries of one start, which derive the same id, one makes it.
 * `prepare` runs before the first event, so a journal never names what is not there yet.
 */
export function makeLoop(
  home: Home,
  created: EventOf<'created'>,
  prepare: (dir: string) => void,
): OpenLoop | 'taken' {
  const dir = within(home.loops, created.id);
  makePrivateFolder(home.loops);
  try {
    mkdirSync(dir, { mode: 0o700 });
  } catch (error) {
    if (isTaken(error)) return 'taken';
    throw error;
  }
  prepare(dir);
  const journal = openJournal(within(dir, 'journal.jsonl'));
  journal.append(created);
  const open = follow(dir, journal);
  if (open === null) throw new Error(`${dir}: a journal that was just written can't be read`);
  return open;
}

export function loopIds(home: Home): string[] {
  try {
    return readdirSync(home.loops).filter(isId).sort();
  } catch {
    return [];
  }
}

export function removeLoop(home: Home, id: string): void {
  if (isId(id)) rmSync(within(home.loops, id), { recursive: true, force: true });
}
