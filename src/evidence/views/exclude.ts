/**
 * Keeps views out of commits: a start adds them to `.git/info/exclude`, which is not under version control
 * itself.
 */
import { appendFileSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Loop, OtherView } from '#law/loop.ts';
import { leadsOut, refuseToLeave } from '#base/files/paths.ts';
import { readText, readTextIfAny } from '#base/files/read.ts';
import { commonDir, findTop } from '../git/git-folder.ts';
import { ALL_FILES, NOTES, REQUEST_FILES, VIEW_FILES, fileNamesOf, type ProjectFile } from './names.ts';

/** The files that every loop may leave in a project, whatever its views. */
const ALWAYS = [...VIEW_FILES.markdown, NOTES].flatMap((file) => patternsOf(file, ''));

function patternsOf(file: ProjectFile, view: string): string[] {
  // Only the name of the folder: patterns are relative to the top of the repository, which may be above the
  // project.
  const folder = file.folder ?? basename(dirname(view)).replace(/[*?[\]\\]/g, '\\$&');
  return fileNamesOf(file).map((name) => `**/${folder}/${name}`);
}

export const REQUEST_PATTERNS = REQUEST_FILES.flatMap((file) => patternsOf(file, ''));

function linesFor(views: readonly OtherView[]): string[] {
  const own = views.flatMap(({ kind, file }) => VIEW_FILES[kind].flatMap((one) => patternsOf(one, file)));
  return [...ALWAYS, ...own];
}

export function excludeFromGit(project: string, views: readonly OtherView[] = []): void {
  exclude(project, linesFor(views));
}

export function exclude(project: string, wanted: readonly string[]): void {
  const path = excludeFile(project);
  if (path === null) return;
  const present = readText(path) ?? '';
  const lines = present.split(/\r?\n/);
  const absent = wanted.filter((pattern) => !lines.includes(pattern));
  if (absent.length === 0) return;
  refuseToLeave(path, dirname(dirname(path)));
  mkdirSync(dirname(path), { recursive: true });
  appendFileSync(path, `${present === '' || present.endsWith('\n') ? '' : '\n'}${absent.join('\n')}\n`);
}

export function needlessLines(path: string, loops: readonly Loop[]): string[] {
  const needed = loops.flatMap(({ files: { views }, people: { requested } }) => [
    ...linesFor(views),
    ...(requested > 0 ? REQUEST_PATTERNS : []),
  ]);
  return (readTextIfAny(path) ?? '').split(/\r?\n/).filter((line) => isOwn(line) && !needed.includes(line));
}

function isOwn(line: string): boolean {
  const [, folder, name] = /^\*\*\/([^/]+)\/([^/]+)$/.exec(line) ?? [];
  return ALL_FILES.some(
    (file) => (file.folder ?? folder) === folder && fileNamesOf(file).some((one) => one === name),
  );
}

export function removeLines(path: string, lines: readonly string[]): void {
  const kept = (readTextIfAny(path) ?? '')
    .split('\n')
    .filter((line) => !lines.includes(line.replace(/\r$/, '')));
  refuseToLeave(path, dirname(dirname(path)));
  writeFileSync(path, kept.join('\n'));
}

export function excludeFile(project: string): string | null {
  const git = commonFolder(project);
  return git === null ? null : join(git, 'info', 'exclude');
}

/**
 * The repository's folder, found through the pointer files of worktrees and submodules without starting a
 * program.
 */
function commonFolder(project: string): string | null {
  const top = findTop(resolve(project));
  const entry = top === null ? undefined : statSync(join(top, '.git'), { throwIfNoEntry: false });
  if (top === null || entry === undefined) return null;
  if (entry.isDirectory()) return leadsOut(join(top, '.git'), top) ? null : join(top, '.git');
  const pointer = /^gitdir: (.*)$/m.exec(readTextIfAny(join(top, '.git')) ?? '')?.[1]?.trim();
  const gitDir = pointer === undefined ? null : resolve(top, pointer);
  // The repository was moved or deleted. Make no folder in its place.
  if (gitDir === null || !statSync(gitDir, { throwIfNoEntry: false })?.isDirectory()) return null;
  const folder = commonDir(gitDir);
  return isRepository(folder) ? folder : null;
}

/** A pointer file comes with the project, and could name any folder. */
function isRepository(folder: string): boolean {
  const is = (name: string) => statSync(join(folder, name), { throwIfNoEntry: false });
  return is('HEAD')?.isFile() === true && is('objects')?.isDirectory() === true;
}
