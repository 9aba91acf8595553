/** What stands for a file's content: git's own name for it where that can be had, so that a commit changes nothing. */
import { createHash } from 'node:crypto';
import { lstatSync, readFileSync, readlinkSync, type BigIntStats } from 'node:fs';
import { fileAt, git, saidBy, type GitOptions } from './git.ts';
import { GITLINK } from './lists.ts';

/** Above this, size and time stand for the content: a mark is taken at every stop. */
const MOST_FILE = 8 * 1024 * 1024;
/** And for all files that are read for one mark. */
const MOST_BYTES = 128 * 1024 * 1024;
/** 64 bits tell contents apart, and keep a mark small. */
const KEPT = 16;

export const GONE = '';

export function identityOf(mode: string, oid: string): string {
  const kind = mode === '100755' ? 'x' : mode === '120000' ? 'l' : mode === GITLINK ? 'm' : '';
  return oid.slice(0, KEPT) + kind;
}

export interface Wanted {
  readonly path: string;
  /** As git judged it; null: as the file system has it. */
  readonly mode: string | null;
}

/** Of files as they are in the work tree now. Null: git would not tell, or a file went away meanwhile. */
export async function identify(
  root: string,
  wanted: readonly Wanted[],
  format: string,
  options: GitOptions,
): Promise<Map<string, string> | null> {
  const found = new Map<string, string>();
  const contents: { path: string; mode: string }[] = [];
  let left = MOST_BYTES;
  for (const { path, mode } of wanted) {
    const file = fileAt(root, path);
    const stat = look(file);
    if (stat?.isSymbolicLink()) found.set(path, identityOf('120000', nameOfLink(file, format)));
    else if (!stat?.isFile()) found.set(path, GONE);
    else if (stat.size > MOST_FILE || stat.size > left) found.set(path, bySizeAndTime(stat));
    else {
      left -= Number(stat.size);
      contents.push({ path, mode: mode ?? (stat.mode & 0o100n ? '100755' : '100644') });
    }
  }
  if (contents.length === 0) return found;
  // Line ends as the repository wants them, or the same file would have another name once it is committed.
  const input = contents.map(({ path }) => `${quoted(path)}\n`).join('');
  const out = saidBy(await git(['hash-object', '--stdin-paths'], { ...options, at: root, input }));
  const names = out?.split('\n').slice(0, contents.length);
  if (names?.length !== contents.length) return null;
  for (const [i, { path, mode }] of contents.entries()) found.set(path, identityOf(mode, names[i] ?? ''));
  return found;
}

/** Of a file of which some lines don't count. */
export function identifyLines(root: string, path: string, without: RegExp): string {
  const file = fileAt(root, path);
  const stat = look(file);
  if (!stat?.isFile()) return GONE;
  if (stat.size > MOST_FILE) return bySizeAndTime(stat);
  const lines = readFileSync(file, 'utf8').split('\n');
  const counting = lines.filter((line) => !without.test(line));
  return `=${createHash('sha256').update(counting.join('\n')).digest('hex').slice(0, KEPT)}`;
}

function bySizeAndTime({ size, mtimeNs }: BigIntStats): string {
  return `~${size}.${mtimeNs.toString(36)}`;
}

function look(file: Buffer): BigIntStats | undefined {
  try {
    return lstatSync(file, { bigint: true, throwIfNoEntry: false });
  } catch {
    // A part of its path is no folder any more.
    return undefined;
  }
}

function nameOfLink(file: Buffer, format: string): string {
  const target = readlinkSync(file, 'buffer');
  return createHash(format).update(`blob ${target.length}\0`).update(target).digest('hex');
}

/** Quotes, backslashes and control characters. */
// oxlint-disable-next-line no-control-regex
const AWKWARD = /["\\\x00-\x1f\x7f]/g;

/** As git reads a list of lines: a name with a newline, or a CR at its end, can only stand in quotes. */
function quoted(path: string): string {
  const escaped = path.replace(AWKWARD, (c) => `\\${c.charCodeAt(0).toString(8).padStart(3, '0')}`);
  return escaped === path ? path : `"${escaped}"`;
}
