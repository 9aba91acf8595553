/**
 * Modules of Python that the tests import and that are installed, or come with Python itself. Where a runner
 * is started by `python -m`, the folder of the project comes first in the search, so a file of such a name is
 * loaded in their place. A module that is nowhere yet is work.
 */
import { dirname, join } from 'node:path';
import { namesIn, programOnPath, realPath } from '#base/files/paths.ts';
import { findDependencies } from './link-dependencies.ts';
import type { GroundFile } from '../list.ts';

const IMPORTS = /^[ \t]*(?:from|import)[ \t]+(?<module>[A-Za-z_]\w*)/gm;
/** More is not read of one file. */
const MAX_CHARS = 64 * 1024;

/** Patterns of files that are not there, relative to the project. */
export function pythonShadows(
  project: string,
  files: readonly Pick<GroundFile, 'path' | 'content'>[],
  env: Readonly<Record<string, string | undefined>>,
): string[] {
  const tests = files.filter(({ path }) => path.endsWith('.py'));
  const imported = new Set(tests.flatMap(({ content }) => modulesIn(content.toString('utf8', 0, MAX_CHARS))));
  if (imported.size === 0) return [];
  const own = new Set(namesIn(project).map(moduleNamed));
  const installed = new Set(libraries(project, env).flatMap(namesIn).map(moduleNamed));
  const found = [...imported].filter((name) => installed.has(name) && !own.has(name));
  return found.flatMap((name) => [`./${name}.py`, `./${name}`]);
}

function modulesIn(text: string): string[] {
  return [...text.matchAll(IMPORTS)].flatMap(({ groups }) => groups?.['module'] ?? []);
}

/** `six.py`, `numpy`, `_cffi.cpython-312.so` */
function moduleNamed(name: string): string {
  return name.replace(/\..*$/s, '');
}

function libraries(project: string, env: Readonly<Record<string, string | undefined>>): string[] {
  const programs = ['python3', 'python'].flatMap((name) => programOnPath(name, env) ?? []);
  const own = findDependencies(project).filter((path) => path.endsWith('venv'));
  const prefixes = [
    ...own.map((path) => join(project, path)),
    // A virtual environment links to the Python that made it.
    ...programs.flatMap((path) => [dirname(dirname(path)), dirname(dirname(realPath(path)))]),
    ...(env['HOME'] === undefined ? [] : [join(env['HOME'], '.local')]),
    '/usr/local',
  ];
  // The programs of pyenv are scripts that look for a version.
  const versions = prefixes.flatMap((prefix) =>
    namesIn(join(prefix, 'versions')).map((name) => join(prefix, 'versions', name)),
  );
  return [...new Set([...prefixes, ...versions])].flatMap((prefix) => {
    const lib = join(prefix, 'lib');
    const found = namesIn(lib).filter((name) => name.startsWith('python3'));
    return found
      .map((name) => join(lib, name))
      .flatMap((folder) => [folder, join(folder, 'site-packages'), join(folder, 'dist-packages')]);
  });
}
