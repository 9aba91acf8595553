/**
 * Copies files and links from one tree into another as they are: bytes, right to execute, where a link
 * points. Neither side is followed through a link: a folder that is a link has no files of its own, and one
 * in the way is replaced.
 */
import {
  constants,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  type Stats,
} from 'node:fs';
import { posix } from 'node:path';
import { codeOf } from '#base/shape.ts';
import { fileAt, statAt } from '../git.ts';

/** A clone of the blocks where the file system can do that. The target must not exist: it could be a link. */
const HOW = constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL;

/** Takes names as bytes, relative to both roots. False: there is no such file or link any more. */
export function copierBetween(from: string, to: string): (path: string) => boolean {
  const isReal = remembering((folder) => statAt(from, folder)?.isDirectory() === true);
  const isMade = remembering((folder) => makeFolder(to, folder));
  return (path) => {
    const folder = posix.dirname(path);
    if (!isReal(folder)) return false;
    const stat = statAt(from, path);
    if (stat === undefined || !(stat.isFile() || stat.isSymbolicLink())) return false;
    isMade(folder);
    return copyOne(stat, fileAt(from, path), fileAt(to, path));
  };
}

/** Whether this holds for a folder and all folders above it. Each is asked once, from the root on. */
function remembering(holds: (folder: string) => boolean): (folder: string) => boolean {
  const known = new Map<string, boolean>([['.', true]]);
  return function ask(folder: string): boolean {
    const before = known.get(folder);
    if (before !== undefined) return before;
    const found = ask(posix.dirname(folder)) && holds(folder);
    known.set(folder, found);
    return found;
  };
}

function makeFolder(to: string, folder: string): true {
  const path = fileAt(to, folder);
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat?.isDirectory() === true) return true;
  if (stat !== undefined) rmSync(path, { force: true });
  mkdirSync(path);
  return true;
}

/** False: the file went away meanwhile. */
function copyOne(stat: Stats, from: Buffer, to: Buffer): boolean {
  const copy = () =>
    stat.isFile() ? copyFileSync(from, to, HOW) : symlinkSync(readlinkSync(from, { encoding: 'buffer' }), to);
  try {
    copy();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    if (codeOf(error) !== 'EEXIST') throw error;
    rmSync(to, { recursive: true, force: true });
    copy();
  }
  return true;
}
