/**
 * Temporary folders. Each has a purpose in its name, so that `dacapo prune` knows what a killed process has
 * left behind.
 */
import { existsSync, lstatSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { namesIn } from './paths.ts';

const PURPOSES = [
  'baseline',
  'config',
  'fleet',
  'held-out',
  'hooks',
  'index',
  'items',
  'page',
  'rehearsal',
  'relay',
  'rule',
  'setup',
] as const;

/** In a folder for a page. */
export const PAGE_FILE = 'dacapo.html';

const SCRATCH_NAME = new RegExp(`^dacapo-(?:${PURPOSES.join('|')})-`);
/** A younger folder may still be in use. */
const SETTLED_MS = 60 * 60_000;

/** The folder that the environment names may be gone, as that of a session or a shell that has ended. */
function temporaryFolder(): string {
  return [tmpdir(), '/tmp'].find((folder) => existsSync(folder)) ?? homedir();
}

/** The caller removes it. */
export function makeScratch(purpose: (typeof PURPOSES)[number], parent = temporaryFolder()): string {
  return mkdtempSync(join(parent, `dacapo-${purpose}-`));
}

export async function withScratch<T>(
  purpose: (typeof PURPOSES)[number],
  use: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = makeScratch(purpose);
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Makes an empty file in the folder at each call, for the output of a program. */
export function filesIn(folder: string): () => string {
  let files = 0;
  return () => {
    const path = join(folder, String(++files));
    writeFileSync(path, '');
    return path;
  };
}

export function findScratch(now: string): string[] {
  const folder = temporaryFolder();
  return namesIn(folder)
    .filter((name) => SCRATCH_NAME.test(name))
    .map((name) => join(folder, name))
    .concat(pagesIn(homedir()))
    .filter((path) => isLeft(path, Date.parse(now)));
}

/** In the home folder a person may have one of that name: ours holds one file, by its name. */
function pagesIn(home: string): string[] {
  return namesIn(home)
    .filter((name) => /^dacapo-page-\w{6}$/.test(name))
    .map((name) => join(home, name))
    .filter((path) => namesIn(path).join() === PAGE_FILE);
}

export function removeScratch(paths: readonly string[]): void {
  for (const path of paths) rmSync(path, { recursive: true, force: true });
}

/**
 * All users share the folder for temporary files: only this user's own folders count. On Windows each has one
 * of their own.
 */
function isLeft(path: string, now: number): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat?.isDirectory() !== true || now - stat.mtimeMs <= SETTLED_MS) return false;
  return process.getuid === undefined || stat.uid === process.getuid();
}
