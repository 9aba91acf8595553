/**
 * Whether a list of loops has to look at the records of those that have ended. A stat of ten thousand takes
 * twice as long as a start of Node, and such a record changes only when a person reopens its loop. The
 * process that reopens it removes the mark, so the next list looks at every record.
 */
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { attempt } from '#base/shape.ts';
import { replaceFile } from './home.ts';

/** An older version of Da Capo, or a person in an editor, does not remove the mark. */
const TRUSTED_MS = 60 * 60_000;

/** False: look at all. Whoever reopens a loop during that look removes the mark that this call has left. */
export function trustEnded(home: string): boolean {
  const mark = markIn(home);
  const age = Date.now() - (statSync(mark, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  // The clock may have been set, and a file's time is finer than the clock's.
  if (Math.abs(age) < TRUSTED_MS) return true;
  // A disk that can't be written is looked at each time.
  attempt(() => replaceFile(mark, '', { durable: false }), undefined);
  return false;
}

export function forgetLook(home: string): void {
  attempt(() => rmSync(markIn(home), { force: true }), undefined);
}

function markIn(home: string): string {
  return join(home, 'cache', 'looked');
}
