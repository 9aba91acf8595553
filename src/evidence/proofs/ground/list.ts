/**
 * The files of the ground: found by a walk through the project, which also sees what git ignores, as a
 * planted `conftest.py` is. Bounded, since a stop that would complete repeats it.
 */
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { attempt } from '#base/shape.ts';
import { isIn, realPath } from '#base/files/paths.ts';
import { sha256 } from '#base/files/sha256.ts';
import { findTop } from '#evidence/git/git-folder.ts';
import { isLoader, leadsTo } from './follow.ts';
import { mixedFile } from './parts/mixed.ts';
import { groundKinds, isUsualConfig, MADE_FOLDERS, MAYBE_MADE, type GroundKind } from './table.ts';

export interface GroundFile {
  /** Relative to the project, with `/`: `../tsconfig.json` in a project below the root of its repository. */
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

const MAX_FILES_KEPT = 10_000;
const MAX_GROUND_BYTES = 64 * 1024 * 1024;
const MAX_FILES_SEEN = 200_000;
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
  const place = realPath(project);
  const top = findTop(place) ?? place;
  const found = new FoundFiles();
  const isMade = madeFolders(place, top);
  for (const path of walk(place, isMade, found)) {
    const file = isOwn(path) ? null : groundFile(place, path, kindOf);
    if (file !== null) found.add(file);
    if (found.why !== null) break;
  }
  for (const path of [...configsAbove(place, top), ...namedAbove(named, place, top)]) {
    const file = kindOf(path) === 'none' ? null : groundFile(place, path, (one) => kindAbove(one, named));
    if (file !== null) found.add(file);
  }
  addFollowed(found, (file) => {
    const led = leadsTo(file, place, top).filter((path) => !found.files.has(path) && !isOwn(path));
    return led.flatMap((path) => (kindOf(path) === 'none' ? [] : (wholeFile(place, path, file.kind) ?? [])));
  });
  if (found.why !== null) return { ok: false, why: found.why };
  return { ok: true, files: [...found.files.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1)) };
}

class FoundFiles {
  readonly files = new Map<string, GroundFile>();
  /** Why there are too many. */
  why: string | null = null;
  private bytes = 0;

  add(file: GroundFile): void {
    if (this.files.has(file.path)) return;
    this.bytes += file.content.length;
    if (this.files.size >= MAX_FILES_KEPT) this.why = `has more than ${MAX_FILES_KEPT} files`;
    else if (this.bytes > MAX_GROUND_BYTES) this.why = `is larger than ${MAX_GROUND_BYTES / 1024 / 1024} MB`;
    else this.files.set(file.path, file);
  }
}

function* walk(project: string, isMade: (folder: string) => boolean, found: FoundFiles): Generator<string> {
  const folders = [''];
  let seen = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop())
    for (const entry of entriesIn(join(project, folder))) {
      if (++seen > MAX_FILES_SEEN) {
        found.why = `lies among more than ${MAX_FILES_SEEN} files`;
        return;
      }
      const path = `${folder}${entry.name}`;
      if (!entry.isDirectory()) yield path;
      else if (!isMade(path)) folders.push(`${path}/`);
    }
}

/**
 * Programs fill these folders. A folder of such a name that no `.gitignore` mentions is one of sources, such
 * as `src/target/`. Without git, nobody knows.
 */
function madeFolders(project: string, top: string): (folder: string) => boolean {
  const isRepository = existsSync(join(top, '.git'));
  const ignores = new Map<string, string>();
  const ignoredIn = (folder: string): string => {
    const known = ignores.get(folder);
    if (known !== undefined) return known;
    const file = folder === top ? ['.gitignore', '.git/info/exclude'] : ['.gitignore'];
    const own = file.map((name) => attempt(() => readFileSync(join(folder, name), 'utf8'), '')).join('\n');
    const all = folder === top || !isIn(folder, top) ? own : `${own}\n${ignoredIn(dirname(folder))}`;
    ignores.set(folder, all);
    return all;
  };
  return (path) => {
    const name = basename(path);
    if (!MADE_FOLDERS.has(name)) return false;
    if (!isRepository || !MAYBE_MADE.has(name)) return true;
    // As a whole word: `layout/` does not ignore `out/`.
    const ignored = ignoredIn(dirname(join(project, path))).split(/[\s/*!]+/);
    return ignored.includes(name);
  };
}

/** Tools look for their configs in the folders above as well, up to the root of the repository. */
function configsAbove(project: string, top: string): string[] {
  const found: string[] = [];
  for (let [folder, path] = [project, '']; folder !== top && isIn(folder, top);) {
    [folder, path] = [dirname(folder), `../${path}`];
    found.push(...entriesIn(folder).flatMap((entry) => (entry.isDirectory() ? [] : `${path}${entry.name}`)));
  }
  return found;
}

/** Files above the project that its checks run. */
function namedAbove(named: readonly string[], project: string, top: string): string[] {
  return named
    .filter((pattern) => pattern.startsWith('./../'))
    .map((pattern) => pattern.slice('./'.length))
    .filter((path) => isIn(join(project, path), top));
}

function kindAbove(path: string, named: readonly string[]): GroundKind | null {
  return isUsualConfig(path.slice(path.lastIndexOf('/') + 1)) || named.includes(`./${path}`)
    ? 'config'
    : null;
}

/** A config loads a file, which loads another. */
const MAX_LOADING_STEPS = 2;

function addFollowed(found: FoundFiles, leads: (file: GroundFile) => readonly GroundFile[]): void {
  let open: readonly GroundFile[] = [...found.files.values()].filter(isLoader);
  for (let step = 0; step < MAX_LOADING_STEPS && open.length > 0; step++) {
    open = open.flatMap(leads);
    for (const file of open) found.add(file);
  }
}

function groundFile(
  project: string,
  path: string,
  kindOf: ReturnType<typeof groundKinds>,
): GroundFile | null {
  const mixed = mixedFile(path);
  const placed = kindOf(path);
  const kind = placed ?? mixed?.kind ?? 'none';
  if (kind === 'none') return null;
  // A file that is part of the ground by its place decides as a whole.
  if (mixed === null || placed !== null) return wholeFile(project, path, kind);
  const read = readGround(join(project, path));
  if (read === null) return null;
  if (read.mode === 'link') return { path, kind, hash: sha256(read.content), ...read };
  const part = mixed.deciding(read.content.toString('utf8'));
  return part === '' ? null : { path, kind, hash: `${PART}${sha256(part)}`, ...read };
}

function wholeFile(project: string, path: string, kind: GroundKind): GroundFile | null {
  const read = readGround(join(project, path));
  return read === null ? null : { path, kind, hash: sha256(read.content), ...read };
}

/** Null: it is neither a file nor a link, or nobody can read it. */
function readGround(path: string): Pick<GroundFile, 'mode' | 'content'> | null {
  return attempt(() => {
    const stat = lstatSync(path);
    if (stat.isSymbolicLink()) return { mode: 'link', content: Buffer.from(readlinkSync(path)) };
    if (!stat.isFile() || stat.size > MAX_GROUND_BYTES) return null;
    return { mode: stat.mode & EXECUTABLE ? 'executable' : 'file', content: readFileSync(path) };
  }, null);
}

function entriesIn(folder: string) {
  return attempt(() => readdirSync(folder, { withFileTypes: true }), []);
}
