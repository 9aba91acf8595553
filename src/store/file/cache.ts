/** `state.json`: the fold up to a position, so that reading stays flat. Wrong, old or absent, it is rebuilt. */
import { closeSync, constants, openSync, readFileSync, writeSync } from 'node:fs';
import { LOOP_VERSION } from '../../core/record/versions.ts';
import type { Cached } from '../open-loop.ts';

export function readCache(path: string): Cached | null {
  try {
    // What stands behind the third line is left of a longer state.
    const [version, body = '', copy] = readFileSync(path, 'utf8').split('\n', 3);
    if (version !== String(LOOP_VERSION) || copy !== copyOf(body)) return null;
    // The copy makes it our own writing: its shape is the one of this version.
    return JSON.parse(body) as Cached;
  } catch {
    return null;
  }
}

/**
 * In place, where a new file and a rename would take 0.4 ms of every stop: a copy tells a reader that it came in the middle
 * of a write. It only saves time: a disk that is full must not void a hearing.
 */
export function writeCache(path: string, { upTo, loop }: Cached): void {
  const body = JSON.stringify({ upTo, loop });
  try {
    const file = openSync(path, constants.O_WRONLY | constants.O_CREAT, 0o600);
    try {
      writeSync(file, `${LOOP_VERSION}\n${body}\n${copyOf(body)}\n`, 0);
    } finally {
      closeSync(file);
    }
  } catch {
    // The record has it all.
  }
}

/** In another encoding, so that an edit of the body is no edit of the copy. Our own hash would take 0.4 ms longer. */
function copyOf(body: string): string {
  return Buffer.from(body).toString('base64');
}
