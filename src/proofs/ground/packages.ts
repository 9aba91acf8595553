/**
 * The dependencies that a clean room links from the project. Git does not know them, so a module that was swapped there would
 * decide every check. Each package has a signature of its files by size and time, which is compared when the gates would hold.
 */
import { lstatSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { hash } from '../../core/hash.ts';
import type { GroundChange } from '../../core/ground.ts';
import { attempt } from '../../core/shape.ts';
import { readRegular, WITH_LINKS } from '../../files/read.ts';
import { sha256 } from '../../files/sha256.ts';
import { findDependencies, isCache } from './link-dependencies.ts';

/** What the project asks for. If this has changed, other packages are expected. */
const MANIFESTS =
  'package.json package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock bun.lockb pyproject.toml poetry.lock uv.lock Pipfile.lock requirements.txt requirements-dev.txt setup.py setup.cfg composer.json composer.lock Gemfile Gemfile.lock mix.exs mix.lock go.mod go.sum Podfile.lock'.split(
    ' ',
  );
/** More files than these are not looked at: it would take seconds. */
const MOST_FILES = 100_000;

export interface Packages {
  /** By the path of the package. Null: too many files. */
  readonly signatures: Readonly<Record<string, string>> | null;
  readonly manifests: string;
}

export function listPackages(project: string): Packages {
  return { signatures: signaturesIn(project), manifests: manifestsIn(project) };
}

/** None where the project asks for other packages than at the start: then they have to be others. */
export function packageChanges(then: Packages, now: Packages): GroundChange[] {
  if (then.signatures === null || now.signatures === null || then.manifests !== now.manifests) return [];
  const [before, after] = [then.signatures, now.signatures];
  const found = Object.entries(after).flatMap(([path, signature]): GroundChange[] => {
    const was = before[path];
    return was === signature ? [] : [{ path, how: was === undefined ? 'added' : 'changed' }];
  });
  const gone = Object.keys(before).filter((path) => after[path] === undefined);
  const all = [...found, ...gone.map((path): GroundChange => ({ path, how: 'deleted' }))];
  return all.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

export function manifestsIn(project: string): string {
  const folders = ['', ...findDependencies(project).map((path) => join(path, '..'))];
  const files = [...new Set(folders)].flatMap((folder) =>
    MANIFESTS.map((name) => join(project, folder, name)),
  );
  return hash(JSON.stringify(files.map((file) => digestOf(file))));
}

/** Empty: it is not there, or no file: a pipe of this name would never end. */
function digestOf(file: string): string {
  const found = readRegular(file, WITH_LINKS);
  return found.is === 'content' ? sha256(found.bytes) : '';
}

function signaturesIn(project: string): Record<string, string> | null {
  const packages = new Map<string, string[]>();
  let left = MOST_FILES;
  for (const root of findDependencies(project)) {
    const link = attempt(() => readlinkSync(join(project, root)), null);
    // Where it leads to is not part of the project.
    if (link !== null) packages.set(root, [link]);
    const folders = link === null ? [root] : [];
    for (let folder = folders.pop(); folder !== undefined; folder = folders.pop())
      for (const entry of attempt(() => readdirSync(join(project, folder), { withFileTypes: true }), [])) {
        const path = join(folder, entry.name);
        if (isCache(entry.name)) continue;
        if (entry.isDirectory()) {
          folders.push(path);
          continue;
        }
        if (--left < 0) return null;
        const name = packageOf(path, root);
        packages.set(name, [...(packages.get(name) ?? []), `${path} ${stampAt(join(project, path))}`]);
      }
  }
  return Object.fromEntries([...packages].map(([name, files]) => [name, hash(files.toSorted().join('\n'))]));
}

/** `node_modules/@a/b`, `.venv/lib/python3.12/site-packages/x`, `vendor/x`. */
function packageOf(path: string, root: string): string {
  const inner = /^.*[/\\](?:node_modules|site-packages)[/\\](?:@[^/\\]+[/\\])?[^/\\]+/.exec(path)?.[0];
  const [first = ''] = path.slice(root.length + 1).split(/[/\\]/);
  return (
    inner ??
    join(
      root,
      first.startsWith('@')
        ? path
            .slice(root.length + 1)
            .split(/[/\\]/, 2)
            .join('/')
        : first,
    )
  );
}

function stampAt(path: string): string {
  return attempt(() => {
    const { size, mtimeMs, mode } = lstatSync(path);
    return `${size} ${Math.floor(mtimeMs)} ${mode}`;
  }, 'gone');
}
