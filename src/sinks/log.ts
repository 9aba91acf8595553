/** The log: one line for each notice, beside what the hook writes there. */
import { oneLine } from '../core/words/sanitize.ts';
import { sayStatus } from '../text/status.ts';
import type { Sink } from './sink.ts';

/** The most of a status: one that names an error may be long. */
const STATUS = 300;

export function logSink(log: (line: string) => void): Sink {
  return {
    tell: ({ is, loop }) => log(`loop=${loop.id} notice=${is}: ${oneLine(sayStatus(loop), STATUS)}`),
  };
}
