/** `state.json`: the fold up to a position, so that reading stays flat. Wrong, old or absent, it is rebuilt. */
import { closeSync, constants, openSync, readFileSync, writeSync } from 'node:fs';
import { hash } from '../../core/hash.ts';
import { LOOP_VERSION } from '../../core/record/versions.ts';
import type { Cached } from '../open-loop.ts';

export function readCache(path: string): Cached | null {
  try {
    const content = readFileSync(path, 'utf8');
    // What stands behind the second line is left of a longer one.
    const [head, body = ''] = content.split('\n', 2);
    if (head !== headOf(body)) return null;
    // The check makes it our own writing: its shape is the one of this version.
    return JSON.parse(body) as Cached;
  } catch {
    return null;
  }
}

/**
 * In place, where a new file and a rename would take 0.4 ms of every stop: the check tells a reader that it came in the
 * middle of a write. It only saves time: a disk that is full must not void a hearing.
 */
export function writeCache(path: string, { upTo, loop }: Cached): void {
  const body = JSON.stringify({ upTo, loop });
  try {
    const file = openSync(path, constants.O_WRONLY | constants.O_CREAT, 0o600);
    try {
      writeSync(file, `${headOf(body)}\n${body}\n`, 0);
    } finally {
      closeSync(file);
    }
  } catch {
    // The record has it all.
  }
}

function headOf(body: string): string {
  return `${LOOP_VERSION} ${hash(body)}`;
}
