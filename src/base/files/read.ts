/**
 * Reads a file that a project brings along. It may be anything: a pipe that nobody writes to, a device
 * without an end, a folder, a link. We read a regular file of bounded size, and never wait.
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { codeOf } from '../shape.ts';

/** Without O_NONBLOCK, a named pipe under a file's name would block us forever. Windows has neither flag. */
export const WITH_LINKS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
export const READING = WITH_LINKS | (constants.O_NOFOLLOW ?? 0);

/** A hundred times the longest prompt. A larger file is something else, and reading it would delay us. */
const MAX_FILE_BYTES = 16 * 1024 * 1024;

/** Node puts this in place of bytes that are not UTF-8. */
const NO_TEXT = '\uFFFD';

const PASSING: readonly string[] = ['EBUSY', 'EMFILE', 'ENFILE', 'EAGAIN', 'ETXTBSY'];

export type FileReading =
  | { readonly is: 'gone' }
  /** `passing`: another program holds the file for a moment, as scanners and editors on Windows do. */
  | { readonly is: 'unreadable'; readonly why: string; readonly passing: boolean }
  /** `bytes`: for copies, since bytes that are not UTF-8 are lost when read as text. */
  | {
      readonly is: 'content';
      readonly content: string;
      readonly bytes: Uint8Array;
      readonly modifiedMs: number;
    };

/** Does not follow a link, unless told to. */
export function readRegular(path: string, flags = READING): FileReading {
  let file: number;
  try {
    file = openSync(path, flags);
  } catch (error) {
    const code = codeOf(error);
    return code === 'ENOENT'
      ? { is: 'gone' }
      : { is: 'unreadable', why: code, passing: PASSING.includes(code) };
  }
  try {
    const stat = fstatSync(file);
    // Windows has no O_NOFOLLOW, so there we check for a link with a second call.
    if (!stat.isFile() || (!constants.O_NOFOLLOW && lstatSync(path).isSymbolicLink()))
      return { is: 'unreadable', why: 'not a regular file', passing: false };
    if (stat.size > MAX_FILE_BYTES)
      return { is: 'unreadable', why: `larger than ${MAX_FILE_BYTES / 1024 / 1024} MB`, passing: false };
    // Read as text: reading bytes takes 0.3 ms more, and few callers ask for them.
    const content = readFileSync(file, 'utf8');
    const raw = content.includes(NO_TEXT) ? readBytes(file, stat.size) : null;
    return {
      is: 'content',
      content,
      get bytes() {
        return raw ?? Buffer.from(content);
      },
      modifiedMs: stat.mtimeMs,
    };
  } finally {
    closeSync(file);
  }
}

/** Reads from the beginning, whatever the file position is. */
function readBytes(file: number, size: number): Uint8Array {
  const bytes = Buffer.alloc(size);
  return bytes.subarray(0, readSync(file, bytes, 0, size, 0));
}

/**
 * Follows links, for files that people link to. Null: it is not there. Throws with the reason if it can't be
 * read.
 */
export function readText(path: string): string | null {
  const found = readRegular(path, WITH_LINKS);
  if (found.is === 'unreadable')
    throw Object.assign(new Error(`${path} can't be read (${found.why})`), { code: found.why, path });
  return found.is === 'gone' ? null : found.content;
}

/** The same, for what we can do without. */
export function readTextIfAny(path: string): string | null {
  const found = readRegular(path, WITH_LINKS);
  return found.is === 'content' ? found.content : null;
}

/**
 * The end of a file, at most that many bytes of it. Follows links. Empty: it is not a regular file, or can't
 * be read.
 */
export function readEnd(path: string, most: number): string {
  return bytesFrom(path, (size) => Math.max(0, size - most)).toString();
}

/** The same as bytes, from a place that may depend on the size of the file. */
export function bytesFrom(path: string, placeIn: (size: number) => number): Buffer {
  let file: number | null = null;
  try {
    file = openSync(path, WITH_LINKS);
    const stat = fstatSync(file);
    const from = placeIn(stat.size);
    const bytes = Buffer.alloc(stat.isFile() ? Math.max(0, stat.size - from) : 0);
    return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, from));
  } catch {
    return Buffer.alloc(0);
  } finally {
    if (file !== null) closeSync(file);
  }
}

/** One pass rarely writes more. This bounds the cost of a look for any file size. */
const MOST_ROW_BYTES = 4_194_304;

/**
 * The whole rows that were written to a file from a position on, and the position that was used. One
 * character per byte. A first search in a buffer takes 0.2 ms, because Node compiles its code for that.
 */
export function readSince(path: string, offset: number): { rows: string; from: number } {
  const file = openSync(path, WITH_LINKS);
  try {
    const { size } = fstatSync(file);
    const from = Math.max(size < offset ? 0 : offset, size - MOST_ROW_BYTES);
    const bytes = Buffer.allocUnsafe(size - from);
    const read = bytes.toString('latin1', 0, readSync(file, bytes, 0, bytes.length, from));
    // A row that is still being written is read whole next time.
    return { rows: read.slice(0, read.lastIndexOf('\n') + 1), from };
  } finally {
    closeSync(file);
  }
}
