/**
 * Replaces a file that others write too: whole, by a rename, with its mode, and only if it still has the content that the
 * caller read. What another process wrote meanwhile stays.
 */
import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { readRegular } from '../files/read.ts';
import { temporaryOf } from './view.ts';

export type Swapped =
  | { readonly is: 'swapped' }
  /** Another process wrote it since: nothing was done. */
  | { readonly is: 'changed' }
  /** Another process had the file open and rewrote it during the replacement: this is what it wrote. */
  | { readonly is: 'overtaken'; readonly bytes: Uint8Array };

const READING = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const MODE_BITS = 0o777;

export function swapViewFile(path: string, before: Uint8Array, after: string | Uint8Array): Swapped {
  const temporary = temporaryOf(path);
  const old = openSync(path, READING);
  try {
    // `wx`: a project may ship a link under this name, and a plain write would follow it.
    writeFileSync(temporary, after, { mode: 0o600, flag: 'wx' });
    chmodSync(temporary, fstatSync(old).mode & MODE_BITS);
    const now = readRegular(path);
    if (now.is !== 'content' || !same(now.bytes, before)) return { is: 'changed' };
    renameSync(temporary, path);
    const left = readAll(old);
    if (same(left, before)) return { is: 'swapped' };
    if (!same(left.subarray(0, before.length), before)) return { is: 'overtaken', bytes: left };
    // The other process appended, so we append the same to the new file. What was added there since stays too.
    append(path, left.subarray(before.length));
    return { is: 'swapped' };
  } finally {
    closeSync(old);
    rmSync(temporary, { force: true });
  }
}

function append(path: string, bytes: Uint8Array): void {
  const file = openSync(path, constants.O_WRONLY | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0));
  try {
    writeSync(file, bytes);
  } finally {
    closeSync(file);
  }
}

function same(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}

/** Reads from the beginning, whatever the file position is. */
function readAll(file: number): Uint8Array {
  const parts: Uint8Array[] = [];
  for (let at = 0; ;) {
    const part = new Uint8Array(64 * 1024);
    const read = readSync(file, part, 0, part.length, at);
    if (read === 0) return Buffer.concat(parts);
    parts.push(part.subarray(0, read));
    at += read;
  }
}
