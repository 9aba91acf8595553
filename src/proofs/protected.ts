/**
 * The files that `--protect` names, with the hash of each. Links are not followed into folders; a link to a file counts with
 * where it leads and what is there. Bounded: the same look is taken at every stop that is judged.
 */
import { lstatSync, readFileSync, readdirSync, readlinkSync, statSync, type Stats } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { alternativesOf, globs, literalStart, type Matches } from '../core/globs.ts';
import type { Listing } from './changes.ts';
import { refuse, type Refusal } from '../core/refusal.ts';

const MOST_FILES = 2_000;
/** What is hashed in well under a second. */
const MOST_BYTES = 64 * 1024 * 1024;
/** Entries of folders that are looked at on the way. */
const MOST_SEEN = 100_000;
/** Too large to be walked through by accident; a pattern that names one is taken at its word. */
const PASSED_OVER = new Set(['.git', 'node_modules']);

export interface Listed {
  readonly ok: true;
  readonly files: Listing;
  /** What is kept, and the name under which it is kept. */
  readonly content: string;
  readonly digest: string;
}

export function listProtected(patterns: readonly string[], project: string): Listed | Refusal {
  const matches = protects(patterns, project);
  const found = new Map<string, string>();
  let seen = 0;
  let bytes = 0;
  const open = startsOf(patterns, project);
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (++seen > MOST_SEEN) return tooMuch(`--protect looks at more than ${MOST_SEEN} files and folders.`);
    const stat = statAt(path);
    if (stat === undefined) continue;
    if (stat.isDirectory()) {
      // One by one: a folder may hold more than a call takes arguments.
      for (const entry of entriesOf(path)) open.push(entry);
      continue;
    }
    const name = seenFrom(project, path);
    if (found.has(name) || !matches(name)) continue;
    bytes += stat.size;
    if (found.size >= MOST_FILES) return tooMuch(`--protect matches more than ${MOST_FILES} files.`);
    if (bytes > MOST_BYTES)
      return tooMuch(`the files that --protect matches are larger than ${MOST_BYTES / 1024 / 1024} MB.`);
    found.set(name, hashAt(path, stat));
  }
  const files = [...found].map(([path, hash]) => ({ path, hash })).sort((a, b) => (a.path < b.path ? -1 : 1));
  const content = `${JSON.stringify(files)}\n`;
  return { ok: true, files, content, digest: sha256(content) };
}

/** Asked of a path as seen from the project, with `/`. */
export function protects(patterns: readonly string[], project: string): Matches {
  return globs(
    patterns.map((pattern) => patternFrom(project, pattern)),
    foldsCase(project),
  );
}

export function seenFrom(project: string, path: string): string {
  return relative(project, path).split(sep).join('/');
}

export function hashOf(content: string | Uint8Array): string {
  return `sha256 ${sha256(content)}`;
}

/** Whether names that differ in case only are the same here: asked of the folder itself, since both kinds are found on every system. */
export function foldsCase(folder: string): boolean {
  const name = basename(folder);
  const other = name === name.toLowerCase() ? name.toUpperCase() : name.toLowerCase();
  if (other === name) return process.platform === 'darwin' || process.platform === 'win32';
  const [here, there] = [name, other].map((each) =>
    statSync(join(dirname(folder), each), { throwIfNoEntry: false }),
  );
  return here !== undefined && here.ino === there?.ino && here.dev === there.dev;
}

function patternFrom(project: string, pattern: string): string {
  const takesBack = pattern.startsWith('!');
  const plain = slashes(takesBack ? pattern.slice(1) : pattern);
  return (takesBack ? '!' : '') + (isAbsolute(plain) ? seenFrom(project, plain) : plain);
}

/** On Windows both separate. Elsewhere a backslash is a character like any other. */
function slashes(pattern: string): string {
  return sep === '\\' ? pattern.replaceAll('\\', '/') : pattern;
}

function startsOf(patterns: readonly string[], project: string): string[] {
  const starts = patterns
    .filter((pattern) => !pattern.startsWith('!'))
    .flatMap((pattern) => alternativesOf(patternFrom(project, pattern)) ?? [])
    .map((pattern) => resolve(project, literalStart(pattern)));
  return [...new Set(starts)];
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => !PASSED_OVER.has(name))
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}

/** What can't be looked at is not there; where it was there before, that shows. */
function statAt(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}

function hashAt(path: string, stat: Stats): string {
  try {
    if (stat.isSymbolicLink()) return `link ${sha256(`${readlinkSync(path)}\0${contentBehind(path)}`)}`;
    return stat.isFile() ? hashOf(readFileSync(path)) : 'no file';
  } catch (error) {
    return `unreadable ${error instanceof Error && 'code' in error ? String(error.code) : ''}`;
  }
}

function contentBehind(link: string): string {
  const target = statSync(link, { throwIfNoEntry: false });
  return target?.isFile() && target.size <= MOST_BYTES ? sha256(readFileSync(link)) : '';
}

/** Loaded in need only: it takes 3 ms, and most tools touch nothing that is protected. */
function sha256(content: string | Uint8Array): string {
  return process.getBuiltinModule('node:crypto').createHash('sha256').update(content).digest('hex');
}

function tooMuch(message: string): Refusal {
  return refuse(
    'protect-too-much',
    message,
    'Name fewer, as in --protect "tests/**" --protect "!tests/data/**".',
  );
}
