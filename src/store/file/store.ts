/** The store in files, in one folder of the user. */
import { join } from 'node:path';
import { once } from '#base/shape.ts';
import type { Store } from '../store.ts';
import { findSession, hasReadyPrompt, readMachine, type Home } from './home.ts';
import { openLoop } from './open-loop.ts';
import { restOfStore } from './rest.ts';

export function fileStore(home: Home): Store {
  const rest = once(() => restOfStore(home));
  let machine: string | null = null;
  return {
    place: (loop) => (loop === undefined ? home.dir : join(home.loops, loop)),
    machine: () => (machine ??= readMachine(home) ?? rest().machine()),
    folder: (name) => rest().folder(name),
    open: (id) => openLoop(home, id),
    make: (created, prepare) => rest().make(created, prepare),
    loops: () => rest().loops(),
    stamps: () => rest().stamps(),
    summaries: () => rest().summaries(),
    visit: (fits, visit) => rest().visit(fits, visit),
    remove: (id) => rest().remove(id),
    leftovers: (sweep) => rest().leftovers(sweep),
    sweep: (leftovers) => rest().sweep(leftovers),
    sessions: {
      find: (session) => findSession(home, session),
      keep: (session, entry) => rest().sessions.keep(session, entry),
      drop: (session) => rest().sessions.drop(session),
      all: () => rest().sessions.all(),
    },
    ready: {
      any: () => hasReadyPrompt(home),
      find: (project, prompt) => rest().ready.find(project, prompt),
      keep: (project, prompt, loop) => rest().ready.keep(project, prompt, loop),
      drop: (project, prompt) => rest().ready.drop(project, prompt),
    },
    config: () => rest().config(),
    get once() {
      return rest().once;
    },
    get trust() {
      return rest().trust;
    },
    get hooks() {
      return rest().hooks;
    },
    get tasks() {
      return rest().tasks;
    },
  };
}
