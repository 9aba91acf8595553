/** Views are nobody's commits: start adds them to `.git/info/exclude`, which is not under version control itself. */
import { appendFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import type { Loop, OtherView } from '../core/loop.ts';

/** And the notes of agents to each other, in a run: they are about the work, and no part of it. */
const ALWAYS = [
  '**/.claude/ralph-loop*.local.md',
  '**/.claude/.ralph-loop*.tmp',
  '**/.claude/ralph-notes.*.local.md',
];

/** The agent's progress file and its feature list are the project's own, and not hidden: many want them in a commit. */
function patternsOf({ kind, file }: OtherView): string[] {
  // Of the folder only its name: patterns are seen from the top of the repository, which may lie above the project.
  const folder = basename(dirname(file)).replace(/[*?[\]\\]/g, '\\$&');
  switch (kind) {
    case 'progress':
      return ['hook.log', 'hook.log.1', '.progress.txt.*.tmp'].map((name) => `**/${folder}/${name}`);
    case 'vault':
      return ['**/Ralph_State/RALPH_*.json', '**/Ralph_State/.RALPH_*.tmp', '**/Ralph_History/RALPH_*.json'];
    case 'stack':
      return ['**/.claude/idle-loop*.local.md', '**/.claude/.idle-loop*.tmp'];
  }
}

export function excludeFromGit(project: string, views: readonly OtherView[] = []): void {
  const path = excludeFile(project);
  if (path === null) return;
  const present = readIfThere(path);
  const lines = present.split(/\r?\n/);
  const absent = [...ALWAYS, ...views.flatMap(patternsOf)].filter((pattern) => !lines.includes(pattern));
  if (absent.length === 0) return;
  mkdirSync(dirname(path), { recursive: true });
  appendFileSync(path, `${present === '' || present.endsWith('\n') ? '' : '\n'}${absent.join('\n')}\n`);
}

/** What such a line looks like, whichever loop it was written for. */
const OWN_LINE =
  /^\*\*\/(?:\.claude\/\.?(?:ralph-loop|ralph-notes|idle-loop)[.*]\S*|[^/]+\/(?:hook\.log(?:\.1)?|\.progress\.txt\.\*\.tmp)|Ralph_(?:State|History)\/\.?RALPH_\*\.\w+)$/;

/** The lines of ours in such a file that none of these loops needs. */
export function needlessLines(path: string, loops: readonly Pick<Loop, 'views'>[]): string[] {
  const needed = loops.flatMap(({ views }) => [...ALWAYS, ...views.flatMap(patternsOf)]);
  return readIfThere(path)
    .split(/\r?\n/)
    .filter((line) => OWN_LINE.test(line) && !needed.includes(line));
}

export function removeLines(path: string, lines: readonly string[]): void {
  const kept = readIfThere(path)
    .split('\n')
    .filter((line) => !lines.includes(line.replace(/\r$/, '')));
  writeFileSync(path, kept.join('\n'));
}

/** Null: the project is in no repository. */
export function excludeFile(project: string): string | null {
  const git = commonFolder(project);
  return git === null ? null : join(git, 'info', 'exclude');
}

/** The repository's folder, through the pointer files of worktrees and submodules. Asks no program. */
function commonFolder(project: string): string | null {
  const top = climb(project);
  if (top === null) return null;
  const entry = join(top, '.git');
  if (statSync(entry).isDirectory()) return entry;
  const pointer = /^gitdir: (.*)$/m.exec(readIfThere(entry))?.[1]?.trim();
  if (pointer === undefined) return null;
  const gitDir = isAbsolute(pointer) ? pointer : resolve(top, pointer);
  // The repository was moved or deleted: no folder is made in its place.
  if (!statSync(gitDir, { throwIfNoEntry: false })?.isDirectory()) return null;
  const common = readIfThere(join(gitDir, 'commondir')).trim();
  return common === '' ? gitDir : resolve(gitDir, common);
}

function climb(from: string): string | null {
  for (let dir = resolve(from); ; dir = dirname(dir)) {
    if (statSync(join(dir, '.git'), { throwIfNoEntry: false }) !== undefined) return dir;
    if (dirname(dir) === dir) return null;
  }
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
