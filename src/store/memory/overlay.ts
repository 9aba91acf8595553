/** A store over another one: what is written stays in memory, and the other one is only read. */
import { memoryStore } from './store.ts';
import type { Store } from '../store.ts';

/** `scratch`: for files of other programs. It is the caller's to remove. */
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
