/**
 * The store in memory, for as long as the process lives: for tests, and for programs that want a verdict
 * without keeping anything. Only files of other programs need a folder, which is made on the first call.
 */
import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import {
  followRecord,
  numbered,
  summarize,
  type Blobs,
  type Cached,
  type Journal,
  type OpenLoop,
} from '../open-loop.ts';
import { isId } from '#base/shape.ts';
import type { Pin, SessionEntry, Store, StoredHook } from '../store.ts';
import { firstEvent, readEvent, type Event } from '#law/record/events.ts';

interface MemoryLoop {
  readonly record: Shared;
  readonly blobs: Map<string, string | Uint8Array | null>;
  cached: Cached | null;
}

/**
 * `config`: the text of the user's own config. `makeScratch`: makes that folder, which is the caller's to
 * remove.
 */
export function memoryStore(
  config: string | null = null,
  makeScratch = () => mkdtempSync(join(tmpdir(), 'dacapo-memory-')),
): Store {
  const loops = new Map<string, MemoryLoop>();
  let scratch: string | null = null;

  const place = (loop?: string) => (loop === undefined ? 'memory:' : `memory:loops/${loop}`);
  const blobsOf = (id: string, { blobs }: MemoryLoop) => memoryBlobs(blobs, (name) => `${place(id)}/${name}`);
  const folder = (...names: string[]) => {
    scratch ??= makeScratch();
    const path = join(scratch, ...names);
    mkdirSync(path, { recursive: true, mode: 0o700 });
    return path;
  };
  const open = (id: string): OpenLoop | null => {
    const entry = loops.get(id);
    return entry === undefined ? null : opened(id, entry);
  };
  const opened = (id: string, entry: MemoryLoop): OpenLoop | null =>
    followRecord({
      journal: memoryJournal(entry.record),
      blobs: blobsOf(id, entry),
      folder: (name) => folder('loops', id, name),
      readCache: () => entry.cached,
      writeCache: (cached) => (entry.cached = cached),
    });
  const stored = (id: string) => {
    const loop = open(id);
    return loop === null ? [] : [{ id, loop: loop.loop(), broken: loop.broken() }];
  };
  const summaries = () => {
    const all = [...loops.keys()].flatMap(stored);
    return {
      known: all.flatMap((one) => summarize(one, '') ?? []),
      others: all.filter((one) => summarize(one, '') === null),
    };
  };

  return {
    place,
    folder: (name) => folder(name),
    machine: () => 'memory',
    open,
    make: (created, prepare) => {
      const { id } = created;
      if (loops.has(id)) return 'taken';
      const entry: MemoryLoop = { record: emptyJournal(), blobs: new Map(), cached: null };
      loops.set(id, entry);
      prepare({ blobs: blobsOf(id, entry), folder: (name) => folder('loops', id, name) });
      memoryJournal(entry.record).append(firstEvent(created));
      const made = opened(id, entry);
      if (made === null) throw new Error(`${id}: a journal that was just written can't be read`);
      return made;
    },
    loops: () => [...loops.keys()].sort().flatMap(stored),
    stamps: () => [...loops].map(([id, { record }]) => ({ id, stamp: String(record.lines.length) })),
    summaries,
    visit: (fits, visit) => {
      const all = summaries();
      for (const one of all.known) {
        const found = fits(one) ? open(one.id) : null;
        if (found !== null && !visit(found)) found.close();
      }
      return all;
    },
    remove: (id) => void loops.delete(id),
    ...memoryRecords(),
    config: () => config,
    tasks: memoryTasks(),
    leftovers: () => [],
    sweep: () => undefined,
  };
}

/** What is kept beside the loops. */
function memoryRecords(): Pick<Store, 'sessions' | 'ready' | 'once' | 'trust' | 'hooks'> {
  const sessions = new Map<string, SessionEntry>();
  const ready = new Map<string, string>();
  const said = new Set<string>();
  const pins = new Map<string, Pin>();
  let hooks: readonly StoredHook[] | null = null;
  return {
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
      forget: (about) => said.delete(about),
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
  };
}

function memoryTasks(): Store['tasks'] {
  const tasks = new Map<string, unknown[]>();
  return {
    read: (id) => tasks.get(id) ?? null,
    make: (id, first) => {
      if (!isId(id)) throw new Error(`task id ${JSON.stringify(id)} can't be a file name`);
      return !tasks.has(id) && tasks.set(id, [copyOf(first)]).has(id);
    },
    append: (id, entry) => {
      const log = tasks.get(id);
      if (log === undefined) throw new Error(`there is no task ${id}`);
      log.push(copyOf(entry));
    },
    ids: () => [...tasks.keys()].sort(),
    size: () => JSON.stringify([...tasks.values()]).length,
  };
}

/** As files keep it: what is not JSON is gone, and no reader sees a later change. */
function copyOf(entry: object): unknown {
  return JSON.parse(JSON.stringify(entry));
}

function keyOf(project: string, text: string): string {
  return `${resolve(project)}\n${text.trim()}`;
}

/** `below`: what is neither written nor removed here is read from there. */
export function memoryBlobs(
  written: Map<string, string | Uint8Array | null>,
  place: Blobs['place'],
  below?: Pick<Blobs, 'read' | 'list'>,
): Blobs {
  const read = (name: string) => {
    const content = written.get(name);
    if (content === undefined) return below?.read(name) ?? null;
    return content instanceof Uint8Array ? Buffer.from(content).toString('utf8') : content;
  };
  return {
    read,
    write: (name, content) => void written.set(name, content),
    keep: (name, content) => {
      let copy = 1;
      while (read(numbered(name, copy)) !== null) copy++;
      const free = numbered(name, copy);
      written.set(free, content);
      return free;
    },
    list: (prefix) => {
      // As with files, names in a folder further below do not match.
      const isListed = (name: string) => name.startsWith(prefix) && !name.slice(prefix.length).includes('/');
      const names = new Set([...(below?.list(prefix) ?? []), ...[...written.keys()].filter(isListed)]);
      return [...names].filter((name) => read(name) !== null).sort();
    },
    remove: (name) => void written.set(name, null),
    place,
  };
}

interface Shared {
  /** As JSON: each reader gets its own event objects. */
  readonly lines: string[];
  readonly watchers: Set<() => void>;
}

export function emptyJournal(): Shared {
  return { lines: [], watchers: new Set() };
}

/** A list of events that every reader shares. Positions are counts of events. */
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

function parse(lines: readonly string[], from: number): ReturnType<Journal['read']> {
  const events: Event[] = [];
  for (const line of lines.slice(from)) {
    const read = readEvent(JSON.parse(line));
    if (read.is === 'newer' || read.is === 'older')
      return { events: [], upTo: from, broken: null, otherVersion: read.why };
    if (read.is === 'event') events.push(read.event);
  }
  return { events, upTo: lines.length, broken: null };
}
