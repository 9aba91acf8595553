/**
 * The files that `--protect` names, with the hash of each. We do not follow links into folders; a link to a
 * file counts with its target path and the target's content. The work is bounded, since every judged stop
 * repeats it.
 */
import { lstatSync, readFileSync, readlinkSync, statSync, type Stats } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { alternativesOf, globs, literalStart, type Matches } from '#base/globs.ts';
import { refuse, type Refusal } from '#base/refusal.ts';
import { attempt, codeOf } from '#base/shape.ts';
import { namesIn } from '#base/files/paths.ts';
import { sha256 } from '#base/files/sha256.ts';

const MAX_FILES_PROTECTED = 2_000;
/** This much is hashed in well under a second. */
const MAX_PROTECTED_BYTES = 64 * 1024 * 1024;
const MAX_FILES_SEEN = 100_000;
/** Too large to walk through by accident. We enter one only if a pattern names it. */
const PASSED_OVER = new Set(['.git', 'node_modules']);

export type ProtectedListing = Extract<ReturnType<typeof listProtected>, { ok: true }>;

/** `content` is what is stored, under the name `digest`. */
export function listProtected(patterns: readonly string[], project: string) {
  const matches = protects(patterns, project);
  const found = new Map<string, string>();
  let seen = 0;
  let bytes = 0;
  const open = startsOf(patterns, project);
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (++seen > MAX_FILES_SEEN)
      return tooMuch(`--protect looks at more than ${MAX_FILES_SEEN} files and folders.`);
    const stat = statAt(path);
    if (stat === undefined) continue;
    if (stat.isDirectory()) {
      // One by one: a folder may have more entries than a call can take arguments.
      for (const name of namesIn(path)) if (!PASSED_OVER.has(name)) open.push(join(path, name));
      continue;
    }
    const name = seenFromProject(project, path);
    if (found.has(name) || !matches(name)) continue;
    bytes += stat.size;
    if (found.size >= MAX_FILES_PROTECTED)
      return tooMuch(`--protect matches more than ${MAX_FILES_PROTECTED} files.`);
    if (bytes > MAX_PROTECTED_BYTES)
      return tooMuch(
        `the files that --protect matches are larger than ${MAX_PROTECTED_BYTES / 1024 / 1024} MB.`,
      );
    found.set(name, hashAt(path, stat));
  }
  const files = [...found].map(([path, hash]) => ({ path, hash })).sort((a, b) => (a.path < b.path ? -1 : 1));
  const content = `${JSON.stringify(files)}\n`;
  return { ok: true as const, files, content, digest: sha256(content) };
}

/** Takes a path relative to the project, with `/`. */
export function protects(patterns: readonly string[], project: string): Matches {
  return globs(
    patterns.map((pattern) => patternFrom(project, pattern)),
    foldsCase(project),
  );
}

export function seenFromProject(project: string, path: string): string {
  return relative(project, path).split(sep).join('/');
}

export function hashOf(content: string | Uint8Array): string {
  return `sha256 ${sha256(content)}`;
}

/** Whether names that differ only in case are one file. Each system has file systems of both kinds. */
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
  const given = takesBack ? pattern.slice(1) : pattern;
  // On Windows both slashes separate. Elsewhere a backslash is an ordinary character.
  const plain = sep === '\\' ? given.replaceAll('\\', '/') : given;
  return (takesBack ? '!' : '') + (isAbsolute(plain) ? seenFromProject(project, plain) : plain);
}

function startsOf(patterns: readonly string[], project: string): string[] {
  const starts = patterns
    .filter((pattern) => !pattern.startsWith('!'))
    .flatMap((pattern) => alternativesOf(patternFrom(project, pattern)) ?? [])
    .map((pattern) => resolve(project, literalStart(pattern)));
  return [...new Set(starts)];
}

/** A path that we can't look at counts as missing; if it was there before, that shows as a change. */
function statAt(path: string): Stats | undefined {
  return attempt(() => lstatSync(path), undefined);
}

function hashAt(path: string, stat: Stats): string {
  try {
    if (stat.isSymbolicLink()) return `link ${sha256(`${readlinkSync(path)}\0${contentBehind(path)}`)}`;
    return stat.isFile() ? hashOf(readFileSync(path)) : 'no file';
  } catch (error) {
    return `unreadable ${codeOf(error)}`;
  }
}

function contentBehind(link: string): string {
  const target = statSync(link, { throwIfNoEntry: false });
  return target?.isFile() && target.size <= MAX_PROTECTED_BYTES ? sha256(readFileSync(link)) : '';
}

function tooMuch(message: string): Refusal {
  return refuse(
    'protect-too-much',
    message,
    'Name fewer, as in --protect "tests/**" --protect "!tests/data/**".',
  );
}
