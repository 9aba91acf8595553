/** A project without a repository: its files by size and time. */
import { lstatSync, readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { bytesOf } from './git.ts';

/** More are not looked at: a scan has no index to save it from asking for each. */
const MOST_FILES = 5_000;
const MOST_FOLDERS = 5_000;

/** Folders that programs fill and nobody edits. */
export const MADE_BY_PROGRAMS: readonly string[] = [
  '.git',
  '.hg',
  '.svn',
  'node_modules',
  'dist',
  'build',
  'out',
  'target',
  'coverage',
  'vendor',
  '.cache',
  '.next',
  '.venv',
  'venv',
  '__pycache__',
];

/** Names as bytes with slashes, as seen from the project. Null: too many, or unreadable, or too late. */
export function scanFolder(
  project: string,
  ignored: (path: string) => boolean,
  over: () => boolean,
): Map<string, string> | null {
  const files = new Map<string, string>();
  const folders = [project];
  for (let i = 0; i < folders.length; i++) {
    const folder = folders[i] ?? project;
    if (i > MOST_FOLDERS || over()) return null;
    const entries = entriesOf(folder);
    // What can't be entered below the project is not the agent's work either.
    if (entries === null && i === 0) return null;
    for (const entry of entries ?? []) {
      const path = join(folder, entry.name);
      const name = bytesOf(relative(project, path).split(sep).join('/'));
      if (ignored(name)) continue;
      if (entry.isDirectory()) {
        if (!MADE_BY_PROGRAMS.includes(entry.name)) folders.push(path);
        continue;
      }
      const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
      if (stat === undefined) continue;
      if (files.size === MOST_FILES) return null;
      files.set(name, `~${stat.size}.${stat.mtimeNs.toString(36)}`);
    }
  }
  return files;
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return null;
  }
}
