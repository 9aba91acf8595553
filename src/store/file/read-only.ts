/** A journal on a disk that can be read only, or in a folder of somebody else's: it can be looked at, and says why no more. */
import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { codeOf } from '../../core/thrown.ts';
import type { Journal } from '../open-loop.ts';
import { readBytes, readEvents } from './read-journal.ts';
import { watchGrowth } from './watch.ts';

const CLOSED_TO_WRITING = new Set(['EROFS', 'EACCES', 'EPERM']);

/** `why`: the error of the one who wanted to write as well. Thrown where reading is no way out. */
export function openForReading(path: string, why: unknown): Journal {
  if (!CLOSED_TO_WRITING.has(codeOf(why))) throw why;
  const file = openSync(path, constants.O_RDONLY);
  return {
    append: () => {
      throw why;
    },
    settle: () => undefined,
    read: (from) => readEvents(file, from),
    end: () => fstatSync(file).size,
    raw: () => readBytes(file, 0),
    watch: (grown) => watchGrowth(path, grown),
    close: () => closeSync(file),
  };
}
