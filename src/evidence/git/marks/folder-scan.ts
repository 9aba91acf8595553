/** Scans a project without a repository: its files by size and time. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { sha256 } from '#base/files/sha256.ts';
import { wordList } from '#base/words/word-list.ts';
import { bytesOf } from '../git.ts';
import { readRest, sizeAndTime, type MarkExclusions } from './mark-tree.ts';

/** A larger project is not scanned: without an index, every file costs a system call. */
const MAX_FILES_SCANNED = 5_000;
const MAX_FOLDERS_SCANNED = 5_000;

export const MADE_BY_PROGRAMS: readonly string[] = wordList(`
  .git .hg .svn node_modules dist build out target coverage vendor .cache .next .venv venv
  __pycache__
`);

/** A signature per file, by its name: bytes with slashes, relative to the project. */
export type Scan = ReadonlyMap<string, string>;

/** Returns null if there are too many files, if the folder is unreadable, or if time runs out. */
export function scanFolder(
  project: string,
  { ignored, withoutLines }: MarkExclusions,
  over: () => boolean,
): Scan | null {
  const files = new Map<string, string>();
  const folders = [project];
  for (let i = 0; i < folders.length; i++) {
    const folder = folders[i] ?? project;
    if (i > MAX_FOLDERS_SCANNED || over()) return null;
    const entries = listEntries(folder);
    // The agent can't have worked in a subfolder that we can't read either.
    if (entries === null && i === 0) return null;
    for (const entry of entries ?? []) {
      const path = join(folder, entry.name);
      const name = bytesOf(relative(project, path).split(sep).join('/'));
      if (ignored(name)) continue;
      if (entry.isDirectory()) {
        if (!MADE_BY_PROGRAMS.includes(entry.name)) folders.push(path);
        continue;
      }
      if (files.size === MAX_FILES_SCANNED) return null;
      const lines = withoutLines(name);
      const rest = lines && readRest(path, lines);
      files.set(name, rest === null ? sizeAndTime(path) : digestOf(rest));
    }
  }
  return files;
}

function listEntries(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return null;
  }
}

export function keepScan(store: string, scan: Scan): string {
  const content = JSON.stringify([...scan].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  const digest = digestOf(content);
  const path = scanPath(store, digest);
  mkdirSync(join(store, 'folders'), { recursive: true, mode: 0o700 });
  if (!existsSync(path)) writeFileSync(path, content);
  return digest;
}

/** Returns null if no such scan was kept here, or if it is incomplete. */
export function readScan(store: string, digest: string): Scan | null {
  try {
    const content = readFileSync(scanPath(store, digest), 'utf8');
    return digestOf(content) === digest ? new Map<string, string>(JSON.parse(content)) : null;
  } catch {
    return null;
  }
}

export function namesBetweenScans(then: Scan, now: Scan): string[] {
  return [...then.keys(), ...now.keys()].filter((name) => then.get(name) !== now.get(name));
}

function scanPath(store: string, digest: string): string {
  return join(store, 'folders', `${digest.replaceAll(/[^0-9a-f]/g, '')}.json`);
}

function digestOf(content: string): string {
  return sha256(content).slice(0, 32);
}
