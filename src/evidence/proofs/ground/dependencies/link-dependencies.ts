/**
 * The room holds what git knows, and dependencies are not among it. So those of the project are linked:
 * `node_modules` entry by entry, so that what a check writes beside them stays in the room, and a link to a
 * package of the project itself leads to that package in the room.
 */
import { existsSync, lstatSync, mkdirSync, readdirSync, readlinkSync, symlinkSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { attempt } from '#base/shape.ts';
import { isIn } from '#base/files/paths.ts';
import { findTop } from '#evidence/git/git-folder.ts';
import { MADE_FOLDERS } from '../table.ts';

const DEPENDENCIES: ReadonlySet<string> = new Set(
  'node_modules bower_components .venv venv vendor deps Pods .bundle'.split(' '),
);
/** Caches that tools keep beside the dependencies. The room gets its own. */
const CACHES = new Set(
  '.cache .vite .vitest .vite-temp .package-lock.json .yarn-state.yml __pycache__ .pytest_cache'.split(' '),
);
const MAX_FOLDERS_SEEN = 50_000;

/** Those of `from` that `to` has not got, relative to both. */
export function findDependencies(from: string, to: string | null = null): string[] {
  const found: string[] = [];
  const folders = [''];
  let seen = 0;
  for (let folder = folders.pop(); folder !== undefined && ++seen < MAX_FOLDERS_SEEN; folder = folders.pop())
    for (const entry of entriesIn(join(from, folder))) {
      const path = join(folder, entry.name);
      const isDependency = DEPENDENCIES.has(entry.name);
      if (isDependency && (to === null || !existsSync(join(to, path)))) found.push(path);
      else if (!isDependency && entry.isDirectory() && !MADE_FOLDERS.has(entry.name)) folders.push(path);
    }
  return found;
}

/** Those of the folders above, up to the root of the repository: a package of a workspace finds them, too. */
export function dependenciesAbove(project: string): string[] {
  const found: string[] = [];
  const top = findTop(project) ?? project;
  for (let [folder, path] = [project, '']; folder !== top && isIn(folder, top);) {
    [folder, path] = [dirname(folder), join('..', path)];
    found.push(
      ...[...DEPENDENCIES].filter((name) => existsSync(join(folder, name))).map((name) => join(path, name)),
    );
  }
  return found;
}

export function linkDependencies(from: string, to: string): void {
  for (const path of findDependencies(from, to)) {
    const [source, target] = [join(from, path), join(to, path)];
    // A folder that is not in the room has no files there either, so nothing in it can be tested.
    if (!existsSync(join(target, '..'))) continue;
    if (path.endsWith('node_modules')) linkEntries(source, target);
    else linkTo(source, target);
  }
}

export function isCache(name: string): boolean {
  return CACHES.has(name);
}

function linkEntries(from: string, to: string): void {
  const isPackages = attempt(() => lstatSync(from).isDirectory(), false);
  if (!isPackages) return linkTo(from, to);
  mkdirSync(to);
  for (const { name } of entriesIn(from)) {
    if (isCache(name)) continue;
    const [source, target] = [join(from, name), join(to, name)];
    if (name.startsWith('@') || name === '.bin') linkEntries(source, target);
    else linkTo(source, target);
  }
}

/** A relative link is made again, so that it leads into the room. */
function linkTo(source: string, target: string): void {
  const link = attempt(() => readlinkSync(source), null);
  symlinkSync(link !== null && !isAbsolute(link) ? link : source, target, 'junction');
}

function entriesIn(folder: string) {
  return attempt(() => readdirSync(folder, { withFileTypes: true }), []);
}
