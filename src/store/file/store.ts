/** Everything in files, in one folder of the user's own. What a common stop needs not is made when it is asked for. */
import { join } from 'node:path';
import type { Store } from '../store.ts';
import { findSession } from './find-session.ts';
import { namesIn, readIfThere, type Home } from './home.ts';
import { fileLoops } from './loops.ts';
import { makeMachine } from './machine.ts';
import { fileOnce } from './once.ts';
import { openLoop } from './open-loop.ts';
import { fileReady } from './ready.ts';
import { fileHooks } from './saved-hooks.ts';
import { fileSessions } from './sessions.ts';
import { fileTrust } from './trust.ts';

export function fileStore(home: Home): Store {
  return {
    place: (loop) => (loop === undefined ? home.dir : join(home.loops, loop)),
    machine: () => readIfThere(home.machine) || makeMachine(home),
    open: (id) => openLoop(home, id),
    make: (created, prepare) => fileLoops(home).make(created, prepare),
    loops: () => fileLoops(home).loops(),
    remove: (id) => fileLoops(home).remove(id),
    leftovers: (sweep) => fileLoops(home).leftovers(sweep),
    sweep: (leftovers) => fileLoops(home).sweep(leftovers),
    sessions: {
      find: (session) => findSession(home, session),
      keep: (session, entry) => fileSessions(home).keep(session, entry),
      drop: (session) => fileSessions(home).drop(session),
      all: () => fileSessions(home).all(),
    },
    ready: {
      any: () => namesIn(home.ready).length > 0,
      find: (project, prompt) => fileReady(home).find(project, prompt),
      keep: (project, prompt, loop) => fileReady(home).keep(project, prompt, loop),
      drop: (project, prompt) => fileReady(home).drop(project, prompt),
    },
    get once() {
      return fileOnce(home);
    },
    get trust() {
      return fileTrust(home);
    },
    get hooks() {
      return fileHooks(home);
    },
  };
}
