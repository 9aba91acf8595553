/** All of the store but what a common stop asks for. In the plugin it is a file of its own. */
import type { Store } from '../store.ts';
import type { Home } from './home.ts';
import { fileLoops } from './loops.ts';
import { makeMachine } from './machine.ts';
import { fileOnce } from './once.ts';
import { fileReady } from './ready.ts';
import { fileHooks } from './saved-hooks.ts';
import { fileSessions } from './sessions.ts';
import { fileTrust } from './trust.ts';
import { folderIn } from './write-blobs.ts';

type Rest = Omit<Store, 'place' | 'open' | 'sessions' | 'ready'> & {
  readonly sessions: Omit<Store['sessions'], 'find'>;
  readonly ready: Omit<Store['ready'], 'any'>;
};

export function restOfStore(home: Home): Rest {
  return {
    ...fileLoops(home),
    folder: (name) => folderIn(home.dir, name),
    machine: () => makeMachine(home),
    sessions: fileSessions(home),
    ready: fileReady(home),
    once: fileOnce(home),
    trust: fileTrust(home),
    hooks: fileHooks(home),
  };
}
