/**
 * The port: everything that Da Capo keeps. Nobody above it knows how a loop is stored. It is synchronous: a hearing looks,
 * decides and writes without a pause in which someone else could come between.
 */
import type { EventOf } from '../core/events.ts';
import type { Loop } from '../core/loop.ts';
import type { OpenLoop } from './open-loop.ts';

export interface Store {
  /**
   * Where everything is, or one loop: what a person is told, what the guard closes to the agent, and where programs such
   * as git have folders of their own.
   */
  readonly place: (loop?: string) => string;
  /** A folder that belongs to no loop yet, for what other programs write. */
  readonly folder: (name: string) => string;
  /** The id of this machine: a pid means something only beside it. */
  readonly machine: () => string;

  /** Null when there is no such loop. Throws when only a later version of Da Capo can read it. */
  readonly open: (id: string) => OpenLoop | null;
  /**
   * Of two deliveries of one start, which derive the same id, one makes the loop and the other reads `taken`.
   * `prepare` runs before the first event, so a journal never names what is not there yet.
   */
  readonly make: (created: EventOf<'created'>, prepare: (loop: Unmade) => void) => OpenLoop | 'taken';
  /** Every loop, the smallest id first. An adapter may answer from an index instead of opening each journal. */
  readonly loops: () => readonly Stored[];
  readonly remove: (id: string) => void;

  readonly sessions: Sessions;
  readonly ready: ReadyLoops;
  readonly once: Once;
  readonly trust: Trust;
  readonly hooks: SavedHooks;

  /** What crashes and removed loops left behind. */
  readonly leftovers: (given: Sweep) => readonly string[];
  /** Takes these leftovers away. */
  readonly sweep: (leftovers: readonly string[]) => void;
}

/** A loop before its first event. */
export type Unmade = Pick<OpenLoop, 'blobs' | 'folder'>;

/** A loop as a list shows it. `unread`: why it can't be shown. */
export type Stored =
  | { readonly id: string; readonly loop: Loop; readonly broken: string | null }
  | { readonly id: string; readonly loop: null; readonly unread: string };

export interface SessionEntry {
  readonly loop: string;
  readonly process: number | null;
  readonly project: string;
}

/** Which loop a session owns. Derived from the journals, and rebuilt from them. */
export interface Sessions {
  readonly find: (session: string) => SessionEntry | null;
  readonly keep: (session: string, entry: SessionEntry) => void;
  /** True: this call took it away. Of several at once, one is told so. */
  readonly drop: (session: string) => boolean;
  readonly all: () => readonly { readonly session: string; readonly entry: SessionEntry }[];
}

/** Loops that wait for the first prompt in their project that equals their own, up to the white space around it. */
export interface ReadyLoops {
  readonly any: () => boolean;
  readonly find: (project: string, prompt: string) => string | null;
  readonly keep: (project: string, prompt: string, loop: string) => void;
  readonly drop: (project: string, prompt: string) => void;
}

/** What is said once, and not at every stop. */
export interface Once {
  /** True for the first who asks. */
  readonly isNews: (about: string) => boolean;
  /** It may be said once more. */
  readonly forget: (about: string) => void;
}

export interface Pin {
  readonly project: string;
  /** The config, as seen from the project. */
  readonly file: string;
  /** Of all the files together. */
  readonly digest: string;
  /** The config and every file that it loads, each with the digest of its content. */
  readonly files: readonly { readonly file: string; readonly digest: string }[];
  /** What of package.json files decides which files these are, and how they are read. */
  readonly fields: readonly { readonly file: string; readonly field: string; readonly digest: string }[];
  readonly at: string;
}

/** What exactly was agreed to. */
export type Pins = Pick<Pin, 'files' | 'fields'>;

/** What of a project's own files this user has agreed to run. */
export interface Trust {
  readonly find: (project: string, file: string) => Pin | null;
  /** Replaces what was agreed for the same file of the same project. */
  readonly keep: (pin: Pin) => void;
  /** False: nothing was agreed. */
  readonly drop: (which: Pick<Pin, 'project' | 'file'>) => boolean;
}

/** `taskId`: the project's folder, or the loop's id. The room `stop-hooks` knows what a spec means. */
export interface StoredHook {
  readonly id: string;
  readonly taskId: string;
  readonly enabled: boolean;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly spec: Readonly<Record<string, unknown>>;
}

export type StoredHooks =
  | { readonly ok: true; readonly hooks: readonly StoredHook[] }
  | { readonly ok: false; readonly why: string };

/** Declared stop hooks of this user's own, for a project or for one loop. */
export interface SavedHooks {
  readonly any: () => boolean;
  readonly read: () => StoredHooks;
  readonly write: (hooks: readonly StoredHook[]) => void;
}

export interface Sweep {
  /** Loops that are gone, or will be. */
  readonly removed: ReadonlySet<string>;
  readonly now: string;
  readonly isAlive: (process: number) => boolean;
}
