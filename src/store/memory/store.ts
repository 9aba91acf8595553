/**
 * Everything in memory, for as long as the process lives: for tests, and for whoever wants to ask the law without keeping
 * anything. Only what other programs write needs a folder, which is made when the first one asks.
 */
import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { JOURNAL_VERSION } from '../../core/versions.ts';
import { isId } from '../id.ts';
import { follow, type Cached, type OpenLoop } from '../open-loop.ts';
import type { Pin, SessionEntry, Store, Stored, StoredHook } from '../store.ts';
import { memoryBlobs } from './blobs.ts';
import { emptyJournal, memoryJournal, type Shared } from './journal.ts';

interface Entry {
  readonly record: Shared;
  readonly blobs: Map<string, string | Uint8Array>;
  cached: Cached | null;
}

export function memoryStore(): Store {
  const loops = new Map<string, Entry>();
  const sessions = new Map<string, SessionEntry>();
  const ready = new Map<string, string>();
  const said = new Set<string>();
  const pins = new Map<string, Pin>();
  let hooks: readonly StoredHook[] | null = null;
  let scratch: string | null = null;

  const place = (loop?: string) => (loop === undefined ? 'memory:' : `memory:loops/${loop}`);
  const blobsOf = (id: string, { blobs }: Entry) => memoryBlobs(blobs, (name) => `${place(id)}/${name}`);
  const folder = (...names: string[]) => {
    scratch ??= mkdtempSync(join(tmpdir(), 'dacapo-memory-'));
    const path = join(scratch, ...names);
    mkdirSync(path, { recursive: true, mode: 0o700 });
    return path;
  };
  const open = (id: string): OpenLoop | null => {
    const entry = loops.get(id);
    return entry === undefined ? null : opened(id, entry);
  };
  const opened = (id: string, entry: Entry): OpenLoop | null =>
    follow({
      journal: memoryJournal(entry.record),
      blobs: blobsOf(id, entry),
      folder: (name) => folder('loops', id, name),
      readCache: () => entry.cached,
      writeCache: (cached) => (entry.cached = cached),
    });
  const stored = (id: string): Stored | [] => {
    const loop = open(id);
    return loop === null ? [] : { id, loop: loop.loop(), broken: loop.broken() };
  };

  return {
    place,
    folder: (name) => folder(name),
    machine: () => 'memory',
    open,
    make: (created, prepare) => {
      const { id } = created;
      if (loops.has(id)) return 'taken';
      const entry: Entry = { record: emptyJournal(), blobs: new Map(), cached: null };
      loops.set(id, entry);
      prepare({ blobs: blobsOf(id, entry), folder: (name) => folder('loops', id, name) });
      memoryJournal(entry.record).append({ ...created, version: JOURNAL_VERSION });
      const made = opened(id, entry);
      if (made === null) throw new Error(`${id}: a journal that was just written can't be read`);
      return made;
    },
    loops: () => [...loops.keys()].sort().flatMap(stored),
    remove: (id) => void loops.delete(id),
    sessions: {
      find: (session) => sessions.get(session) ?? null,
      keep: (session, entry) => {
        if (!isId(session)) throw new Error(`session id ${JSON.stringify(session)} can't be a file name`);
        sessions.set(session, entry);
      },
      drop: (session) => sessions.delete(session),
      all: () => [...sessions].map(([session, entry]) => ({ session, entry })),
    },
    ready: {
      any: () => ready.size > 0,
      find: (project, prompt) => ready.get(keyOf(project, prompt)) ?? null,
      keep: (project, prompt, loop) => void ready.set(keyOf(project, prompt), loop),
      drop: (project, prompt) => void ready.delete(keyOf(project, prompt)),
    },
    once: {
      isNews: (about) => !said.has(about) && said.add(about).has(about),
      forget: (about) => void said.delete(about),
    },
    trust: {
      find: (project, file) => pins.get(keyOf(project, file)) ?? null,
      keep: (pin) => void pins.set(keyOf(pin.project, pin.file), pin),
      drop: ({ project, file }) => pins.delete(keyOf(project, file)),
    },
    hooks: {
      any: () => hooks !== null,
      read: () => ({ ok: true, hooks: hooks ?? [] }),
      write: (given) => (hooks = given),
    },
    leftovers: () => [],
    sweep: () => undefined,
  };
}

function keyOf(project: string, text: string): string {
  return `${resolve(project)}\n${text.trim()}`;
}
