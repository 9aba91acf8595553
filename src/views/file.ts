/** A view's file: read without following links, replaced whole by a rename, and trusted only once it is stable. */
import { codeOf } from '../core/error-code.ts';
import {
  closeSync,
  constants,
  fstatSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { temporaryOf } from './file-table.ts';

/** An editor that saves in place leaves empty and half files for a moment. */
const STILL_MS = 1_000;

/** Without O_NONBLOCK, a named pipe in place of the view would block the hook for ever. Windows has neither flag. */
const READING = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** A hundred times the longest prompt. A larger file is something else, and reading it would delay the hook. */
const MOST_BYTES = 16 * 1024 * 1024;

/** Exclusive: a project may ship a link under this name, and a plain write would follow it. */
const MAKING = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;

/** Node puts this in place of bytes that are no UTF-8. */
const NO_TEXT = '\uFFFD';

const PASSING: readonly string[] = ['EBUSY', 'EMFILE', 'ENFILE', 'EAGAIN', 'ETXTBSY'];

export type FileReading =
  | { readonly is: 'gone' }
  /** `passing`: another program holds the file for a moment, as scanners and editors on Windows do. */
  | { readonly is: 'unreadable'; readonly why: string; readonly passing: boolean }
  /** `bytes`: for copies, since bytes that are no UTF-8 are lost when read as text. */
  | {
      readonly is: 'content';
      readonly content: string;
      readonly bytes: Uint8Array;
      readonly modifiedMs: number;
    };

export function readViewFile(path: string): FileReading {
  let file: number;
  try {
    file = openSync(path, READING);
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
    if (stat.size > MOST_BYTES)
      return { is: 'unreadable', why: `larger than ${MOST_BYTES / 1024 / 1024} MB`, passing: false };
    // Read as text: reading bytes takes 0.3 ms more, and few callers ask for them.
    const content = readFileSync(file, 'utf8');
    const raw = content.includes(NO_TEXT) ? bytesOf(file, stat.size) : null;
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
function bytesOf(file: number, size: number): Uint8Array {
  const bytes = Buffer.alloc(size);
  return bytes.subarray(0, readSync(file, bytes, 0, size, 0));
}

/** We trust a changed file when it is older than a second and a second read gives the same content. */
export function liesStill(
  path: string,
  first: Extract<FileReading, { is: 'content' }>,
  nowMs: number,
): boolean {
  if (nowMs - first.modifiedMs < STILL_MS) return false;
  const second = readViewFile(path);
  return second.is === 'content' && second.content === first.content;
}

/** False: the name is taken, and that file stays. The file appears whole or not at all, as another process may read it. */
export function makeViewFile(path: string, content: string): boolean {
  mkdirSync(dirname(path), { recursive: true });
  const temporary = writeBeside(path, content);
  try {
    linkSync(temporary, path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    // A file system without links. A reader may then find half a view, but trusts it only once it is stable.
    return makeInPlace(path, content);
  } finally {
    rmSync(temporary, { force: true });
  }
}

function makeInPlace(path: string, content: string): boolean {
  try {
    writeFileSync(path, content, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

export function isTaken(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** For a view that was read or made before, so its folder exists. */
export function replaceViewFile(path: string, content: string): void {
  const temporary = writeBeside(path, content);
  try {
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

function writeBeside(path: string, content: string): string {
  const temporary = temporaryOf(path);
  const bytes = Buffer.from(content);
  try {
    const file = openSync(temporary, MAKING, 0o600);
    try {
      const written = writeSync(file, bytes);
      if (written !== bytes.length)
        throw new Error(`only ${written} of ${bytes.length} bytes were written (disk full?)`);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  return temporary;
}

/** Also removes unfinished copies beside it, which killed hooks left. */
export function removeViewFile(path: string): void {
  rmSync(path, { force: true });
  const [folder, start] = [dirname(path), `.${basename(path)}.`];
  for (const name of readdirSync(folder))
    if (name.startsWith(start)) rmSync(join(folder, name), { force: true });
}
