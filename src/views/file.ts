/** A view's file: read without following links, replaced whole by a rename, believed only when it lies still. */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Where the first loop of a project shows itself, and where a person may write one by hand. */
export const STATE_FILE = join('.claude', 'ralph-loop.local.md');

/** An editor that saves in place shows empty and half files meanwhile. */
const STILL_MS = 1_000;

/** Windows knows neither. Without O_NONBLOCK a pipe under the view's name would hold the hook for ever. */
const READING = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

const PASSING: readonly string[] = ['EBUSY', 'EMFILE', 'ENFILE', 'EAGAIN', 'ETXTBSY'];

export type FileReading =
  | { readonly is: 'gone' }
  /** `passing`: someone else has hold of it for a moment, as scanners and editors on Windows do. */
  | { readonly is: 'unreadable'; readonly why: string; readonly passing: boolean }
  /** `bytes`: what a copy is made of, since text that is no UTF-8 does not survive being read as such. */
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
    // Windows has no O_NOFOLLOW: there it is looked at once more.
    if (!stat.isFile() || (!constants.O_NOFOLLOW && lstatSync(path).isSymbolicLink()))
      return { is: 'unreadable', why: 'not a regular file', passing: false };
    const bytes = readFileSync(file);
    return { is: 'content', content: bytes.toString('utf8'), bytes, modifiedMs: stat.mtimeMs };
  } finally {
    closeSync(file);
  }
}

/** A changed file is believed when it is older than a second and a second read agrees. */
export function liesStill(
  path: string,
  first: Extract<FileReading, { is: 'content' }>,
  nowMs: number,
): boolean {
  if (nowMs - first.modifiedMs < STILL_MS) return false;
  const second = readViewFile(path);
  return second.is === 'content' && second.content === first.content;
}

/** False: there is something under that name already, and it stays. */
export function makeViewFile(path: string, content: string): boolean {
  mkdirSync(dirname(path), { recursive: true });
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

/** Where a view was read or made: its folder is there. */
export function replaceViewFile(path: string, content: string): void {
  const temporary = `${unfinished(path)}${process.pid}.tmp`;
  try {
    // `wx`: a project may bring a link under this name, and writing would follow it.
    writeFileSync(temporary, content, { mode: 0o600, flag: 'wx' });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Also what a hook that was killed has left unfinished beside it. */
export function removeViewFile(path: string): void {
  rmSync(path, { force: true });
  const folder = dirname(path);
  for (const name of readdirSync(folder))
    if (join(folder, name).startsWith(unfinished(path))) rmSync(join(folder, name), { force: true });
}

function unfinished(path: string): string {
  return join(dirname(path), `.${basename(path)}.`);
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
