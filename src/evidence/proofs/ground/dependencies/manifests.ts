/** The files by which a project asks for its dependencies: manifests and lock files. */
import { join } from 'node:path';
import { hash } from '#base/hash.ts';
import { attempt, isRecord } from '#base/shape.ts';
import { readRegular, WITH_LINKS } from '#base/files/read.ts';
import { sha256 } from '#base/files/sha256.ts';
import { wordList } from '#base/words/word-list.ts';
import { realPath } from '#base/files/paths.ts';
import { dependenciesAbove, findDependencies } from './link-dependencies.ts';

const MANIFESTS = wordList(`
  package.json package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock bun.lockb
  pyproject.toml poetry.lock uv.lock Pipfile.lock requirements.txt requirements-dev.txt setup.py
  setup.cfg composer.json composer.lock Gemfile Gemfile.lock mix.exs mix.lock go.mod go.sum
  Podfile.lock
`);
/** The rest of `package.json` asks for nothing. */
const PACKAGE_JSON_REQUESTS = wordList(`
  dependencies devDependencies optionalDependencies peerDependencies bundleDependencies overrides
  resolutions pnpm workspaces packageManager
`);

/** What the project asks for, by the path of the file. One that is not there asks for nothing. */
export function requestsIn(project: string): Record<string, string> {
  const found = manifestsAt(project).flatMap((path): [string, string][] => {
    const bytes = bytesAt(join(project, path));
    return bytes === null ? [] : [[path, sha256(requestsOf(path, bytes))]];
  });
  return Object.fromEntries(found);
}

/** Of all that these files say: a command that makes the dependencies may read any of it. */
export function digestManifests(project: string): string {
  const digests = manifestsAt(project).map((path) => sha256(bytesAt(join(project, path)) ?? ''));
  return hash(JSON.stringify(digests));
}

function manifestsAt(project: string): string[] {
  const dependencies = [...findDependencies(project), ...dependenciesAbove(realPath(project))];
  const folders = new Set(['', ...dependencies.map((path) => join(path, '..'))]);
  return [...folders].flatMap((folder) => MANIFESTS.map((name) => join(folder, name)));
}

function requestsOf(path: string, bytes: Uint8Array): Uint8Array | string {
  if (!path.endsWith('package.json')) return bytes;
  const read = attempt((): unknown => JSON.parse(Buffer.from(bytes).toString('utf8')), null);
  return isRecord(read) ? JSON.stringify(PACKAGE_JSON_REQUESTS.map((key) => read[key] ?? null)) : bytes;
}

/** Null: it is not there, or no file: a pipe of this name would never end. */
function bytesAt(file: string): Uint8Array | null {
  const found = readRegular(file, WITH_LINKS);
  return found.is === 'content' ? found.bytes : null;
}
