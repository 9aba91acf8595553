/**
 * What a power cut may leave of a list of file operations: whatever was not synced may be there, be gone, be
 * torn, or be there without what came before it. Data counts as safe after a sync of its file, and a name
 * (made, renamed, removed) after a sync of the folder that holds it. File systems promise more, each
 * something else.
 */
import { dirname } from 'node:path';

export type Operation =
  | { readonly is: 'create' | 'mkdir' | 'unlink' | 'rmdir' | 'sync'; readonly path: string }
  | { readonly is: 'rename' | 'link'; readonly path: string; readonly to: string }
  | { readonly is: 'truncate'; readonly path: string; readonly to: number }
  | { readonly is: 'write'; readonly path: string; readonly at: number | null; readonly bytes: string }
  | { readonly is: 'say'; readonly text: string };

/** Files with their content; null: a folder. By path. */
export type Image = ReadonlyMap<string, Buffer | null>;

/** A file that names lead to. `safe`: what a sync has put on the disk. */
interface Inode {
  now: Buffer;
  safe: Buffer;
}
type Entry = Inode | 'folder';
/** A change of names that no sync of its folder has made safe yet. */
interface Rename {
  readonly folders: readonly string[];
  readonly sets: ReadonlyMap<string, Entry | null>;
}

export interface Cut {
  /** All paths are below it, and it is there. */
  readonly root: string;
  /** What was there, and safe, before the first operation. */
  readonly before: Image;
  readonly operations: readonly Operation[];
}

/** How often the system has written something to the disk by itself. */
const WRITTEN_BACK = 0.15;

/** Of all that can be left after the first `count` operations, one that `chance` (from 0 up to 1) picks. */
export function crashImage({ root, before, operations }: Cut, count: number, chance: () => number): Image {
  const names = new Map<string, Entry>(
    [...before].map(([path, content]) => [
      path,
      content === null ? 'folder' : { now: content, safe: content },
    ]),
  );
  const safe = new Map(names);
  let pending: Rename[] = [];
  const set = (...changes: readonly (readonly [string, Entry | null])[]) => {
    for (const [path, entry] of changes) put(names, path, entry);
    pending.push({ folders: changes.map(([path]) => dirname(path)), sets: new Map(changes) });
  };
  for (const operation of operations.slice(0, count)) {
    if (operation.is === 'say') continue;
    const { path } = operation;
    const entry = names.get(path);
    switch (operation.is) {
      case 'create':
        set([path, { now: Buffer.alloc(0), safe: Buffer.alloc(0) }]);
        break;
      case 'mkdir':
        set([path, 'folder']);
        break;
      case 'unlink':
      case 'rmdir':
        set([path, null]);
        break;
      case 'rename':
        if (entry !== undefined) set([path, null], [operation.to, entry]);
        break;
      case 'link':
        if (entry !== undefined) set([operation.to, entry]);
        break;
      case 'truncate':
        if (entry && entry !== 'folder') entry.now = entry.now.subarray(0, operation.to);
        break;
      case 'write':
        if (entry && entry !== 'folder') {
          entry.now = written(entry.now, operation);
          if (chance() < WRITTEN_BACK) entry.safe = entry.now;
        }
        break;
      case 'sync':
        if (entry && entry !== 'folder') entry.safe = entry.now;
        else {
          for (const { folders, sets } of pending) if (folders.includes(path)) apply(safe, sets);
          pending = pending.filter(({ folders }) => !folders.includes(path));
        }
    }
  }
  // Some of what waits has reached the disk, in any order.
  for (const { sets } of pending) if (chance() < 0.5) apply(safe, sets);
  return new Map(
    [...safe]
      .filter(([path]) => isReachable(safe, root, path))
      .map(([path, entry]) => [path, entry === 'folder' ? null : left(entry, chance)]),
  );
}

function apply(names: Map<string, Entry>, sets: Rename['sets']): void {
  for (const [path, entry] of sets) put(names, path, entry);
}

function put(names: Map<string, Entry>, path: string, entry: Entry | null): void {
  if (entry === null) names.delete(path);
  else names.set(path, entry);
}

/** A name in a folder that is gone is gone. */
function isReachable(names: ReadonlyMap<string, Entry>, root: string, path: string): boolean {
  const above = dirname(path);
  return above === root || (names.get(above) === 'folder' && isReachable(names, root, above));
}

function written(content: Buffer, { at, bytes }: Extract<Operation, { is: 'write' }>): Buffer {
  const data = Buffer.from(bytes, 'base64');
  const start = at ?? content.length;
  const grown = Buffer.alloc(Math.max(content.length, start + data.length));
  content.copy(grown);
  data.copy(grown, start);
  return grown;
}

/**
 * All of it, nothing, a part, its length with zeros in place of the end, or, where it was written over something, its
 * beginning and the old end.
 */
function left({ now, safe }: Inode, chance: () => number): Buffer {
  if (now.equals(safe)) return safe;
  const pick = chance();
  if (pick < 0.25) return safe;
  if (pick < 0.5) return now;
  const same = sharedLength(now, safe);
  const upTo = same + Math.floor(chance() * (now.length - same));
  if (pick < 0.65) return now.subarray(0, upTo);
  if (pick < 0.8) return Buffer.concat([now.subarray(0, upTo), safe.subarray(upTo)]);
  const zeroed = Buffer.from(now);
  return zeroed.fill(0, upTo);
}

function sharedLength(a: Buffer, b: Buffer): number {
  let at = 0;
  while (at < a.length && at < b.length && a[at] === b[at]) at++;
  return at;
}
