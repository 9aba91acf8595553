/** Protected files (`--protect GLOB`): their state when the loop began, and what has changed since. */
import { few, plural } from '#law/words/phrases.ts';
import { oneLine } from '#base/words/sanitize.ts';
import { parseAs, list, record, text, type Infer } from '#base/shape.ts';
import type { GateResult } from '#law/record/verdict.ts';
import { sha256 } from '#base/files/sha256.ts';
import type { Blobs } from '#store/open-loop.ts';

/** Every protected file by its path, relative to the project, with `/`. */
export const fileListing = list(record({ path: text, hash: text }));
export type FileListing = Infer<typeof fileListing>;

export interface ProtectedChange {
  readonly path: string;
  readonly how: 'changed' | 'added' | 'deleted';
}

const MAX_CHANGES_LISTED = 5;
const MAX_PATH_CHARS = 120;

export function changesBetween(atStart: FileListing, now: FileListing): ProtectedChange[] {
  const before = new Map(atStart.map(({ path, hash }) => [path, hash]));
  const after = new Map(now.map(({ path, hash }) => [path, hash]));
  const gone = atStart.filter(({ path }) => !after.has(path));
  return [
    ...now.flatMap(({ path, hash }): ProtectedChange[] => {
      const was = before.get(path);
      return was === hash ? [] : [{ path, how: was === undefined ? 'added' : 'changed' }];
    }),
    ...gone.map(({ path }): ProtectedChange => ({ path, how: 'deleted' })),
  ];
}

export function sayChange({ path, how }: ProtectedChange): string {
  return `${oneLine(path, MAX_PATH_CHARS)} (${how})`;
}

export function protectedResult(
  files: number,
  changes: readonly ProtectedChange[],
  loop: string,
): GateResult {
  const holds = changes.length === 0;
  const says = holds ? `${plural(files, 'protected file')} unchanged` : sayChanges(changes, loop);
  return { gate: 'protected', holds, says, trouble: null };
}

/** For the agent, and for the person, since only a person can accept the change. */
function sayChanges(changes: readonly ProtectedChange[], loop: string): string {
  const added = pathsOf(changes.filter(({ how }) => how === 'added'));
  const others = pathsOf(changes.filter(({ how }) => how !== 'added'));
  const mend = [
    ...(others === '' ? [] : [`\`git checkout -- ${others}\` (if git has it so)`]),
    ...(added === '' ? [] : [`\`rm ${added}\``]),
  ];
  const changed = few(changes, sayChange, MAX_CHANGES_LISTED).join(', ');
  return (
    `${changed}: protected, and not as when the loop began, so ` +
    `nothing counts as done. Put it back: ${mend.join(' and ')}. Only a person can accept the change: ` +
    `dacapo resume ${loop} --accept-changes`
  );
}

function pathsOf(changes: readonly ProtectedChange[]): string {
  const named = changes.slice(0, MAX_CHANGES_LISTED);
  return named.map(({ path }) => oneLine(path, MAX_PATH_CHARS)).join(' ');
}

// Each listing is stored under its digest. The journal names the digest, so a swapped listing is noticed.

export function keepListing(blobs: Blobs, digest: string, content: string): void {
  blobs.write(nameOf(digest), content);
}

/** Returns null if the listing is gone, or differs from what was stored. */
export function readListing(blobs: Blobs, digest: string): FileListing | null {
  const content = blobs.read(nameOf(digest));
  if (content === null) return null;
  return sha256(content) === digest ? parseAs(fileListing, content) : null;
}

function nameOf(digest: string): string {
  return `protected/${digest}.json`;
}
