/** The log sink: writes one line per notice into the log that the hook writes too. */
import { oneLine } from '../core/words/sanitize.ts';
import { sayStatus } from '../text/status.ts';
import type { Sink } from './sink.ts';

/** The longest status that we write: one that names an error may be long. */
const STATUS = 300;

export function logSink(log: (line: string) => void): Sink {
  return {
    tell: ({ is, loop }) => log(`loop=${loop.id} notice=${is}: ${oneLine(sayStatus(loop), STATUS)}`),
  };
}
