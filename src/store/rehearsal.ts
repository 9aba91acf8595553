/**
 * A loop, or a whole store, as a rehearsal sees it: what is read comes from the store, and what is written is
 * forgotten. So anybody may run the steps of a hearing to learn how a stop would be judged.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fold } from '#law/fold/index.ts';
import { makeScratch } from '#base/files/scratch.ts';
import type { OpenLoop } from './open-loop.ts';
import { memoryBlobs, memoryStore } from './memory/store.ts';
import type { Store } from './store.ts';

/**
 * Git's objects are named by their content, so a mark of a rehearsal changes nothing. Earlier marks are found
 * there.
 */
const SHARED = 'git';

export interface Rehearsal {
  readonly open: OpenLoop;
  /** Removes what other programs wrote. */
  readonly end: () => void;
}

/** The loop as it is now. What happens to it meanwhile is not seen. `open` stays open. */
export function rehearse(open: OpenLoop): Rehearsal {
  let state = open.look();
  let scratch: string | null = null;
  const folder = (name: string) => {
    if (name === SHARED) return open.folder(name);
    scratch ??= makeScratch('rehearsal');
    const path = join(scratch, name);
    mkdirSync(path, { recursive: true, mode: 0o700 });
    return path;
  };
  return {
    open: {
      journal: { ...open.journal, append: () => 0, settle: () => undefined },
      blobs: memoryBlobs(new Map(), open.blobs.place, open.blobs),
      folder,
      loop: () => state,
      look: () => state,
      write: (event) => (state = fold(state, event) ?? state),
      broken: () => open.broken(),
      keep: () => undefined,
      close: () => undefined,
    },
    end: () => {
      if (scratch !== null) rmSync(scratch, { recursive: true, force: true });
    },
  };
}

/**
 * A store over another one: what is written stays in memory. `scratch`: for files of other programs. It is
 * the caller's to remove.
 */
export function overlay(base: Store, scratch: string): Store {
  const memory = memoryStore(null, () => scratch);
  return {
    ...memory,
    place: base.place,
    // Asking for the id writes it if it is missing. Loops that have an owner were made where it is there.
    machine: () => (base.loops().some(({ loop }) => Boolean(loop?.session.owner)) ? base : memory).machine(),
    open: (id) => memory.open(id) ?? base.open(id),
    loops: () => [...base.loops(), ...memory.loops()],
    sessions: { ...memory.sessions, find: (id) => memory.sessions.find(id) ?? base.sessions.find(id) },
    ready: {
      ...memory.ready,
      find: (project, prompt) => memory.ready.find(project, prompt) ?? base.ready.find(project, prompt),
    },
    trust: { ...memory.trust, find: base.trust.find },
    hooks: { ...memory.hooks, any: base.hooks.any, read: base.hooks.read },
    config: base.config,
  };
}
