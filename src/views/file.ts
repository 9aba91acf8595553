/** A view's file: read without following links, replaced whole by a rename, and trusted only once it is stable. */
import { codeOf } from '../core/thrown.ts';
import { refuseToLeave } from '../files/paths.ts';
import { readRegular, type FileReading } from '../files/read.ts';
import {
  closeSync,
  constants,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { temporaryOf } from './view.ts';

/** An editor that saves in place leaves empty and half files for a moment. */
const STILL_MS = 1_000;

/** Exclusive: a project may ship a link under this name, and a plain write would follow it. */
const MAKING = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;

/** We trust a changed file when it is older than a second and a second read gives the same content. */
export function liesStill(
  path: string,
  first: Extract<FileReading, { is: 'content' }>,
  nowMs: number,
): boolean {
  if (nowMs - first.modifiedMs < STILL_MS) return false;
  const second = readRegular(path);
  return second.is === 'content' && second.content === first.content;
}

/** False: the name is taken, and that file stays. The file appears whole or not at all, as another process may read it. */
export function makeViewFile(path: string, content: string, project: string): boolean {
  refuseToLeave(dirname(path), project);
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

export function existsAt(path: string): boolean {
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
