/**
 * A view's file: read without following links, replaced whole by a rename, and trusted only once it is
 * stable.
 */
import { codeOf } from '#base/shape.ts';
import { refuseToLeave } from '#base/files/paths.ts';
import { READING, readRegular, type FileReading } from '#base/files/read.ts';
import { renameOver, syncFolder } from '#base/files/rename.ts';
import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** An editor that saves in place leaves empty and half files for a moment. */
const STILL_MS = 1_000;

/** We trust a changed file when it is older than a second and a second read gives the same content. */
export function liesStill(path: string, first: Extract<FileReading, { is: 'content' }>, nowMs: number) {
  if (nowMs - first.modifiedMs < STILL_MS) return false;
  const second = readRegular(path);
  return second.is === 'content' && second.content === first.content;
}

/**
 * False: the name is taken, and that file stays. The file appears whole or not at all, as another process may
 * read it.
 */
export function makeViewFile(path: string, content: string, project: string): boolean {
  refuseToLeave(dirname(path), project);
  const made = mkdirSync(dirname(path), { recursive: true });
  const temporary = writeBeside(path, content, fsyncSync);
  try {
    const isNew = isMade(() => linkSync(temporary, path));
    // A view that is gone has cancelled its loop, so a power cut must not take it away.
    if (isNew) syncFolder(dirname(path));
    if (isNew && made !== undefined) syncFolder(dirname(made));
    return isNew;
  } catch {
    // A file system without links. A reader may then find half a view, but trusts it only once it is stable.
    return isMade(() => writeFileSync(path, content, { flag: 'wx', mode: 0o600 }));
  } finally {
    rmSync(temporary, { force: true });
  }
}

function isMade(make: () => void): boolean {
  try {
    make();
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

export function existsAt(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/**
 * For a view that was just read, so its folder exists. What a person has written since is not `ours`, and is
 * put back. Windows can't replace a file that we hold, so such a text is lost there.
 */
export function replaceViewFile(
  path: string,
  content: string | Uint8Array,
  isOurs: (content: string) => boolean = () => true,
): void {
  const temporary = writeBeside(path, content);
  let old: number | null = null;
  try {
    if (process.platform !== 'win32') old = openSync(path, READING);
  } catch {
    // It is gone, or a link: nobody has written it.
  }
  try {
    renameOver(temporary, path);
    const left = old !== null && readFileSync(old);
    if (left && !isOurs(String(left))) replaceViewFile(path, left);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  } finally {
    if (old !== null) closeSync(old);
  }
}

/**
 * The temporary name under which a file is written before its rename. Takes a path or a name, and the writing
 * process.
 */
export function temporaryOf(path: string, writer: number | '*' = process.pid): string {
  const at = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1;
  return `${path.slice(0, at)}.${path.slice(at)}.${writer}.tmp`;
}

/** Exclusive: a project may ship a link under this name, and a plain write would follow it. */
function writeBeside(path: string, content: string | Uint8Array, settle?: (file: number) => void): string {
  const temporary = temporaryOf(path);
  try {
    // `writeFileSync` takes 0.1 ms longer: these three are needed at a stop anyway.
    const file = openSync(temporary, 'wx', 0o600);
    try {
      const bytes = Buffer.from(content);
      for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
      settle?.(file);
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
  removeCopies(path);
}

/** The same for a view that was just read. `keep` gets what somebody has written into it since. */
export function takeViewFile(path: string, before: Uint8Array, keep: (bytes: Uint8Array) => void): void {
  const aside = temporaryOf(path);
  try {
    renameOver(path, aside);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    throw error;
  }
  const found = readRegular(aside);
  if (found.is === 'content' && !same(found.bytes, before)) keep(found.bytes);
  removeCopies(path);
}

function removeCopies(path: string): void {
  const [folder, start] = [dirname(path), `.${basename(path)}.`];
  for (const name of readdirSync(folder))
    if (name.startsWith(start)) rmSync(join(folder, name), { force: true });
}

export type Swapped =
  | { readonly is: 'swapped' }
  /** Another process wrote it since: nothing was done. */
  | { readonly is: 'changed' }
  /** Another process had the file open and rewrote it during the replacement: this is what it wrote. */
  | { readonly is: 'overtaken'; readonly bytes: Uint8Array };

const MODE_BITS = 0o777;

/**
 * Replaces a file that others write too: whole, by a rename, with its mode, and only if it still has the
 * content that the caller read. What another process wrote meanwhile stays.
 */
export function swapViewFile(path: string, before: Uint8Array, after: string | Uint8Array): Swapped {
  const temporary = temporaryOf(path);
  const old = openSync(path, READING);
  try {
    writeBeside(path, after);
    chmodSync(temporary, fstatSync(old).mode & MODE_BITS);
    const now = readRegular(path);
    if (now.is !== 'content' || !same(now.bytes, before)) return { is: 'changed' };
    renameOver(temporary, path);
    const left = readFileSync(old);
    if (same(left, before)) return { is: 'swapped' };
    if (!same(left.subarray(0, before.length), before)) return { is: 'overtaken', bytes: left };
    // The other process appended, so we append the same to the new file. What was added there since stays
    // too.
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
