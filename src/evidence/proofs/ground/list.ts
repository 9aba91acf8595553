/**
 * The files of the ground: found by a walk through the project, which also sees what git ignores, as a
 * planted `conftest.py` is. Bounded, since a stop that would complete repeats it.
 */
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { attempt } from '#base/shape.ts';
import { sha256 } from '#base/files/sha256.ts';
import { mixedFile } from './mixed.ts';
import { groundKinds, MADE_FOLDERS, type GroundKind } from './table.ts';

export interface GroundFile {
  /** Relative to the project, with `/`. */
  readonly path: string;
  readonly kind: GroundKind;
  /** Of the content, or of the part that decides. */
  readonly hash: string;
  readonly mode: 'file' | 'executable' | 'link';
  readonly content: Buffer;
}

export type GroundListing =
  | { readonly ok: true; readonly files: readonly GroundFile[] }
  /** Why it can't be compared, to follow "its ground": `has more than …`. */
  | { readonly ok: false; readonly why: string };

const MOST_FILES = 10_000;
const MOST_BYTES = 64 * 1024 * 1024;
const MOST_SEEN = 200_000;
const EXECUTABLE = 0o111;
/** The hash of a file of which only a part decides begins so. */
export const PART = 'part ';

/** `named`: patterns that the start adds. Da Capo's own files are not part of it. */
export function listGround(
  project: string,
  named: readonly string[],
  isOwn: (path: string) => boolean,
): GroundListing {
  const kindOf = groundKinds(named);
  const files: GroundFile[] = [];
  const folders = [''];
  let [seen, bytes] = [0, 0];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop())
    for (const entry of entriesIn(join(project, folder))) {
      if (++seen > MOST_SEEN) return { ok: false, why: `lies among more than ${MOST_SEEN} files` };
      const path = `${folder}${entry.name}`;
      if (entry.isDirectory()) {
        if (!MADE_FOLDERS.has(entry.name)) folders.push(`${path}/`);
        continue;
      }
      const file = isOwn(path) ? null : groundFile(project, path, kindOf);
      if (file === null) continue;
      bytes += file.content.length;
      if (files.length >= MOST_FILES) return { ok: false, why: `has more than ${MOST_FILES} files` };
      if (bytes > MOST_BYTES) return { ok: false, why: `is larger than ${MOST_BYTES / 1024 / 1024} MB` };
      files.push(file);
    }
  return { ok: true, files: files.toSorted((a, b) => (a.path < b.path ? -1 : 1)) };
}

function groundFile(
  project: string,
  path: string,
  kindOf: ReturnType<typeof groundKinds>,
): GroundFile | null {
  const mixed = mixedFile(path);
  const placed = kindOf(path);
  const kind = placed ?? mixed?.kind ?? 'none';
  const read = kind === 'none' ? null : readGround(join(project, path));
  if (kind === 'none' || read === null) return null;
  // A file that is part of the ground by its place decides as a whole.
  if (mixed === null || placed !== null || read.mode === 'link')
    return { path, kind, hash: sha256(read.content), ...read };
  const part = mixed.deciding(read.content.toString('utf8'));
  return part === '' ? null : { path, kind, hash: `${PART}${sha256(part)}`, ...read };
}

/** Null: it is neither a file nor a link, or nobody can read it. */
function readGround(path: string): Pick<GroundFile, 'mode' | 'content'> | null {
  return attempt(() => {
    const stat = lstatSync(path);
    if (stat.isSymbolicLink()) return { mode: 'link', content: Buffer.from(readlinkSync(path)) };
    if (!stat.isFile() || stat.size > MOST_BYTES) return null;
    return { mode: stat.mode & EXECUTABLE ? 'executable' : 'file', content: readFileSync(path) };
  }, null);
}

function entriesIn(folder: string) {
  return attempt(() => readdirSync(folder, { withFileTypes: true }), []);
}
