/**
 * The dependencies of the project, which a clean room links. Git does not know them, so a module that was
 * swapped there would decide every check. The start keeps a digest of each package, and when the gates would
 * hold, they are compared. A package whose files nobody has touched is not read again.
 */
import { lstatSync, readdirSync, readFileSync, readlinkSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { hash } from '#base/hash.ts';
import type { GroundChange } from '#law/proof/ground.ts';
import { attempt } from '#base/shape.ts';
import { sha256 } from '#base/files/sha256.ts';
import { realPath } from '#base/files/paths.ts';
import { dependenciesAbove, findDependencies, isCache } from './link-dependencies.ts';
import { requestsIn } from './manifests.ts';

/** More files than these are not looked at: it would take seconds. */
const MAX_FILES_SEEN = 100_000;
/** More are told apart by size and time alone: to read them would take seconds. */
const MAX_FILES_READ = 40_000;
const MAX_FILE_BYTES_READ = 1024 * 1024;

export interface PackageSignature {
  /** When and how its files were written. While it is the same, so is the package. */
  readonly stamp: string;
  readonly content: string;
}

export interface Packages {
  /** By the path of the package. Null: too many files. */
  readonly signatures: Readonly<Record<string, PackageSignature>> | null;
  /** Contents are by bytes. Otherwise by size and time. */
  readonly isRead: boolean;
  /** What the project asks for, by file. If this has changed, other packages are expected. */
  readonly manifests: Readonly<Record<string, string>>;
}

export function listPackages(project: string): Packages {
  const listed = filesOfPackages(project);
  const manifests = requestsIn(project);
  if (listed === null) return { signatures: null, isRead: false, manifests };
  const isRead = listed.count <= MAX_FILES_READ;
  const signatures = [...listed.packages].map(([name, files]) => {
    return [name, { stamp: stampOf(files), content: contentOf(project, files, isRead) }] as const;
  });
  return { signatures: Object.fromEntries(signatures), isRead, manifests };
}

export interface PackageChanges {
  /** Packages of the start that are others now, or gone. */
  readonly changed: readonly GroundChange[];
  readonly added: readonly GroundChange[];
  /** Files that ask for other packages than at the start. */
  readonly manifests: readonly GroundChange[];
}

export function packageChanges(then: Packages, project: string): PackageChanges {
  const manifests = changesBetween(then.manifests, requestsIn(project), (a, b) => a === b);
  const listed = then.signatures === null ? null : filesOfPackages(project);
  if (then.signatures === null) return { changed: [], added: [], manifests };
  // Whoever adds so many files would not be compared any more.
  if (listed === null)
    return { changed: [{ path: `more than ${MAX_FILES_SEEN} files`, how: 'added' }], added: [], manifests };
  const isSame = (was: PackageSignature, files: readonly PackageFile[]) =>
    was.stamp === stampOf(files) || was.content === contentOf(project, files, then.isRead);
  const all = changesBetween(then.signatures, Object.fromEntries(listed.packages), isSame);
  return {
    changed: all.filter(({ how }) => how !== 'added'),
    added: all.filter(({ how }) => how === 'added'),
    manifests,
  };
}

function changesBetween<Then, Now>(
  then: Readonly<Record<string, Then>>,
  now: Readonly<Record<string, Now>>,
  isSame: (then: Then, now: Now) => boolean,
): GroundChange[] {
  const found = Object.entries(now).flatMap(([path, is]): GroundChange[] => {
    const was = then[path];
    if (was === undefined) return [{ path, how: 'added' }];
    return isSame(was, is) ? [] : [{ path, how: 'changed' }];
  });
  const gone = Object.keys(then).filter((path) => now[path] === undefined);
  const all = [...found, ...gone.map((path): GroundChange => ({ path, how: 'deleted' }))];
  return all.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

interface PackageFile {
  readonly path: string;
  /** Null: it went away meanwhile. */
  readonly stat: Stats | null;
}

interface ListedPackages {
  readonly packages: ReadonlyMap<string, readonly PackageFile[]>;
  readonly count: number;
}

/** Null: too many. If only those above the project are, or those behind a link, they are left out. */
function filesOfPackages(folder: string): ListedPackages | null {
  const project = realPath(folder);
  const own = findDependencies(project);
  const all = [...own, ...dependenciesAbove(project)];
  return (
    filesBelow(project, all, true) ??
    filesBelow(project, own, true) ??
    filesBelow(project, all, false) ??
    filesBelow(project, own, false)
  );
}

/** `followsLinks`: a `node_modules` may be a link to that of another work tree. */
function filesBelow(project: string, roots: readonly string[], followsLinks: boolean): ListedPackages | null {
  const packages = new Map<string, PackageFile[]>();
  let count = 0;
  const add = (name: string, path: string) => {
    const file = { path, stat: lstatSync(join(project, path), { throwIfNoEntry: false }) ?? null };
    packages.set(name, packages.get(name) ?? []);
    packages.get(name)?.push(file);
  };
  for (const root of roots) {
    const stat = attempt(() => lstatSync(join(project, root)), null);
    if (stat?.isDirectory() !== true) add(root, root);
    const isFollowed = followsLinks && stat?.isSymbolicLink() === true;
    const folders = stat?.isDirectory() === true || isFollowed ? [root] : [];
    for (let folder = folders.pop(); folder !== undefined; folder = folders.pop())
      for (const entry of attempt(() => readdirSync(join(project, folder), { withFileTypes: true }), [])) {
        const path = join(folder, entry.name);
        if (isCache(entry.name)) continue;
        if (entry.isDirectory()) folders.push(path);
        else if (++count > MAX_FILES_SEEN) return null;
        else add(packageOf(path, root), path);
      }
  }
  return { packages, count };
}

const INNERMOST = /^.*[/\\](?:node_modules|site-packages)[/\\](?:(?:@[^/\\]+|\.bin)[/\\])?[^/\\]+/;

/**
 * `node_modules/@a/b`, `.venv/lib/python3.12/site-packages/x`, `vendor/x`. A program in `.bin` is one of its
 * own: each package adds some.
 */
function packageOf(path: string, root: string): string {
  const inner = INNERMOST.exec(`/${path}`)?.[0].slice(1);
  return inner ?? join(root, path.slice(root.length + 1).split(/[/\\]/, 1)[0] ?? '');
}

/** The time of a change of the inode can't be set back. */
function stampOf(files: readonly PackageFile[]): string {
  const stamps = files.map(({ path, stat }) => {
    return stat === null
      ? path
      : [path, stat.size, stat.mtimeMs, stat.ctimeMs, stat.ino, stat.mode].join(' ');
  });
  return hash(stamps.toSorted().join('\n'));
}

function contentOf(project: string, files: readonly PackageFile[], isRead: boolean): string {
  const contents = files.map(({ path, stat }) => {
    const isBySize = stat !== null && stat.isFile() && (!isRead || stat.size > MAX_FILE_BYTES_READ);
    if (isBySize) return [path, stat.size, Math.floor(stat.mtimeMs), stat.mode].join(' ');
    return `${path} ${stat?.mode ?? ''} ${attempt(() => bytesAt(join(project, path), stat), 'gone')}`;
  });
  return hash(contents.toSorted().join('\n'));
}

/** A pipe is not read: it would never end. */
function bytesAt(path: string, stat: Stats | null): string {
  if (stat?.isSymbolicLink()) return readlinkSync(path);
  return stat?.isFile() ? sha256(readFileSync(path)) : '';
}
