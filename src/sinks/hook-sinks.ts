/** Whom the hook tells. Loaded only when the state of a loop changes. */
import { join } from 'node:path';
import type { Runtime } from '../store/runtime.ts';
import { notifySink } from './notify.ts';
import type { Sink } from './sink.ts';
import { oneLine } from '../core/words/sanitize.ts';
import { sayStatus } from '../text/status.ts';

export function hookSinks(runtime: Runtime): Sink[] {
  const notifying: Sink = {
    tell: (notice) => {
      // Most people have no target, and their stops do not load the code for them.
      if (notice.loop.people.notify.length === 0 && runtime.store.config() === null) return;
      // In the plugin, the sender lies beside this file.
      notifySink(runtime, join(import.meta.dirname, 'sender.cjs')).tell(notice);
    },
  };
  return [logSink(runtime.log), notifying];
}

/** The longest status that we write: one that names an error may be long. */
const STATUS = 300;

/** Writes one line per notice into the log that the hook writes too. */
export function logSink(log: (line: string) => void): Sink {
  return {
    tell: ({ is, loop }) => log(`loop=${loop.id} notice=${is}: ${oneLine(sayStatus(loop), STATUS)}`),
  };
}
