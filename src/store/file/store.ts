/** The store in files, in one folder of the user. */
import { join } from 'node:path';
import { once } from '#base/shape.ts';
import type { Store } from '../store.ts';
import { findSession, hasReadyPrompt, readIfThere, readMachine, type Home } from './home.ts';
import { homeRecords } from './home-records.ts';
import { folderIn } from './journal-reader.ts';
import { findLeftovers, sweepLeftovers } from './leftovers.ts';
import { listStored, stampsIn, visitLoops } from './listing.ts';
import { makeLoop, removeLoop } from './loops.ts';
import { openLoop } from './open-loop.ts';
import { fileTasks } from './task-logs.ts';

export function fileStore(home: Home): Store {
  const records = once(() => homeRecords(home));
  let machine: string | null = null;
  return {
    place: (loop) => (loop === undefined ? home.dir : join(home.loops, loop)),
    machine: () => (machine ??= readMachine(home) ?? records().machine()),
    folder: (name) => folderIn(home.dir, name),
    open: (id) => openLoop(home, id),
    make: (created, prepare) => makeLoop(home, created, prepare),
    loops: () => listStored(home),
    stamps: () => stampsIn(home),
    summaries: () => visitLoops(home),
    visit: (fits, visit) => visitLoops(home, fits, visit),
    remove: (id) => removeLoop(home, id),
    leftovers: (sweep) => findLeftovers(home, sweep),
    sweep: sweepLeftovers,
    sessions: {
      find: (session) => findSession(home, session),
      keep: (session, entry) => records().sessions.keep(session, entry),
      drop: (session) => records().sessions.drop(session),
      all: () => records().sessions.all(),
    },
    ready: {
      any: () => hasReadyPrompt(home),
      find: (project, prompt) => records().ready.find(project, prompt),
      keep: (project, prompt, loop) => records().ready.keep(project, prompt, loop),
      drop: (project, prompt) => records().ready.drop(project, prompt),
    },
    config: () => readIfThere(home.config),
    get once() {
      return records().once;
    },
    get trust() {
      return records().trust;
    },
    get hooks() {
      return records().hooks;
    },
    get tasks() {
      return fileTasks(home);
    },
  };
}
