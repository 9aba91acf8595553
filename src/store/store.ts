/**
 * The port to everything that Da Capo keeps. The rooms above do not know how a loop is stored. It is
 * synchronous, so a hearing reads, decides and writes without a pause in which another part of the process
 * could intervene.
 */
import type { EventOf } from '#law/record/events.ts';
import type { Loop } from '#law/loop.ts';
import { flag, instant, isRecord, list, record, text, type Infer } from '#base/shape.ts';
import type { OpenLoop, Summary } from './open-loop.ts';

export interface Store {
  /**
   * Where the store or one loop is: for messages to a person, for the guard, which keeps the agent out of it,
   * and for programs such as git, which have folders there.
   */
  readonly place: (loop?: string) => string;
  /** A folder for files of other programs that belong to no loop yet. */
  readonly folder: (name: string) => string;
  /** The id of this machine. A pid means something only together with it. */
  readonly machine: () => string;

  /** Null when there is no such loop. Throws when only a later version of Da Capo can read it. */
  readonly open: (id: string) => OpenLoop | null;
  /**
   * Two deliveries of one start derive the same id: one makes the loop, the other gets `taken`.
   * `prepare` runs before the first event, so a journal never names what is not there yet.
   */
  readonly make: (created: EventOf<'created'>, prepare: (loop: LoopDraft) => void) => OpenLoop | 'taken';
  /**
   * Every loop, the smallest id first. An adapter may answer from an index instead of opening each journal.
   */
  readonly loops: () => readonly Stored[];
  /**
   * A mark of each loop's record that changes whenever the record grows: cheap enough to ask twice a second.
   */
  readonly stamps: () => readonly Stamp[];
  /**
   * What a list needs to know of every loop, without opening those whose records are as they were at the last
   * call.
   */
  readonly summaries: () => Summaries;
  /**
   * The same, and opens each loop whose summary fits, once. It is closed again unless `visit` keeps it
   * (true): then the caller closes it.
   */
  readonly visit: (fits: (one: Summary) => boolean, visit: (open: OpenLoop) => boolean) => Summaries;
  readonly remove: (id: string) => void;

  readonly sessions: Sessions;
  readonly ready: ReadyPrompts;
  readonly once: Once;
  readonly trust: Trust;
  readonly hooks: SavedHooks;
  /** The text of the user's own config; null: there is none. */
  readonly config: () => string | null;
  readonly tasks: TaskLogs;

  readonly leftovers: (given: Sweep) => readonly string[];
  readonly sweep: (leftovers: readonly string[]) => void;
}

export type LoopDraft = Pick<OpenLoop, 'blobs' | 'folder'>;

/** A loop as a list shows it. `unread`: why it can't be shown. */
export type Stored =
  | { readonly id: string; readonly loop: Loop; readonly broken: string | null }
  | { readonly id: string; readonly loop: null; readonly unread: string };

/** `others`: loops that can't be read, or whose record has a line that is not an event. */
export interface Summaries {
  readonly known: readonly Summary[];
  readonly others: readonly Stored[];
}

export type Stamp = Pick<Summary, 'id' | 'stamp'>;

export interface SessionEntry {
  readonly loop: string;
  readonly process: number | null;
  readonly project: string;
}

/** Which loop a session owns. Derived from the journals, and rebuilt from them. */
export interface Sessions {
  readonly find: (session: string) => SessionEntry | null;
  readonly keep: (session: string, entry: SessionEntry) => void;
  /** True: this call removed the entry. Of several concurrent calls, one gets true. */
  readonly drop: (session: string) => boolean;
  readonly all: () => readonly { readonly session: string; readonly entry: SessionEntry }[];
}

/**
 * Loops that wait for their first prompt. It must equal theirs, apart from white space around it, in the same
 * project.
 */
export interface ReadyPrompts {
  readonly any: () => boolean;
  readonly find: (project: string, prompt: string) => string | null;
  readonly keep: (project: string, prompt: string, loop: string) => void;
  readonly drop: (project: string, prompt: string) => void;
}

/** What every arrival looks up, to learn that no loop is concerned. */
export interface Lookup {
  readonly sessions: Pick<Sessions, 'find'>;
  readonly ready: Pick<ReadyPrompts, 'any'>;
}

/** Messages that Da Capo gives once, and not at every stop. */
export interface Once {
  readonly isNews: (about: string) => boolean;
  /** Whether it was known. */
  readonly forget: (about: string) => boolean;
}

export const pin = record({
  project: text,
  /** The config, as seen from the project. */
  file: text,
  digest: text,
  /** The config and every file that it loads, each with the digest of its content. */
  files: list(record({ file: text, digest: text })),
  /** What of package.json files decides which files these are, and how they are read. */
  fields: list(record({ file: text, field: text, digest: text })),
  at: instant,
});
export type Pin = Infer<typeof pin>;

export type Pins = Pick<Pin, 'files' | 'fields'>;

export interface Trust {
  readonly find: (project: string, file: string) => Pin | null;
  /** Replaces the pin of the same file in the same project. */
  readonly keep: (pin: Pin) => void;
  readonly drop: (which: Pick<Pin, 'project' | 'file'>) => boolean;
}

/** `taskId`: the project's folder, or the loop's id. The room `stop-hooks` knows what a spec means. */
export const storedHook = record({
  id: text,
  taskId: text,
  enabled: flag,
  metadata: isRecord,
  spec: isRecord,
});
export type StoredHook = Infer<typeof storedHook>;

export type StoredHooks =
  | { readonly ok: true; readonly hooks: readonly StoredHook[] }
  | { readonly ok: false; readonly why: string };

export interface SavedHooks {
  readonly any: () => boolean;
  readonly read: () => StoredHooks;
  readonly write: (hooks: readonly StoredHook[]) => void;
}

/**
 * Append-only logs of small records, each under an id: the tasks that agents work on by tools, and their
 * runs. Nothing is ever replaced, so two writers at once lose nothing. The room `tasks` knows what the lines
 * mean.
 */
export interface TaskLogs {
  /**
   * In the order of writing, the same for every reader. Null: there is no such log. A torn line is left out.
   */
  readonly read: (id: string) => readonly unknown[] | null;
  /** False: the id is taken. */
  readonly make: (id: string, first: object) => boolean;
  /**
   * Whole or absent. Survives a crash of the machine, unless `durable` is false. Throws if there is no such
   * log.
   */
  readonly append: (id: string, entry: object, options?: { readonly durable?: boolean }) => void;
  readonly ids: () => readonly string[];
  readonly size: () => number;
}

export interface Sweep {
  readonly removed: ReadonlySet<string>;
  readonly now: string;
  readonly isAlive: (process: number) => boolean;
}
