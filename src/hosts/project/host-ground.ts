/** Which of a project's files hosts obey, by the table of project files. Pure. */
import { alternativesOf, globs, type Matches } from '#base/globs.ts';
import {
  BACKUP_ENDING,
  DOCUMENTS,
  PROJECT_FILES,
  type FileClass,
  type ProjectFiles,
} from './project-files.ts';

/**
 * `path`: from the project's root, with slashes. `unknown`: below a folder of the host. Null: not for this
 * host.
 */
export function classOf({ files, folders, keys }: ProjectFiles, path: string): FileClass | 'unknown' | null {
  if (path.endsWith(BACKUP_ENDING) && path.slice(0, -BACKUP_ENDING.length) in keys) return 'harmless';
  const is = patternsOf(files).findLast(({ matches }) => matches(path))?.is;
  // A pattern also covers what lies below a folder of that name, and only texts are instructions.
  if (is !== undefined && (is !== 'instructions' || path.endsWith('.md'))) return is;
  return folders.some((folder) => path === folder || path.startsWith(`${folder}/`)) ? 'unknown' : null;
}

const compiled = new WeakMap<ProjectFiles['files'], readonly { matches: Matches; is: FileClass }[]>();

function patternsOf(files: ProjectFiles['files']) {
  const known = compiled.get(files);
  if (known !== undefined) return known;
  const patterns = Object.entries(files).map(([pattern, is]) => ({ matches: globs([pattern]), is }));
  compiled.set(files, patterns);
  return patterns;
}

export type ForeignClass = Exclude<FileClass, 'harmless' | 'instructions'> | 'unknown';

export function isForeign(is: FileClass | 'unknown'): is is ForeignClass {
  return is !== 'harmless' && is !== 'instructions';
}

/**
 * Files, and folders with all in them, where a write changes what a host runs, sends or allows. Those of
 * other hosts count, too: one of them may go on with the loop. `.env` belongs to the project, and counts only
 * for a host that obeys it.
 */
export function hostGround(host: string): string[] {
  const paths = Object.entries(PROJECT_FILES).flatMap(([name, { files }]) =>
    Object.entries(files).filter(([, is]) => isForeign(is) && (is !== 'sends' || name === host)),
  );
  return unique(paths.flatMap(([pattern]) => alternativesOf(pattern) ?? []));
}

/** Searches of hosts leave out what these files name. */
export const SEARCH_IGNORE_FILES = ['.ignore', '.rgignore', '.geminiignore', '.qwenignore'];

/**
 * Where a host's files are: the folders and files to look at. Patterns for any folder of the project are left
 * out.
 */
export function rootsOf({ files, folders }: ProjectFiles): string[] {
  const named = Object.keys(files).flatMap((pattern) => alternativesOf(pattern) ?? []);
  const roots = unique([...folders, ...named.map(withoutWildcards)]).filter((root) => root !== '');
  return roots.filter((root) => !roots.some((other) => root.startsWith(`${other}/`)));
}

/**
 * Patterns of everything that any host obeys, instructions included: what a copy leaves out that these hosts
 * must not obey. Documents that only another host obeys are no harm in it.
 */
export function hostFoldersAndInstructions(hosts: readonly string[]): string[] {
  const folders = Object.values(PROJECT_FILES).flatMap((host) => host.folders);
  const obeyed = Object.entries(PROJECT_FILES).flatMap(([name, { files }]) =>
    Object.entries(files)
      .filter(([pattern, is]) => is !== 'harmless' && (hosts.includes(name) || !DOCUMENTS.includes(pattern)))
      .map(([pattern]) => pattern),
  );
  return unique([...folders, '.agents', ...obeyed]);
}

function withoutWildcards(pattern: string): string {
  const names = pattern.split('/');
  const first = names.findIndex((name) => name.includes('*'));
  return (first === -1 ? names : names.slice(0, first)).join('/');
}

function unique(paths: readonly string[]): string[] {
  return [...new Set(paths)];
}
