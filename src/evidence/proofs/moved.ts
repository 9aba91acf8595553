/**
 * Has the watched file arrived in its done folder? We recognise it by its name if the folder had no such file
 * at the start, or an older one. Otherwise we recognise it by its content, once the file has left its place.
 * Links do not count.
 */
import { lstatSync, readFileSync, readdirSync, type Stats } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { attempt, codeOf } from '#base/shape.ts';
import { hash } from '#base/hash.ts';
import type { MovedBaseline, MovedProof } from '#law/record/definition.ts';
import type { GateResult } from '#law/record/verdict.ts';
import { sayMove } from '#telling/person/features.ts';

/** Up to this size we compare contents; above it, the same size and time are enough. */
const MAX_HASHED_BYTES = 1024 * 1024;
/** In a done folder with more files than this we do not look for a renamed one. */
const MAX_FILES_SEARCHED = 10_000;
const MAX_TWINS = 100;

type WatchedFile = Extract<MovedBaseline['watched'], { is: 'file' }>;

export function baseline(file: string, folder: string, project: string): MovedBaseline {
  const path = resolve(project, file);
  const arrival = join(resolve(project, folder), basename(path));
  const watched = watchedAt(path);
  const there = lookAtFile(arrival);
  const files = filesIn(resolve(project, folder));
  return {
    file,
    folder,
    watched,
    there: there.is === 'seen' ? { size: there.stat.size, modifiedMs: modified(there.stat) } : null,
    twins: twinsOf(watched, files),
    warning: warningOf(watched, path === arrival, there.is === 'unreadable' || files.is === 'unreadable'),
  };
}

function watchedAt(path: string): MovedBaseline['watched'] {
  const seen = lookAtFile(path);
  if (seen.is !== 'seen') return { is: 'absent' };
  if (!seen.stat.isFile()) return { is: 'no-file' };
  const { size } = seen.stat;
  return {
    is: 'file',
    size,
    modifiedMs: modified(seen.stat),
    hash: size > MAX_HASHED_BYTES ? null : hashFile(path),
  };
}

function warningOf(
  watched: MovedBaseline['watched'],
  inPlace: boolean,
  unreadable: boolean,
): MovedBaseline['warning'] {
  if (unreadable) return 'folder-unreadable';
  if (watched.is !== 'file') return watched.is;
  return inPlace ? 'done-already' : null;
}

export function hasMoved(atStart: MovedBaseline, project: string): MovedProof {
  const path = resolve(project, atStart.file);
  const folder = resolve(project, atStart.folder);
  const arrival = join(folder, basename(path));
  const now = lookAtFile(arrival);
  if (now.is === 'unreadable') return now;
  if (now.is === 'seen' && hasArrived(atStart, now.stat, arrival))
    return { is: 'moved', how: 'name', to: arrival };
  if (lookAtFile(path).is !== 'gone') return { is: 'not-moved', origin: 'there' };
  return findRenamed(atStart, folder) ?? { is: 'not-moved', origin: 'gone' };
}

function hasArrived({ there, watched }: MovedBaseline, now: Stats, arrival: string): boolean {
  if (there === null || modified(now) > there.modifiedMs) return true;
  // An older file may have replaced a newer one of the same name: then we compare the content.
  const replaced = modified(now) !== there.modifiedMs || now.size !== there.size;
  return replaced && watched.is === 'file' && isSame(watched, now, arrival);
}

function findRenamed({ watched, twins }: MovedBaseline, folder: string): MovedProof | null {
  // All empty files are equal: a .gitkeep in a new folder is not a finished task.
  if (watched.is !== 'file' || watched.size === 0 || twins === null) return null;
  const files = filesIn(folder);
  if (files.is === 'unreadable') return files;
  if (files.is !== 'files') return null;
  for (const path of files.paths) {
    const seen = lookAtFile(path);
    if (seen.is !== 'seen' || seen.stat.size !== watched.size) continue;
    const name = basename(path);
    if (twins.some((twin) => twin.name === name && twin.modifiedMs === modified(seen.stat))) continue;
    if (isSame(watched, seen.stat, path)) return { is: 'moved', how: 'renamed', to: path };
  }
  return null;
}

function isSame(watched: WatchedFile, now: Stats, path: string): boolean {
  if (!now.isFile() || now.size !== watched.size) return false;
  return watched.hash === null ? modified(now) === watched.modifiedMs : hashFile(path) === watched.hash;
}

function twinsOf(watched: MovedBaseline['watched'], files: Files): MovedBaseline['twins'] {
  if (files.is === 'many' || files.is === 'unreadable') return null;
  if (files.is === 'gone' || watched.is !== 'file') return [];
  const twins = files.paths.flatMap((path) => {
    const seen = lookAtFile(path);
    const isTwin = seen.is === 'seen' && seen.stat.size === watched.size;
    return isTwin ? [{ name: basename(path), modifiedMs: modified(seen.stat) }] : [];
  });
  return twins.length > MAX_TWINS ? null : twins;
}

type UnseenFiles = { readonly is: 'gone' } | { readonly is: 'unreadable'; readonly why: string };
type Files =
  | { readonly is: 'files'; readonly paths: readonly string[] }
  | { readonly is: 'many' }
  | UnseenFiles;

function filesIn(folder: string): Files {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    if (entries.length > MAX_FILES_SEARCHED) return { is: 'many' };
    const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
    return { is: 'files', paths: names.toSorted().map((name) => join(folder, name)) };
  } catch (error) {
    return unseen(error);
  }
}

function lookAtFile(path: string): { readonly is: 'seen'; readonly stat: Stats } | UnseenFiles {
  try {
    const stat = lstatSync(path);
    return stat.isSymbolicLink() ? { is: 'gone' } : { is: 'seen', stat };
  } catch (error) {
    return unseen(error);
  }
}

function unseen(error: unknown): UnseenFiles {
  const why = codeOf(error);
  return why === 'ENOENT' || why === 'ENOTDIR' ? { is: 'gone' } : { is: 'unreadable', why };
}

/** Whole milliseconds: a move to another disk may lose the finer part. */
function modified(stat: Stats): number {
  return Math.max(0, Math.floor(stat.mtimeMs));
}

/** Byte for byte: decoded as UTF-8, two different binary files could look the same. */
function hashFile(path: string): string | null {
  return attempt(() => hash(readFileSync(path, 'latin1')), null);
}

export function movedResult(atStart: MovedBaseline, proof: MovedProof): GateResult {
  const says = sayMove(atStart, proof);
  return {
    gate: 'moved',
    holds: proof.is === 'moved',
    says,
    trouble: proof.is === 'unreadable' ? says : null,
  };
}
